import * as fc from "fast-check";
import { expect } from "vitest";
import { itemFromRollout, itemToRollout, parseRecord, RolloutFold } from "@codexwright/engine/internal";
import type { Settings } from "@codexwright/engine";
import type { ThreadItem } from "codexwright/protocol";
import { verifies } from "@codexwright/test-support/verifies";

const DEFAULTS: Settings = {
  model: "m",
  modelProvider: "p",
  cwd: "/",
  roots: ["/"],
  approvalPolicy: "on-request",
  approvalsReviewer: "user",
  sandbox: { type: "readOnly", networkAccess: false },
  permissions: null,
  effort: null,
  summary: null,
  personality: null,
  collaborationMode: null,
};

const TYPES = ["session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"];
const EVENTS = [
  "task_started",
  "task_complete",
  "turn_aborted",
  "item_completed",
  "token_count",
  "user_message",
];
const KEYS = [
  "id",
  "turn_id",
  "item",
  "error",
  "info",
  "codexwright",
  "replacement_history",
  "message",
  "content",
  "sandbox_policy",
  "approval_policy",
  "cwd",
  "roots",
  "runtime_workspace_roots",
  "base_instructions",
  "git",
  "source",
  "changes",
  "command",
];

/** JSON values that look like payloads, with values of any type. */
const payload = fc.dictionary(
  fc.constantFrom(...KEYS),
  fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(...EVENTS, "CommandExecution"),
    fc.record({ type: fc.constantFrom("UserMessage", "FileChange", "CommandExecution", "__proto__") }),
    fc.record({
      type: fc.constantFrom("CommandExecution", "FileChange"),
      id: fc.jsonValue(),
      changes: fc.jsonValue(),
    }),
  ),
);
const line = fc.oneof(
  fc.string(),
  fc.json(),
  fc
    .record({
      type: fc.constantFrom(...TYPES),
      ordinal: fc.oneof(fc.nat(), fc.jsonValue()),
      timestamp: fc.oneof(fc.string(), fc.jsonValue()),
      payload: fc.tuple(payload, fc.constantFrom(...EVENTS)).map(([rest, type]) => ({ ...rest, type })),
    })
    .map((record) => JSON.stringify(record)),
);

verifies(
  "engine.records.tolerant",
  "any lines lead to a thread, and turns have unique, ascending ordinals",
  () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const fold = new RolloutFold(DEFAULTS);
        for (const text of lines) {
          const record = parseRecord(text, fold.next);
          if (record) fold.add(record);
        }
        const thread = fold.thread("00000000-0000-7000-8000-000000000000");
        const ordinals = thread.turns.map(({ ordinal }) => ordinal);
        expect(ordinals).toEqual([...new Set(ordinals)].toSorted((a, b) => a - b));
        expect(thread.turns.every(({ status }) => status !== "inProgress")).toBe(true);
        expect(typeof thread.settings.cwd).toBe("string");
        expect(JSON.stringify(thread)).toContain("history");
      }),
      { seed: 7, numRuns: 400 },
    );
  },
);

const text = fc.string({ unit: "grapheme" });
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);
const times = { startedAtMs: fc.nat(), completedAtMs: fc.nat() };
const command = fc.record({
  type: fc.constant("commandExecution"),
  id: text,
  pluginId: fc.constant(null),
  scriptPath: fc.constant(null),
  command: fc.oneof(
    text,
    text.map((script) => `/bin/bash -lc '${script.replaceAll("'", "")}'`),
  ),
  cwd: fc.constantFrom("/", "/work", "/a b/ü%20#?"),
  processId: nullable(fc.constantFrom("12", "x")),
  source: fc.constantFrom("agent", "userShell", "unifiedExecStartup"),
  status: fc.constantFrom("completed", "failed", "declined"),
  commandActions: fc.constantFrom(
    [],
    [{ type: "unknown", command: "x" }],
    [{ type: "listFiles", command: "ls", path: null }],
  ),
  aggregatedOutput: nullable(fc.constantFrom("out\n")),
  exitCode: nullable(fc.integer()),
  durationMs: nullable(fc.nat()),
  ...times,
});
const items = fc.oneof(
  fc.record({
    type: fc.constant("agentMessage"),
    id: text,
    text,
    phase: fc.constantFrom(null, "commentary"),
    memoryCitation: fc.constant(null),
    delivery: fc.constant(null),
    questions: fc.constant(null),
    ...times,
  }),
  fc.record({
    type: fc.constant("reasoning"),
    id: text,
    summary: fc.array(text),
    content: fc.array(text),
    ...times,
  }),
  fc.record({
    type: fc.constant("userMessage"),
    id: text,
    clientId: nullable(fc.constant("c")),
    content: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant("text"), text, text_elements: fc.constant([]) }),
        fc.record({
          type: fc.constant("localImage"),
          detail: fc.constant(null),
          path: fc.constant("/a.png"),
        }),
      ),
    ),
    ...times,
  }),
  fc.record({
    type: fc.constant("fileChange"),
    id: text,
    status: fc.constantFrom("completed", "declined"),
    changes: fc.array(
      fc.record({
        path: text,
        kind: fc.constantFrom({ type: "add" }, { type: "update", move_path: null }),
        diff: text,
      }),
    ),
    ...times,
  }),
  fc.record({ type: fc.constant("somethingNew"), id: text, someField: fc.jsonValue(), ...times }),
  command,
);

verifies("engine.records.round-trip", "an item that is written and read again is the same", () => {
  fc.assert(
    fc.property(items, (item) => {
      const written: unknown = JSON.parse(JSON.stringify(itemToRollout(item as unknown as ThreadItem)));
      expect(itemFromRollout(written as Record<string, unknown>)).toEqual(JSON.parse(JSON.stringify(item)));
    }),
    { seed: 7, numRuns: 400 },
  );
});
