import { expect } from "vitest";
import { memoryKind, TRACKER_KINDS, trackerKind } from "@codexwright/orchestrator/internal";
import {
  MemoryIssues,
  memoryTracker,
  TrackerError,
  type TrackerConfig,
} from "@codexwright/orchestrator/tracker";
import { verifies } from "@codexwright/test-support/verifies";

const NEVER = new AbortController().signal;
const CONFIG: TrackerConfig = {
  provider: {},
  activeStates: ["todo"],
  terminalStates: ["done"],
  folder: "/",
  warn: () => {},
};

verifies("fleet.tracker.memory", "a program changes issues while the tracker is open", async () => {
  const issues = new MemoryIssues([{ identifier: "A", title: "T", state: "todo", labels: [" Bug ", "bug"] }]);
  const tracker = await memoryTracker(issues).open(CONFIG);
  const [first] = await tracker.byStates(["TODO"], NEVER);
  expect(first).toMatchObject({ id: "A", labels: ["bug"], dispatchable: true });
  issues.put({
    identifier: "B",
    title: "T",
    state: "todo",
    blocked_by: [{ id: "A", identifier: null, state: null }],
  });
  expect((await tracker.byIds(new Set(["B"]), NEVER)).get("B")).toMatchObject({
    dispatchable: false,
    blocked_by: [{ id: "A", identifier: "A", state: "todo" }],
  });
  issues.change("A", { state: "done" });
  expect((await tracker.byIds(new Set(["B"]), NEVER)).get("B")?.dispatchable).toBe(true);
  expect(first?.state).toBe("todo");
  issues.remove("A");
  expect(await tracker.byIds(new Set(["A"]), NEVER)).toEqual(new Map());
  expect(() => issues.change("A", {})).toThrow(TrackerError);
});

verifies(
  ["fleet.tracker.memory", "symphony.17.3.native-ref"],
  "other ids of the provider stay as they were given",
  async () => {
    const native_ref = { item: "PVTI_x", issue: { node: "I_y", number: 7 } };
    const issues = new MemoryIssues([{ identifier: "A", title: "T", state: "todo", native_ref }]);
    const tracker = await memoryTracker(issues).open(CONFIG);
    const [listed] = await tracker.byStates(["todo"], NEVER);
    const fresh = (await tracker.byIds(new Set(["A"]), NEVER)).get("A");
    expect([listed?.native_ref, fresh?.native_ref]).toEqual([native_ref, native_ref]);
  },
);

verifies("fleet.tracker.memory", "calls fail and wait when the program says so", async () => {
  const issues = new MemoryIssues([{ identifier: "A", title: "T", state: "todo" }]);
  const tracker = await memoryTracker(issues).open(CONFIG);
  issues.failNext(new TrackerError("tracker_status", "503"), "byIds");
  issues.failNext(new TrackerError("tracker_request", "reset"));
  await expect(tracker.byStates(["todo"], NEVER)).rejects.toThrow("reset");
  expect(await tracker.byStates(["todo"], NEVER)).toHaveLength(1);
  await expect(tracker.byIds(new Set(["A"]), NEVER)).rejects.toThrow("503");

  const held = issues.holdNext("byStates");
  const call = tracker.byStates(["todo"], NEVER);
  await held.arrived;
  issues.put({ identifier: "B", title: "T", state: "todo" });
  held.release();
  expect(await call).toHaveLength(2);

  const stuck = issues.holdNext("byIds");
  const stop = new AbortController();
  const aborted = tracker.byIds(new Set(["A"]), stop.signal);
  await stuck.arrived;
  stop.abort(new Error("stopped"));
  await expect(aborted).rejects.toThrow("stopped");
});

verifies("fleet.tracker.memory", "issues can be written in the provider's settings", async () => {
  const issue = {
    identifier: "A",
    title: "T",
    state: "todo",
    labels: ["X", 1],
    priority: "high",
    blocked_by: ["B"],
  };
  const tracker = await memoryKind.open({ ...CONFIG, provider: { issues: [issue] } });
  expect(await tracker.byStates(["todo"], NEVER)).toMatchObject([
    { id: "A", labels: ["x"], priority: null, dispatchable: false },
  ]);
  expect(memoryKind.check({})).toEqual([]);
  expect(memoryKind.check({ issues: [issue, { title: "T" }, null] })).toHaveLength(5);
  expect(memoryKind.check({ issues: "none" })).toEqual(["issues must be a list"]);
});

verifies(
  ["fleet.tracker.kinds", "symphony.17.1.kind", "symphony.17.3.errors"],
  "an unknown kind is an error that lists the known ones",
  () => {
    expect(TRACKER_KINDS.map(({ profile }) => profile.kind)).toEqual(["folder", "memory"]);
    for (const kind of ["", "Folder", "jira2", "__proto__"])
      expect(() => trackerKind(kind)).toThrow(
        expect.objectContaining({
          code: "unsupported_tracker_kind",
          message: expect.stringContaining("folder, memory"),
        }),
      );
    const own = memoryTracker(new MemoryIssues());
    expect(trackerKind("memory", [own])).toBe(own);
    expect(trackerKind("folder", [own]).profile.kind).toBe("folder");
  },
);
