import { expectTypeOf, test } from "vitest";
import type {
  ApprovalDecision,
  ApprovalRequest,
  ApprovalRequiredError,
  CommandApproval,
  FileChangeApproval,
  InputRequiredError,
  McpToolApproval,
  protocol,
  ServerRequestOptions,
  UserInputRequest,
} from "codexwright";

function options(given: ServerRequestOptions): void {
  void given;
}

test("approvals narrow by kind, each with its decisions", () => {
  options({
    onApproval: (request) => {
      switch (request.kind) {
        case "command":
          expectTypeOf(request).toEqualTypeOf<CommandApproval>();
          expectTypeOf(request.available).toEqualTypeOf<readonly ApprovalDecision<CommandApproval>[]>();
          expectTypeOf(request.script).toEqualTypeOf<string | undefined>();
          return request.proposedExecpolicyAmendment
            ? { acceptWithExecpolicyAmendment: { execpolicy_amendment: request.proposedExecpolicyAmendment } }
            : "accept";
        case "network":
          expectTypeOf(request.host).toEqualTypeOf<string>();
          return request.available[0] ?? "decline";
        case "fileChange":
          expectTypeOf(request.changes).toEqualTypeOf<readonly protocol.FileUpdateChange[] | undefined>();
          return "cancel";
        case "mcpTool":
          return "acceptAlways";
        default:
          return request satisfies never;
      }
    },
  });
  expectTypeOf<ApprovalDecision<FileChangeApproval>>().toEqualTypeOf<
    "accept" | "acceptForSession" | "decline" | "cancel"
  >();
  expectTypeOf<"acceptAlways">().toExtend<ApprovalDecision<McpToolApproval>>();
  expectTypeOf<"acceptAlways">().not.toExtend<ApprovalDecision<CommandApproval>>();
  // @ts-expect-error -- a decision of the v1 approvals
  options({ onApproval: () => "approved" });
  // @ts-expect-error -- there is no decision
  options({ onApproval: () => {} });
});

test("a handler is a function that returns its own kind of answer, or a fixed word", () => {
  expectTypeOf({ onApproval: "fail", onUserInput: "decline" } as const).toExtend<ServerRequestOptions>();
  options({ onUserInput: "fail", onApproval: undefined });
  options({ onPermissions: "fail", onElicitation: "fail" });
  // @ts-expect-error -- only questions of the model can be declined by a word
  options({ onElicitation: "decline" });
  options({
    onUserInput: async ({ questions }) => Object.fromEntries(questions.map(({ id }) => [id, ["yes"]])),
    onPermissions: ({ permissions }) => ({ permissions, scope: "session" }),
    onElicitation: (request) =>
      request.mode === "url" ? { action: "decline" } : { action: "accept", content: { a: 1 } },
    refreshTokens: () => ({ accessToken: "x", chatgptAccountId: "a" }),
    onAttestation: ({ signal }) => String(signal.aborted),
    clock: () => new Date(),
  });
  options({ refreshTokens: () => ({ accessToken: "x", idToken: "i" }) });
  // @ts-expect-error -- there is no such word
  options({ onUserInput: "accept" });
  // @ts-expect-error -- tokens need their account
  options({ refreshTokens: () => ({ accessToken: "x" }) });
});

test('the errors of "fail" have the request', () => {
  expectTypeOf<ApprovalRequiredError["request"]>().toEqualTypeOf<ApprovalRequest>();
  expectTypeOf<InputRequiredError["request"]>().toEqualTypeOf<UserInputRequest>();
  expectTypeOf<ApprovalRequiredError["code"]>().toEqualTypeOf<"approval_required">();
});
