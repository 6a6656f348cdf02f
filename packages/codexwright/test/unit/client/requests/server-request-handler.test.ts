import { expect } from "vitest";
import { isApprovalDecision, serverRequestHandler } from "codexwright/client";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { COMMAND, command, FILE_CHANGE, ids } from "./answers-world.ts";

const request = { signal: new AbortController().signal };

verifies("requests.handler", "two handlers answer the same request independently", async () => {
  const warnings: unknown[] = [];
  const accepting = serverRequestHandler({ onApproval: () => "accept" });
  const throwing = serverRequestHandler(
    {
      onApproval: () => {
        throw new Error("lost");
      },
    },
    { warn: (code, message) => warnings.push([code, message]) },
  );
  expect(await accepting(COMMAND, command, request)).toEqual({ decision: "accept" });
  expect(await throwing(COMMAND, command, request)).toEqual({ decision: "decline" });
  expect(warnings).toEqual([["handler_failed", "onApproval threw: counted as a refusal"]]);
});

verifies("requests.handler", "uses the documented defaults without handlers and hooks", async () => {
  const answer = serverRequestHandler();
  expect(await answer(FILE_CHANGE, ids, request)).toEqual({ decision: "decline" });
  const consenting = serverRequestHandler({}, { acceptsUnasked: (threadId) => threadId === ids.threadId });
  expect(await consenting(FILE_CHANGE, ids, request)).toEqual({ decision: "accept" });
  const failing = serverRequestHandler({ onApproval: "fail" });
  expect(await failing(FILE_CHANGE, ids, request)).toEqual({ decision: "cancel" });
  expect(await rejection(answer("item/tool/call", ids, request))).toMatchObject({ rpcCode: -32601 });
});

verifies(
  "requests.handler",
  "does not call a handler for a request that is withdrawn before the first answer",
  async () => {
    const withdrawn = new AbortController();
    let asked = 0;
    const answer = serverRequestHandler({
      onApproval: () => {
        asked += 1;
        return "accept";
      },
    });
    const answered = answer(COMMAND, command, withdrawn);
    withdrawn.abort();
    expect(await answered).toBeUndefined();
    expect(asked).toBe(0);
  },
);

verifies("requests.handler", "rejects unknown hooks and hooks that are not functions", () => {
  expect(() => serverRequestHandler({}, { warn: 1 } as never)).toThrow(/warn/);
  expect(() => serverRequestHandler({}, { wran: () => {} } as never)).toThrow(/nearest is "warn"/);
});

verifies("requests.handler", "isApprovalDecision checks a decision from another source by its kind", () => {
  expect(isApprovalDecision("mcpTool", "acceptAlways")).toBe(true);
  expect(isApprovalDecision("command", "acceptAlways")).toBe(false);
  expect(isApprovalDecision("command", { accept: true })).toBe(false);
});
