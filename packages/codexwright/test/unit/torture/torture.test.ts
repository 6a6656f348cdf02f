import { describe, expect } from "vitest";
import { CodexClient, type Turn, type TurnResult } from "codexwright";
import type { WireStep } from "@codexwright/testing";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { accepted, completed, ids, message, note, running } from "../client/fake-turn.ts";
import { STDIO, WS, type Carrier } from "./carriers.ts";

const TORTURE: VerifiesOptions = { against: "fake", timeoutMs: 60_000 };
const said = (delta: string): WireStep => note("item/agentMessage/delta", { ...ids, itemId: "a", delta });
const begun: readonly WireStep[] = [
  accepted,
  running,
  note("item/started", { ...ids, item: { type: "agentMessage", id: "a", text: "", phase: null } }),
];
const ended = (text: string): WireStep[] => [message("a", text), completed("completed")];

/** Runs one turn over a carrier and returns its outcome. */
async function play<T>(
  carrier: Carrier,
  script: readonly WireStep[],
  use: (turn: Turn, codex: CodexClient) => Promise<T>,
  options: { readonly onApproval?: () => Promise<"accept"> } = {},
): Promise<T> {
  await using served = await carrier.serve(script);
  await using codex = await CodexClient.connect({ ...served.options, ...options });
  return await use(codex.thread("t1").turn("go"), codex);
}

async function deltas(turn: Turn): Promise<string> {
  let text = "";
  for await (const event of turn) if (event.method === "item/agentMessage/delta") text += event.params.delta;
  return text;
}

const result = (turn: Turn): Promise<TurnResult> => turn.completed;

describe.each([STDIO, WS])("over $name", (carrier) => {
  verifies(
    "torture.text",
    `over ${carrier.name}: U+2028 and U+2029 in a delta arrive unchanged`,
    async () => {
      const text = "a\u2028b\u2029c\u0085d";
      // As the real server writes them: raw, not escaped.
      expect(await play(carrier, [...begun, said(text), ...ended(text)], deltas)).toBe(text);
    },
    TORTURE,
  );

  verifies(
    "torture.text",
    `over ${carrier.name}: characters that are split between their bytes arrive whole`,
    async () => {
      const text = 'ä€😀"\\\u2028';
      const line = JSON.stringify({
        method: "item/agentMessage/delta",
        params: { ...ids, itemId: "a", delta: text },
      });
      const bytes = [...new TextEncoder().encode(carrier.name === "stdio" ? `${line}\n` : line)];
      const script = [...begun, { chunks: bytes.map((byte) => [byte]) }, ...ended(text)];
      expect(await play(carrier, script, deltas)).toBe(text);
    },
    TORTURE,
  );

  verifies(
    "torture.early",
    `over ${carrier.name}: events before the answer to turn/start are not lost`,
    async () => {
      const script: WireStep[] = [
        { on: "turn/start" },
        running,
        said("early"),
        { answer: "turn/start", result: { turn: { id: "u1", status: "inProgress", items: [] } } },
        ...ended("early"),
      ];
      expect(await play(carrier, script, deltas)).toBe("early");
    },
    TORTURE,
  );

  verifies(
    "torture.approval",
    `over ${carrier.name}: deltas arrive while an approval is open, and its answer is sent`,
    async () => {
      const seen = deferred();
      const script: WireStep[] = [
        ...begun,
        {
          send: {
            id: 0,
            method: "item/commandExecution/requestApproval",
            params: { ...ids, itemId: "c", command: "ls" },
          },
        },
        said("meanwhile"),
        { answered: 0 },
        ...ended("meanwhile"),
      ];
      const use = async (turn: Turn): Promise<TurnResult> => {
        for await (const event of turn) if (event.method === "item/agentMessage/delta") seen.resolve();
        return await turn.completed;
      };
      const onApproval = (): Promise<"accept"> => seen.promise.then(() => "accept");
      expect((await play(carrier, script, use, { onApproval })).agentMessage).toBe("meanwhile");
    },
    TORTURE,
  );

  verifies(
    "torture.crash",
    `over ${carrier.name}: a crash in the middle of a turn rejects it after the earlier events`,
    async () => {
      const script: WireStep[] = [...begun, said("half"), { kill: "SIGKILL" }];
      const seen: string[] = [];
      const error = await play(carrier, script, (turn) =>
        rejection(
          (async () => {
            for await (const event of turn) seen.push(event.method);
          })(),
        ),
      );
      expect(error).toMatchObject({ code: "connection_closed", delivery: "unknown" });
      expect(seen).toContain("item/agentMessage/delta");
    },
    TORTURE,
  );

  verifies(
    "torture.bad-line",
    `over ${carrier.name}: malformed lines and stray log lines become warnings`,
    async () => {
      const warnings: unknown[] = [];
      const script: WireStep[] = [
        ...begun,
        { raw: "INFO starting up\n" },
        said("on"),
        { raw: '{"method":\n' },
        { raw: "[1,2]\n" },
        ...ended("on"),
      ];
      const use = (turn: Turn, codex: CodexClient): Promise<string> => {
        codex.on("warning", (warning) => warnings.push(warning));
        return deltas(turn);
      };
      expect(await play(carrier, script, use)).toBe("on");
      expect(warnings.length).toBe(3);
    },
    TORTURE,
  );

  verifies(
    "torture.unknown",
    `over ${carrier.name}: unknown items and notifications pass through`,
    async () => {
      const item = { type: "hologram", id: "h", beams: 3 };
      const script: WireStep[] = [
        ...begun,
        note("item/completed", { ...ids, item }),
        note("item/hologram/flicker", { ...ids, itemId: "h" }),
        ...ended("seen"),
      ];
      const { items, agentMessage } = await play(carrier, script, result);
      expect(items).toContainEqual(item);
      expect(agentMessage).toBe("seen");
    },
    TORTURE,
  );

  verifies(
    "torture.overload",
    `over ${carrier.name}: a request rejected twice with -32001 is sent a third time`,
    async () => {
      const error = { code: -32001, message: "Server overloaded; retry later." };
      await using served = await carrier.serve([
        { on: "thread/start", error },
        { on: "thread/start", error },
        { on: "thread/start", result: { thread: { id: "t1" }, model: "m" } },
      ]);
      await using codex = await CodexClient.connect(served.options);
      expect((await codex.startThread()).id).toBe("t1");
    },
    TORTURE,
  );

  verifies(
    "torture.long-line",
    `over ${carrier.name}: a message of 32 MB arrives whole`,
    async () => {
      const length = 32 * 1024 * 1024;
      const { agentMessage } = await play(carrier, [...begun, ...ended("x".repeat(length))], result);
      expect(agentMessage.length).toBe(length);
    },
    TORTURE,
  );

  verifies(
    "torture.stalled",
    `over ${carrier.name}: a consumer that stalls for 500,000 deltas receives all of their text`,
    async () => {
      const count = 500_000;
      const script: WireStep[] = [
        ...begun,
        {
          send: { method: "item/agentMessage/delta", params: { ...ids, itemId: "a", delta: "x" } },
          repeat: count,
        },
        ...ended("x"),
      ];
      const use = async (turn: Turn): Promise<number> => {
        const iterator = turn[Symbol.asyncIterator]();
        await iterator.next();
        // Reads nothing until everything has arrived.
        await turn.completed;
        let length = 0;
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
          if (next.value.method === "item/agentMessage/delta") length += next.value.params.delta.length;
        }
        return length;
      };
      expect(await play(carrier, script, use)).toBe(count);
    },
    TORTURE,
  );
});

verifies(
  "torture.stderr",
  "5 MB on stderr do not block anything",
  async () => {
    const noise: WireStep[] = Array.from({ length: 80 }, () => ({ stderr: `${"e".repeat(65_535)}\n` }));
    expect(await play(STDIO, [...begun, ...noise, said("on"), ...ended("on")], deltas)).toBe("on");
  },
  TORTURE,
);
