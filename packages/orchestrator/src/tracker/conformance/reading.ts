import type { Issue } from "../../domain/issue.ts";
import type { Case } from "./case.ts";
import { Skipped } from "./case.ts";
import { failure, must } from "./must.ts";

type Check = readonly [name: string, run: (at: Case) => Promise<void>];

/** More than a page of any provider. */
const MANY = 120;
const STRANGE = [
  "",
  " ",
  ".",
  "..",
  "../../etc/passwd",
  "/",
  "a/b",
  "\0",
  "\ud800",
  "1' OR '1'='1",
  "x".repeat(10_000),
];

const ids = (issues: readonly Issue[]): string =>
  issues
    .map(({ id }) => id)
    .toSorted()
    .join(", ");

/** Checks with a provider that answers. */
export const READING: readonly Check[] = [
  [
    "an empty list of states or ids makes no request",
    async (at) => {
      await at.create();
      const before = at.harness.requests?.();
      must((await at.byStates([])).length === 0, "byStates([]) must be empty");
      must((await at.byIds([])).size === 0, "byIds of an empty set must be empty");
      must(at.harness.requests?.() === before, "an empty list must not make a request");
      if (await at.harness.break?.("unreachable")) await Promise.all([at.byStates([]), at.byIds([])]);
    },
  ],
  [
    "byStates returns the issues in these states, whatever the case of the letters",
    async (at) => {
      const [one, two] = [await at.create(), await at.create()];
      const done = await at.create({ state: at.terminal });
      const expected = [one, two].toSorted().join(", ");
      for (const state of [at.active, at.active.toUpperCase(), ` ${at.active.toLowerCase()} `])
        must(ids(await at.byStates([state])) === expected, `byStates(["${state}"]) must return ${expected}`);
      must(ids(await at.byStates([at.terminal])) === done, "byStates must return issues in terminal states");
      const both = await at.byStates([at.active, at.terminal, at.active]);
      must(both.length === 3, "byStates must return each issue once, also for several states");
      must(
        (await at.byStates(["no such state"])).length === 0,
        "a state without issues must be an empty list",
      );
    },
  ],
  [
    "many pages are one answer, with each issue once and in the same order each time",
    async (at) => {
      const created: string[] = [];
      for (let count = 0; count < MANY; count++) created.push(await at.create({ title: `Issue ${count}` }));
      const listed = await at.byStates();
      must(ids(listed) === created.toSorted().join(", "), `byStates must return ${MANY} issues, each once`);
      const again = await at.byStates();
      must(
        listed.every(({ id }, index) => again[index]?.id === id),
        "byStates must return the issues in the same order if nothing has changed",
      );
      const fresh = await at.byIds(created);
      must(fresh.size === MANY, `byIds must return ${MANY} issues, not ${fresh.size}`);
    },
  ],
  [
    "every field is present and normalized",
    async (at) => {
      const id = await at.create({
        title: 'Title with ünïcode, "quotes" and {{ braces }}',
        description: "First line\n\n# A heading\n\n---\n\nlast line",
        labels: [" Bug ", "bug", "UI", "ui"],
        priority: 2,
      });
      const issue = await at.one(id);
      checkShape(issue);
      must(
        issue.title === 'Title with ünïcode, "quotes" and {{ braces }}',
        "the title must be as it was given",
      );
      must(issue.description?.includes("# A heading") === true, "the description must be as it was given");
      must(
        issue.labels.toSorted().join() === "bug,ui",
        `the labels must be bug and ui, not ${issue.labels.join()}`,
      );
      must(
        issue.priority === null || issue.priority === 2,
        "the priority must be 2, or null if there is none",
      );
    },
  ],
  [
    "missing optional fields are null or empty",
    async (at) => {
      const issue = await at.one(await at.create());
      checkShape(issue);
      must(issue.labels.length === 0 && issue.blocked_by.length === 0, "missing lists must be empty");
      must(issue.dispatchable, "an issue without any obstacle must be dispatchable");
    },
  ],
  [
    "a list and a refresh agree",
    async (at) => {
      const id = await at.create({ labels: ["one"], description: "Text" });
      const listed = (await at.byStates()).find((each) => each.id === id);
      must(
        JSON.stringify(sorted(listed)) === JSON.stringify(sorted(await at.one(id))),
        "byStates and byIds differ",
      );
    },
  ],
  [
    "a refresh returns whole, current issues",
    async (at) => {
      const id = await at.create();
      const before = await at.one(id);
      const copy = JSON.stringify(before);
      await at.harness.change(id, { title: "Another title", state: at.terminal, labels: ["new"] });
      const { title, state, labels } = await at.one(id);
      must(title === "Another title", "byIds must return the changed title");
      must(state.toLowerCase() === at.terminal.toLowerCase(), "byIds must return the changed state");
      must(labels.includes("new"), "byIds must return the changed labels");
      must(JSON.stringify(before) === copy, "an issue that was returned must not change afterwards");
      must(
        (await at.byStates()).length === 0,
        "the issue has left its state, so byStates must not return it",
      );
    },
  ],
  [
    "an issue that is not visible any more is absent",
    async (at) => {
      const [gone, kept] = [await at.create(), await at.create()];
      await at.harness.remove(gone);
      const fresh = await at.byIds([gone, kept]);
      must(!fresh.has(gone) && fresh.has(kept), "byIds must return the other issue only");
      must(ids(await at.byStates()) === kept, "byStates must return the other issue only");
    },
  ],
  [
    "strange ids are absent and do no harm",
    async (at) => {
      const id = await at.create();
      const fresh = await at.byIds([...STRANGE, id]);
      must([...fresh.keys()].join() === id, "byIds must return the one issue that exists");
    },
  ],
  [
    "a blocked issue is not dispatchable until its blockers are terminal",
    async (at) => {
      const blocker = await at.create();
      const id = await at.create({ blockedBy: [blocker] });
      const issue = await at.one(id);
      if (issue.blocked_by.length === 0) throw new Skipped("the provider has no blockers");
      checkShape(issue);
      must(!issue.dispatchable, "an issue with an active blocker must not be dispatchable");
      must((await at.byStates()).length === 2, "byStates must also return issues that are not dispatchable");
      await at.harness.change(blocker, { state: at.terminal });
      must((await at.one(id)).dispatchable, "an issue whose blockers are terminal must be dispatchable");
    },
  ],
  [
    "calls at the same time do not disturb each other",
    async (at) => {
      const created = [await at.create(), await at.create(), await at.create({ state: at.terminal })];
      const calls = Array.from({ length: 8 }, async () => {
        const [list, fresh] = await Promise.all([at.byStates(), at.byIds(created)]);
        must(list.length === 2 && fresh.size === 3, "each call must have its own whole answer");
      });
      await Promise.all(calls);
    },
  ],
  [
    "an aborted call rejects",
    async (at) => {
      const id = await at.create();
      const aborted = AbortSignal.abort(new Error("the fleet stops"));
      await failure(at.byStates([at.active], aborted), "byStates must reject if its signal has aborted");
      await failure(at.byIds([id], aborted), "byIds must reject if its signal has aborted");
    },
  ],
];

const FIELDS: Readonly<Record<keyof Issue, (value: unknown) => boolean>> = {
  id: isText,
  native_ref: (value) => value === null || (typeof value === "object" && !Array.isArray(value)),
  identifier: isText,
  title: isText,
  description: isTextOrNull,
  priority: (value) => value === null || Number.isInteger(value),
  state: isText,
  branch_name: isTextOrNull,
  url: isTextOrNull,
  assignee_id: isTextOrNull,
  labels: (value) => Array.isArray(value) && value.every((each) => isText(each) && isNormalized(each)),
  blocked_by: Array.isArray,
  dispatchable: (value) => typeof value === "boolean",
  created_at: isTimeOrNull,
  updated_at: isTimeOrNull,
};

function checkShape(issue: Issue): void {
  for (const [name, fits] of Object.entries(FIELDS)) {
    const value: unknown = issue[name as keyof Issue];
    must(fits(value), `the field ${name} must not be ${JSON.stringify(value) ?? "missing"}`);
  }
  const unknown = Object.keys(issue).filter((name) => !Object.hasOwn(FIELDS, name));
  must(unknown.length === 0, `an issue must not have other fields: ${unknown.join(", ")}`);
  must(new Set(issue.labels).size === issue.labels.length, "labels must not have duplicates");
  for (const blocker of issue.blocked_by)
    must(
      [blocker.id, blocker.identifier, blocker.state].every((each) => isTextOrNull(each)),
      "the fields of a blocker must be texts or null",
    );
  const copy: unknown = JSON.parse(JSON.stringify(issue));
  must(JSON.stringify(copy) === JSON.stringify(issue), "an issue must survive JSON");
}

function sorted(issue: Issue | undefined): readonly [string, unknown][] {
  return Object.entries(issue ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

function isNormalized(value: unknown): boolean {
  return typeof value === "string" && value === value.trim().toLowerCase();
}

function isTimeOrNull(value: unknown): boolean {
  return (
    value === null || (typeof value === "string" && !Number.isNaN(Date.parse(value)) && value.includes("T"))
  );
}
