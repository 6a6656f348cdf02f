import { CodexClient } from "codexwright";
import { wireScript } from "@codexwright/testing";
import fc from "fast-check";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { accepted, completed, FAKE, note, running } from "../fake-turn.ts";
import { QuickLines } from "../../../../src/client/connection/quick-lines.ts";

const METHOD = "item/agentMessage/delta";
const everything = { listens: () => true, follows: () => true, followsAny: () => true };
const nothing = { listens: () => false, follows: () => false, followsAny: () => false };

const ids = { threadId: "t1", turnId: "u1", itemId: "i1" };
const line = (params: object, rest: object = { emittedAtMs: 5 }): string =>
  JSON.stringify({ method: METHOD, params, ...rest });

verifies("client.quick-lines", "reads a delta with the same result as the parser", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom('"', "\\", "\n", "\u2028", "“}", '"}}'),
  );
  const id = fc.oneof({ weight: 9, arbitrary: fc.uuid() }, text);
  const message = fc.record(
    {
      method: fc.constantFrom(METHOD, "item/reasoning/textDelta", "x/y", "a b"),
      params: fc
        .tuple(
          fc.record({ threadId: id, turnId: id, itemId: id, delta: text }),
          fc.constantFrom({}, {}, { summaryIndex: 0 }, { contentIndex: 12 }, { other: 1 }, { delta: 7 }),
        )
        .map(([params, more]) => ({ ...params, ...more })),
      emittedAtMs: fc.nat(),
    },
    { requiredKeys: ["method", "params"] },
  );
  const lines = new QuickLines(everything);
  let quick = 0;
  fc.assert(
    fc.property(message, (value) => {
      const wire = JSON.stringify(value);
      const read = lines.read(wire);
      if (read) quick++;
      if (read !== undefined) expect(read).toStrictEqual(JSON.parse(wire));
    }),
    { numRuns: 1_000, seed: 8 },
  );
  expect(quick).toBeGreaterThan(100);
});

verifies("client.quick-lines", "distinguishes items that stream at the same time", () => {
  const lines = new QuickLines(everything);
  for (let n = 0; n < 3_000; n++) {
    const params = { ...ids, itemId: `i${n % 1_500}`, delta: `piece ${n}` };
    expect(lines.read(line(params))).toStrictEqual({ method: METHOD, params, emittedAtMs: 5 });
  }
});

verifies("client.quick-lines", "passes every line that is not a plain delta to the parser", () => {
  const good = line({ ...ids, delta: "text" });
  const lines = new QuickLines(everything);
  expect(lines.read(good)).toBeTruthy();
  for (const other of [
    good.slice(0, -1),
    `${good} `,
    good.replace("text", 'te"xt'),
    good.replace("text", "te\u0001xt"),
    good.replace("text", "te\\"),
    good.replace("text", String.raw`te\xt`),
    good.replace("text", String.raw`te\u12g4`),
    good.replace(":5}", ":05}"),
    good.replace(":5}", ":5.5}"),
    good.replace(":5}", ":5,}"),
    line({ ...ids, delta: "text" }, { id: 3 }),
    line({ delta: "text", ...ids }),
    line({ ...ids, delta: "x".repeat(10_000) }),
    '{"method":"turn/started","params":{"threadId":"t1"}}',
    "not JSON",
    "",
  ]) {
    expect(lines.read(other)).toBeUndefined();
  }
});

verifies("client.quick-lines", "reads only the method of a message that no listener or thread needs", () => {
  const lines = new QuickLines(nothing);
  expect(lines.read(line({ ...ids, delta: "text" }))).toBeNull();
  expect(lines.read('{"method":"item/completed","params":{"item":{')).toBeNull();
  expect(lines.read('{"method":"codex/event/agent_message_delta","params":{"id":"0"')).toBeNull();
  for (const method of ["turn/started", "thread/deleted", "serverRequest/resolved", "some/request"]) {
    expect(lines.read(`{"method":"${method}","params":{"threadId":"t1"}}`)).toBeUndefined();
  }
  expect(lines.read('{"id":0,"result":{}}')).toBeUndefined();
});

verifies("client.quick-lines", "reads a line if its method has a listener or its thread is followed", () => {
  const delta = line({ ...ids, delta: "text" });
  expect(new QuickLines({ ...nothing, listens: (method) => method === METHOD }).read(delta)).toBeTruthy();
  const following = new QuickLines({ ...nothing, follows: (id) => id === "t1", followsAny: () => true });
  expect(following.read(delta)).toBeTruthy();
  expect(following.read(line({ ...ids, threadId: "t2", delta: "text" }))).toBeNull();
  expect(following.read('{"method":"item/completed","params":{"item":{}}}')).toBeUndefined();
  expect(following.read('{"method":"codex/event/task_started","params":{"id":"0"')).toBeNull();
});

verifies(
  "client.quick-lines",
  "a client that drives a thread only by requests parses only the messages that it listens to",
  async () => {
    const fake = wireScript({
      script: [
        accepted,
        running,
        { raw: `{"method":"item/started","params":{"item":broken}}` },
        note(METHOD, { ...ids, delta: "seen" }),
        completed("completed"),
        // A request whose id is at the end of the line. The client would not read the id if it skipped the line.
        { raw: '{"method":"item/commandExecution/requestApproval","params":{"threadId":"t1"},"id":7}' },
        { answered: 7 },
        { on: "model/list", result: { data: [] } },
      ],
    });
    await using codex = await CodexClient.connect({ transport: fake.transport });
    const warnings: unknown[] = [];
    codex.on("warning", (warning) => warnings.push(warning));
    const seen: string[] = [];
    codex.onNotification(METHOD, ({ delta }) => seen.push(delta));
    await codex.request("turn/start", { threadId: "t1", input: [] });
    await codex.request("model/list", {});
    expect({ seen, warnings }).toEqual({ seen: ["seen"], warnings: [] });
    expect(codex.thread("t1").state.turns).toEqual([]);
  },
  FAKE,
);
