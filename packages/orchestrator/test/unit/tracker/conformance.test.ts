import { describe, expect, test } from "vitest";
import {
  memoryTracker,
  MemoryIssues,
  type SampleIssue,
  type TrackerCheck,
  trackerChecks,
  TrackerError,
  type Tracker,
  type TrackerHarness,
} from "@codexwright/orchestrator/tracker";
import { verifies } from "@codexwright/test-support/verifies";
import { FolderHarness } from "./folder-harness.ts";

/** Issues in memory. Calls fail by script. */
class MemoryHarness implements TrackerHarness {
  readonly #issues = new MemoryIssues();
  #count = 0;
  #failure: TrackerError | undefined;

  async open(config: Parameters<TrackerHarness["open"]>[0]): Promise<Tracker> {
    return await memoryTracker(this.#issues).open({ ...config, provider: {}, folder: "/" });
  }

  create({ blockedBy = [], ...issue }: SampleIssue): Promise<string> {
    const identifier = `M-${++this.#count}`;
    const blocked_by = blockedBy.map((id) => ({ id, identifier: id, state: null }));
    return Promise.resolve(this.#issues.put({ ...issue, identifier, blocked_by }).id);
  }

  change(id: string, change: Partial<SampleIssue>): Promise<void> {
    this.#issues.change(id, change);
    return Promise.resolve();
  }

  remove(id: string): Promise<void> {
    this.#issues.remove(id);
    return Promise.resolve();
  }

  break(how: string): Promise<boolean> {
    const codes = {
      unreachable: "tracker_request",
      unauthorized: "tracker_status",
      failing: "tracker_status",
      truncated: "tracker_pagination",
      rate_limited: "tracker_rate_limited",
    } as const;
    const code = codes[how as keyof typeof codes];
    this.#failure = new TrackerError(code, "by script", { retryAt: Date.now() + 1_000 });
    this.#issues.failNext(this.#failure, "byStates");
    this.#issues.failNext(this.#failure, "byIds");
    return Promise.resolve(true);
  }

  mend(): Promise<void> {
    return Promise.resolve();
  }

  requests(): number {
    return this.#issues.requests;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

/** The checks that the adapters cannot take. */
const SKIPPED = {
  folder: [
    "a refused credential is an error and never an empty list",
    "an answer that failed is an error and never an empty list",
    "half an answer is an error and never a part of the list",
    "a limit of requests is an error that says when it ends",
  ],
  memory: ["a malformed record is left out of a list, with a warning", "a malformed record fails a refresh"],
};

/** The bullets of SPEC.md 17.3 that a check shows. */
const SYMPHONY: Readonly<Record<string, readonly string[]>> = {
  "an empty list of states or ids makes no request": ["symphony.17.3.no-states", "symphony.17.3.no-ids"],
  "byStates returns the issues in these states, whatever the case of the letters": [
    "symphony.17.3.candidates",
  ],
  "many pages are one answer, with each issue once and in the same order each time": ["symphony.17.3.pages"],
  "every field is present and normalized": ["symphony.17.3.labels"],
  "missing optional fields are null or empty": ["symphony.17.3.optional"],
  "a malformed record is left out of a list, with a warning": ["symphony.17.3.malformed"],
  "a malformed record fails a refresh": ["symphony.17.3.malformed"],
  "a refresh returns whole, current issues": ["symphony.17.3.refresh"],
  "a blocked issue is not dispatchable until its blockers are terminal": ["symphony.17.3.dispatchable"],
  "the profile is complete": ["symphony.17.3.profile"],
  "a provider that does not answer is an error and never an empty list": ["symphony.17.3.errors"],
  "a refused credential is an error and never an empty list": ["symphony.17.3.errors"],
  "an answer that failed is an error and never an empty list": ["symphony.17.3.errors"],
  "half an answer is an error and never a part of the list": ["symphony.17.3.errors"],
  "a limit of requests is an error that says when it ends": ["symphony.17.3.errors"],
};

const HARNESSES = { folder: () => new FolderHarness(), memory: () => new MemoryHarness() };

for (const kind of ["folder", "memory"] as const)
  describe(`the ${kind} tracker`, () => {
    for (const { name, run } of trackerChecks)
      verifies(["fleet.tracker.conformance", ...(SYMPHONY[name] ?? [])], name, async () => {
        const { outcome } = await run(HARNESSES[kind]());
        expect(outcome).toBe(SKIPPED[kind].includes(name) ? "skipped" : "passed");
      });

    test("the checks have the names of the bullets", () => {
      const names = trackerChecks.map(({ name }) => name);
      expect(Object.keys(SYMPHONY).filter((name) => !names.includes(name))).toEqual([]);
    });
  });

/** Adapters that are wrong in one way each. */
const WRONG: Readonly<
  Record<string, { readonly check: string; readonly wrong: (tracker: Tracker) => Partial<Tracker> }>
> = {
  "returns an empty list when its provider fails": {
    check: "a provider that does not answer is an error and never an empty list",
    wrong: (tracker) => ({
      byStates: async (states, signal) => await tracker.byStates(states, signal).catch(() => []),
    }),
  },
  "calls issues gone when its provider fails": {
    check: "a provider that does not answer is an error and never an empty list",
    wrong: (tracker) => ({
      byIds: async (ids, signal) => await tracker.byIds(ids, signal).catch(() => new Map()),
    }),
  },
  "rejects with an ordinary error": {
    check: "a provider that does not answer is an error and never an empty list",
    wrong: (tracker) => ({
      byIds: async (ids, signal) =>
        await tracker.byIds(ids, signal).catch(() => {
          throw new TypeError("fetch failed");
        }),
    }),
  },
  "returns only the first page": {
    check: "many pages are one answer, with each issue once and in the same order each time",
    wrong: (tracker) => ({
      byStates: async (states, signal) => (await tracker.byStates(states, signal)).slice(0, 50),
    }),
  },
  "returns issues twice": {
    check: "byStates returns the issues in these states, whatever the case of the letters",
    wrong: (tracker) => ({
      byStates: async (states, signal) =>
        (await tracker.byStates(states, signal)).flatMap((each) => [each, each]),
    }),
  },
  "asks for nothing": {
    check: "an empty list of states or ids makes no request",
    wrong: (tracker) => ({
      byStates: async (states, signal) =>
        await tracker.byStates(states.length === 0 ? ["todo"] : states, signal),
    }),
  },
  "leaves labels as they are": {
    check: "every field is present and normalized",
    wrong: (tracker) => ({
      byIds: async (ids, signal) =>
        new Map(
          [...(await tracker.byIds(ids, signal))].map(([id, issue]) => [
            id,
            { ...issue, labels: ["Bug", "UI"] },
          ]),
        ),
    }),
  },
  "ignores its signal": {
    check: "an aborted call rejects",
    wrong: (tracker) => ({
      byIds: async (ids) => await tracker.byIds(ids, new AbortController().signal),
    }),
  },
  "works after it was closed": {
    check: "a closed tracker refuses calls",
    wrong: () => ({ close: () => Promise.resolve() }),
  },
};

for (const [fault, { check, wrong }] of Object.entries(WRONG))
  verifies("fleet.tracker.conformance", `the checks find an adapter that ${fault}`, async () => {
    const harness = new MemoryHarness();
    const open = harness.open.bind(harness);
    harness.open = async (config) => {
      const tracker = await open(config);
      const whole: Tracker = {
        profile: tracker.profile,
        byStates: (states, signal) => tracker.byStates(states, signal),
        byIds: (ids, signal) => tracker.byIds(ids, signal),
        tools: (issue) => tracker.tools(issue),
        close: () => tracker.close(),
        [Symbol.asyncDispose]: () => tracker.close(),
      };
      return { ...whole, ...wrong(tracker) };
    };
    const found: TrackerCheck | undefined = trackerChecks.find(({ name }) => name === check);
    await expect(found?.run(harness)).rejects.toThrow(/must|differ/);
  });
