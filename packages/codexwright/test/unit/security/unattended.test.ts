import * as fc from "fast-check";
import { serverRequestHandler } from "codexwright/client";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { mcpApproval } from "../client/requests/answers-world.ts";

const METHODS = [
  "item/commandExecution/requestApproval",
  "item/fileChange/requestApproval",
  "item/permissions/requestApproval",
  "item/tool/requestUserInput",
  "mcpServer/elicitation/request",
  "execCommandApproval",
  "applyPatchApproval",
];
const FAIL = {
  onApproval: "fail",
  onPermissions: "fail",
  onUserInput: "fail",
  onElicitation: "fail",
} as const;

const id = fc.constantFrom("t1", "u1", "mcp_tool_call_approval_call", "q1", null, 7);
const label = fc.constantFrom("Allow", "Approve Once", "Approve this Session", "Cancel", "yes");
/** Params with the names that requests have, and values of any shape. */
const params = fc.oneof(
  fc.record(
    {
      threadId: id,
      turnId: id,
      itemId: id,
      conversationId: id,
      callId: id,
      kind: fc.constantFrom("command", "writeStdin", "network"),
      command: fc.oneof(fc.string(), fc.array(fc.string())),
      mode: fc.constantFrom("form", "url", "openai/form"),
      _meta: fc.constantFrom(mcpApproval._meta, {}, null),
      availableDecisions: fc.constantFrom(["accept"], ["acceptForSession"], null),
      permissions: fc.constantFrom({ network: { enabled: true } }, { fileSystem: { write: ["/"] } }, null),
      proposedExecpolicyAmendment: fc.constantFrom(["rm"], null),
      networkApprovalContext: fc.constantFrom({ host: "a", protocol: "https" }, null),
      questions: fc.array(
        fc.record({
          id,
          question: fc.string(),
          options: fc.oneof(fc.array(fc.record({ label, description: fc.string() })), fc.constant(null)),
        }),
        { maxLength: 3 },
      ),
    },
    { requiredKeys: [] },
  ),
  fc.object({ maxDepth: 2 }),
  fc.anything(),
);

/** Whether an answer lets anything happen. */
function grants(answer: unknown): boolean {
  const text = JSON.stringify(answer) ?? "";
  return /"accept|"approved|"allow|"approve|Allow|Approve|"yes"|"write"|"enabled":true|execpolicy/i.test(
    text,
  );
}

verifies(
  "security.s93",
  "handlers that are fail grant nothing, whatever the params; without them, the same requests are accepted",
  async () => {
    const never = new AbortController().signal;
    const failing = serverRequestHandler(FAIL, { acceptsUnasked: () => true, failTurn: () => {} });
    const open = serverRequestHandler({}, { acceptsUnasked: () => true });
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...METHODS), params, async (method, given) => {
        // A request that cannot be read is answered with an error, which grants nothing either.
        const ask = async (handler: typeof failing): Promise<unknown> =>
          handler(method, given, { signal: never }).catch(() => undefined);
        expect(grants(await ask(failing))).toBe(false);
        if (grants(await ask(open))) accepted++;
      }),
      { seed: 93, numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(200);
  },
);
