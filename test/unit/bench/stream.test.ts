import { describe, expect, test } from "vitest";
import { DeltaCheck, deltaText } from "../../../bench/lib/deltas.ts";
import { Checks, loadOf, threadsOf, wordOf } from "../../../bench/lib/load.ts";
import { DIALECTS } from "../../../bench/server/dialects.ts";
import { writesOf } from "../../../bench/server/stream.ts";
import { verifies } from "@codexwright/test-support/verifies";

const lines = { frame: (text: string): Buffer => Buffer.from(`${text}\n`) };
/** Reads the thread and the text from a message of each protocol. */
const PIECES: Readonly<Record<string, (message: never) => [thread: string, text: string] | undefined>> = {
  codex: ({ method, params }: Message) => delta(method, params),
  jsonrpc: ({ method, params }: Message) => delta(method, params),
  mcp: ({ params }: { params: { data: { threadId: string; delta: string } } }) => [
    params.data.threadId,
    params.data.delta,
  ],
  acp: ({ params }: { params: { sessionId: string; update: { content: { text: string } } } }) => [
    params.sessionId,
    params.update.content.text,
  ],
  exec: ({ type, item }: { type: string; item?: { text: string } }) =>
    type === "item.updated" && item ? [threadsOf(loadOf("1"))[0]?.threadId ?? "", item.text] : undefined,
};
interface Message {
  readonly method: string;
  readonly params: { readonly threadId: string; readonly delta: string };
}

function delta(method: string, params: Message["params"]): [string, string] | undefined {
  return method === "item/agentMessage/delta" ? [params.threadId, params.delta] : undefined;
}

function messagesIn(writes: readonly Buffer[]): never[] {
  const text = Buffer.concat(writes).toString("utf8").trimEnd();
  return text.split("\n").map((line) => JSON.parse(line) as never);
}

describe("a stream", () => {
  test.each(Object.keys(DIALECTS))("has the same text in the dialect %s", (name) => {
    const load = loadOf(name === "exec" ? "1x250x0x100" : "3x250x0x100");
    const dialect = DIALECTS[name];
    if (!dialect) throw new Error("there is no such dialect");
    const checks = new Checks(load);
    const pieces = messagesIn(writesOf(load, dialect, lines)).flatMap((each) => {
      const piece = PIECES[name]?.(each);
      return piece ? [piece] : [];
    });
    for (const [thread, text] of pieces) checks.take(thread, text);
    checks.complete();
    expect(pieces).toHaveLength(load.threads * load.count);
  });

  test("is split into the requested number of writes", () => {
    const { codex } = DIALECTS;
    if (!codex) throw new Error("there is no such dialect");
    const framing = 4;
    expect(writesOf(loadOf("1x250x0x100"), codex, lines)).toHaveLength(3 + framing);
    expect(writesOf(loadOf("1x250x0x1"), codex, lines)).toHaveLength(250 + framing);
  });

  test("is summarized in one word", () => {
    const load = { threads: 100, count: 2_000, length: 0, batch: 1_000 };
    expect(loadOf(wordOf(load))).toEqual(load);
  });
});

describe("a check", () => {
  verifies("bench.fair", "throws if text is lost, duplicated or out of order", () => {
    const check = new DeltaCheck(3);
    check.take(deltaText(0) + deltaText(1));
    expect(() => check.complete()).toThrow("2 of 3 pieces came");
    expect(() => check.take(deltaText(1))).toThrow("piece 2 was expected, but 1 came");
    check.take(deltaText(2));
    check.complete();
  });

  test("of a long text counts its characters", () => {
    const load = loadOf("1x1x10x1");
    const checks = new Checks(load);
    const { threadId } = threadsOf(load)[0] ?? { threadId: "" };
    checks.take(threadId, "12345");
    expect(() => checks.complete()).toThrow("5 of 10 characters came");
    checks.take(threadId, "67890");
    checks.complete();
    expect(() => checks.take("another", "")).toThrow("no text is expected for thread another");
  });
});
