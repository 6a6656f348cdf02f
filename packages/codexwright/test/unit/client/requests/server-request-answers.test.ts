import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { answering } from "./answers-world.ts";

const REFRESH = "account/chatgptAuthTokens/refresh";
const refresh = { reason: "unauthorized", previousAccountId: "a" };

verifies(
  "requests.tokens",
  "answers requests for tokens, an attestation or the time from the options",
  async () => {
    const seen: unknown[] = [];
    const tokens = { accessToken: "x", chatgptAccountId: "a", chatgptPlanType: null };
    const { ask, warnings } = answering({
      refreshTokens: async ({ reason, previousAccountId }) => {
        seen.push(reason, previousAccountId);
        return tokens;
      },
      onAttestation: () => "token",
      clock: () => new Date(1_781_717_655_900),
    });
    expect(await ask(REFRESH, refresh)).toEqual(tokens);
    expect(seen).toEqual(["unauthorized", "a"]);
    expect(await ask("attestation/generate", {})).toEqual({ token: "token" });
    expect(await ask("currentTime/read", { threadId: "t1" })).toEqual({ currentTimeAt: 1_781_717_655 });
    expect(await answering({ clock: () => 5_999 }).ask("currentTime/read", {})).toEqual({ currentTimeAt: 5 });
    const old = { idToken: "i", accessToken: "x" };
    expect(await answering({ refreshTokens: () => old }).ask(REFRESH, refresh)).toEqual(old);
    expect(warnings).toEqual([]);
  },
);

verifies(
  ["requests.tokens", "client.default-answers"],
  "without the options, answers requests for tokens or an attestation with errors, and those for the time from the local clock",
  async () => {
    const { ask } = answering();
    expect(await rejection(ask(REFRESH, refresh))).toMatchObject({ rpcCode: -32603 });
    expect(await rejection(ask("attestation/generate", {}))).toMatchObject({ rpcCode: -32603 });
    const before = Math.floor(Date.now() / 1000);
    const { currentTimeAt } = (await ask("currentTime/read", {})) as { currentTimeAt: number };
    expect(currentTimeAt).toBeGreaterThanOrEqual(before);
    expect(Number.isInteger(currentTimeAt)).toBe(true);
  },
);

verifies(
  "requests.nonsense",
  "if an option returns an invalid token, answers with an error; if it returns an invalid time, uses the local clock; reveals neither",
  async () => {
    const { ask, warnings } = answering({
      refreshTokens: () => ({ accessToken: "hush", chatgptAccountId: 1 }) as never,
      onAttestation: () => ({ hush: 1 }) as never,
      clock: () => new Date(Number.NaN),
    });
    expect(await rejection(ask(REFRESH, refresh))).toMatchObject({ rpcCode: -32603 });
    expect(await rejection(ask("attestation/generate", {}))).toMatchObject({ rpcCode: -32603 });
    expect(await ask("currentTime/read", {})).toMatchObject({ currentTimeAt: expect.any(Number) as number });
    expect(warnings.map(({ code }) => code)).toEqual(["bad_answer", "bad_answer", "bad_answer"]);
    expect(JSON.stringify(warnings)).not.toContain("hush");
    const fail = (): never => {
      throw new Error("lost");
    };
    const failing = answering({ refreshTokens: fail, onAttestation: fail, clock: fail });
    expect(await rejection(failing.ask(REFRESH, refresh))).toMatchObject({ rpcCode: -32603 });
    expect(await rejection(failing.ask("attestation/generate", {}))).toMatchObject({ rpcCode: -32603 });
    await failing.ask("currentTime/read", {});
    expect(failing.warnings.map(({ code }) => code)).toEqual([
      "handler_failed",
      "handler_failed",
      "handler_failed",
    ]);
  },
);

verifies("client.default-answers", "answers tool calls and unknown methods with -32601", async () => {
  const { ask } = answering();
  expect(await rejection(ask("item/tool/call", { tool: "x" }))).toMatchObject({ rpcCode: -32601 });
  expect(await rejection(ask("skill/requestApproval", {}))).toMatchObject({ rpcCode: -32601 });
});
