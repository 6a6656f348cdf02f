import { existsSync } from "node:fs";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { wireScript, type WireStep } from "@codexwright/testing";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";

const FAKE: VerifiesOptions = { against: "fake" };

const SCRIPT: readonly WireStep[] = [
  { on: "model/list" },
  { send: { id: "q", method: "currentTime/read", params: { threadId: "t" } } },
  { answered: "q" },
  { send: { method: "skills/changed", params: { n: "$n" } }, repeat: 2_500 },
  { answer: "model/list", result: { data: [], nextCursor: null } },
  { on: "thread/list", error: { code: -32600, message: "no" } },
  { exit: 7 },
];

verifies(
  "testing.wire-script",
  "the same script plays in memory and as an executable",
  async () => {
    using fake = wireScript({ script: SCRIPT });
    for (const where of [{ transport: fake.transport }, { codexPath: fake.executable }]) {
      const codex = await CodexClient.connect(where);
      const numbers: unknown[] = [];
      const exit = deferred();
      codex.onNotification("skills/changed", (params) => numbers.push((params as { n?: unknown }).n));
      codex.on("exit", () => exit.resolve());
      expect(await codex.request("model/list", {})).toEqual({ data: [], nextCursor: null });
      expect(numbers).toHaveLength(2_500);
      expect(numbers.at(-1)).toBe("2499");
      expect(await rejection(codex.request("thread/list", {}))).toMatchObject({ rpcCode: -32600 });
      await exit.promise;
      await codex.disconnect();
    }
    expect(fake.received.map(({ method, id }) => method ?? id)).toEqual([
      "initialize",
      "initialized",
      "codexwright/methods",
      "model/list",
      "q",
      "thread/list",
    ]);
  },
  FAKE,
);

verifies(
  "testing.wire-script",
  "disposal removes the executable and reports a script that could not be played",
  async () => {
    const fake = wireScript({ script: [{ answer: "model/list", result: {} }] });
    const file = fake.executable;
    expect(existsSync(file)).toBe(true);
    const codex = new CodexClient({ transport: fake.transport });
    const exit = deferred();
    codex.on("exit", () => exit.resolve());
    await codex.connect();
    await exit.promise;
    expect(() => fake[Symbol.dispose]()).toThrow("script cannot be played");
    expect(existsSync(file)).toBe(false);
    await codex.disconnect();
  },
  FAKE,
);
