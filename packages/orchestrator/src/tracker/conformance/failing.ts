import { TrackerError } from "../../domain/errors.ts";
import { type Case, Skipped } from "./case.ts";
import type { Breakage } from "./harness.ts";
import { failure, must } from "./must.ts";

type Check = readonly [name: string, run: (at: Case) => Promise<void>];

/** The codes that say truly what has happened. */
const CODES: Readonly<Record<Breakage, readonly TrackerError["code"][]>> = {
  unreachable: ["tracker_request"],
  unauthorized: ["tracker_status", "tracker_request", "missing_tracker_secret"],
  failing: ["tracker_status", "tracker_request"],
  truncated: ["tracker_response", "tracker_pagination", "tracker_request"],
  rate_limited: ["tracker_rate_limited"],
};

/** Checks with a provider that fails: only an answer that says so means that an issue is gone. */
export const FAILING: readonly Check[] = [
  ["a provider that does not answer is an error and never an empty list", broken("unreachable")],
  ["a refused credential is an error and never an empty list", broken("unauthorized")],
  ["an answer that failed is an error and never an empty list", broken("failing")],
  ["half an answer is an error and never a part of the list", broken("truncated")],
  ["a limit of requests is an error that says when it ends", broken("rate_limited")],
  [
    "a malformed record is left out of a list, with a warning",
    async (at) => {
      const [bad, good] = [await at.create(), await at.create()];
      await at.spoil(bad);
      const listed = await at.byStates();
      must(listed.length === 1 && listed[0]?.id === good, "byStates must return the other issue");
      must(at.warnings.length > 0, "byStates must warn of the issue that it left out");
    },
  ],
  [
    "a malformed record fails a refresh",
    async (at) => {
      const [bad, good] = [await at.create(), await at.create()];
      await at.spoil(bad);
      const error = await failure(
        at.byIds([bad, good]),
        "byIds must reject if a requested record is malformed",
      );
      must(error instanceof TrackerError, "the error must be a TrackerError");
      must((await at.byIds([good])).has(good), "byIds of the other issue must succeed");
    },
  ],
  [
    "a closed tracker refuses calls",
    async (at) => {
      const id = await at.create();
      await at.tracker.close();
      await at.tracker.close();
      await failure(at.byStates(), "byStates must reject after close()");
      await failure(at.byIds([id]), "byIds must reject after close()");
    },
  ],
  [
    "the profile is complete",
    async (at) => {
      const { kind, summary, keys, notes, tools } = at.tracker.profile;
      must(/^[a-z][a-z0-9_-]*$/.test(kind), "the kind must be a short name in lower case");
      must(
        [summary, ...Object.values(notes)].every((each) => each.trim() !== ""),
        "no note may be blank",
      );
      must(
        keys.every(({ key, what }) => key !== "" && what !== ""),
        "each key must be described",
      );
      must(
        keys.every(({ secret, env }) => !secret || env),
        "each secret must have a variable",
      );
      const issue = await at.one(await at.create());
      const own = at.tracker.tools(issue).map(({ name }) => name);
      const documented = tools.map(({ name }) => name);
      must(own.toSorted().join() === documented.toSorted().join(), "the profile must name exactly the tools");
    },
  ],
];

function broken(how: Breakage): (at: Case) => Promise<void> {
  return async (at) => {
    const created: string[] = [];
    // More than one page, because some failures hit the second one.
    for (let count = 0; count < 60; count++) created.push(await at.create());
    await at.byStates();
    await at.break(how);
    const errors = [
      await failure(at.byStates(), "byStates must reject"),
      await failure(at.byIds(created), "byIds must reject"),
    ];
    for (const error of errors) checkError(at, how, error);
    if (!at.harness.mend) throw new Skipped("the provider cannot be mended");
    await at.harness.mend();
    must((await at.byStates()).length === created.length, "byStates must work again afterwards");
    must((await at.byIds(created)).size === created.length, "byIds must work again afterwards");
  };
}

function checkError({ harness: { secret }, warnings }: Case, how: Breakage, error: unknown): void {
  must(error instanceof TrackerError, `the error must be a TrackerError, not ${String(error)}`);
  must(CODES[how].includes(error.code), `the code must be ${CODES[how].join(" or ")}, not ${error.code}`);
  must(error.message.trim() !== "", "the error must have a message");
  if (how === "rate_limited") must(Number.isFinite(error.retryAt), "the error must have retryAt");
  const texts = [error.message, String(error.cause), error.stack ?? "", ...warnings];
  must(!secret || !texts.some((text) => text.includes(secret)), "the error must not contain the credential");
}
