import { expect, test } from "vitest";
import type { ApprovalRequest, ElicitationRequest, UserInputRequest } from "codexwright/client";
import { verifies } from "@codexwright/test-support/verifies";
import { ELICITATION, PERMISSIONS, USER_INPUT, answering, ids, mcpApproval } from "./answers-world.ts";

const question = (id: string, labels?: readonly string[]) => ({
  id,
  header: "H",
  question: "Which?",
  isOther: true,
  isSecret: false,
  options: labels?.map((label) => ({ label, description: "" })) ?? null,
});
const asked = (...questions: readonly object[]) => ({
  ...ids,
  questions,
  isBlocking: true,
  autoResolutionMs: null,
});
const answers = (given: Record<string, string[]>) => ({
  answers: Object.fromEntries(Object.entries(given).map(([id, list]) => [id, { answers: list }])),
});
const NEW = ["Allow", "Allow for this session", "Allow and don't ask me again", "Cancel"];
const OLD = ["Approve Once", "Approve this Session", "Deny", "Cancel"];

verifies(
  "requests.mcp-tool",
  "converts a tool's elicitation to an approval, and remembers the decision no longer than the server offers",
  async () => {
    const seen: ApprovalRequest[] = [];
    const deciding = (decision: unknown) =>
      answering({
        onElicitation: () => ({ action: "cancel" }),
        onApproval: (request) => {
          seen.push(request);
          return decision as never;
        },
      });
    const once = { ...mcpApproval, _meta: { ...mcpApproval._meta, persist: "session" } };
    for (const [decision, params, action, _meta] of [
      ["accept", mcpApproval, "accept", null],
      ["acceptForSession", mcpApproval, "accept", { persist: "session" }],
      ["acceptAlways", mcpApproval, "accept", { persist: "always" }],
      ["acceptAlways", once, "accept", { persist: "session" }],
      ["decline", mcpApproval, "decline", null],
      ["cancel", mcpApproval, "cancel", null],
      ["approved", mcpApproval, "decline", null],
    ] as const) {
      const content = action === "accept" ? {} : null;
      expect(await deciding(decision).ask(ELICITATION, params)).toEqual({ action, content, _meta });
    }
    expect(seen[0]).toMatchObject({
      kind: "mcpTool",
      threadId: "t1",
      turnId: "u1",
      serverName: "small",
      tool: "echo",
      toolTitle: "Echo",
      arguments: { text: "hi" },
      available: ["accept", "acceptForSession", "acceptAlways", "decline", "cancel"],
    });
    expect(seen[3]?.available).toEqual(["accept", "acceptForSession", "decline", "cancel"]);
  },
);

verifies(
  ["requests.mcp-tool", "spec001.tool-approval"],
  "converts a tool's question to an approval, and answers with the matching label",
  async () => {
    const item = {
      type: "mcpToolCall",
      id: "i1",
      server: "small",
      tool: "echo",
      arguments: { a: 1 },
    } as never;
    const seen: ApprovalRequest[] = [];
    const id = "mcp_tool_call_approval_call-717";
    for (const [decision, labels, label] of [
      ["accept", OLD, "Approve Once"],
      ["acceptForSession", OLD, "Approve this Session"],
      ["acceptAlways", OLD, "Approve this Session"],
      ["decline", OLD, "Deny"],
      ["cancel", OLD, "Cancel"],
      ["accept", NEW, "Allow"],
      ["acceptForSession", NEW, "Allow for this session"],
      ["acceptAlways", NEW, "Allow and don't ask me again"],
      ["decline", NEW, "Cancel"],
      ["acceptForSession", undefined, "Approve this Session"],
    ] as const) {
      const { ask } = answering(
        {
          onApproval: (request) => {
            seen.push(request);
            return decision;
          },
        },
        { itemOf: () => item },
      );
      expect(await ask(USER_INPUT, asked(question(id, labels)))).toEqual(answers({ [id]: [label] }));
    }
    expect(seen[0]).toMatchObject({
      kind: "mcpTool",
      itemId: "i1",
      serverName: "small",
      tool: "echo",
      message: "Which?",
      available: ["accept", "acceptForSession", "decline", "cancel"],
    });
  },
);

verifies(
  "client.default-answers",
  "without a handler, the policy decides on the approval of a tool",
  async () => {
    const id = "mcp_tool_call_approval_1";
    for (const [accepts, action, label] of [
      [true, "accept", "Approve Once"],
      [false, "decline", "Deny"],
    ] as const) {
      const { ask, failures } = answering({ onUserInput: "fail" }, { accepts });
      expect(await ask(ELICITATION, mcpApproval)).toMatchObject({ action });
      expect(await ask(USER_INPUT, asked(question(id, OLD)))).toEqual(answers({ [id]: [label] }));
      expect(failures).toEqual([]);
    }
  },
);

verifies("requests.user-input", "answers questions by id, with one text or several", async () => {
  const seen: UserInputRequest[] = [];
  const { ask, warnings, controller } = answering({
    onApproval: () => "accept",
    onUserInput: async (request) => {
      seen.push(request);
      return { a: "A", b: ["B", "C"], d: "secret answer" };
    },
  });
  const approval = question("mcp_tool_call_approval_1", OLD);
  const params = asked(question("a"), approval, question("b"), question("c"));
  expect(await ask(USER_INPUT, params)).toEqual(
    answers({ a: ["A"], b: ["B", "C"], mcp_tool_call_approval_1: ["Approve Once"] }),
  );
  expect(seen[0]?.questions.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  expect(seen[0]).toMatchObject({ ...ids, isBlocking: true });
  expect(seen[0]?.signal).toBe(controller.signal);
  expect(warnings).toMatchObject([{ code: "bad_answer" }]);
  expect(JSON.stringify(warnings)).not.toContain("secret answer");
});

verifies(
  ["requests.user-input", "client.default-answers", "spec001.user-input"],
  "answers nothing without a handler, and with a fixed text for `decline`",
  async () => {
    const params = asked(question("a"), question("b"));
    expect(await answering().ask(USER_INPUT, params)).toEqual({ answers: {} });
    const nobody = "This is a non-interactive session. Operator input is unavailable.";
    expect(await answering({ onUserInput: "decline" }).ask(USER_INPUT, params)).toEqual(
      answers({ a: [nobody], b: [nobody] }),
    );
  },
);

verifies(
  "requests.fail",
  '"fail" ends the turn with the requested permissions or the elicitation, and grants nothing',
  async () => {
    const { ask, failures } = answering({ onPermissions: "fail", onElicitation: "fail" }, { accepts: true });
    const permissions = { network: { enabled: true } };
    expect(await ask(PERMISSIONS, { ...ids, permissions })).toEqual({ permissions: {} });
    const elicitation = { threadId: "t1", turnId: null, mode: "form", message: "Which?" };
    expect(await ask(ELICITATION, elicitation)).toMatchObject({ action: "cancel", content: null });
    expect(failures).toMatchObject([
      {
        threadId: "t1",
        turnId: "u1",
        error: { code: "permissions_required", request: { ...ids, permissions } },
      },
      { threadId: "t1", turnId: undefined, error: { code: "elicitation_required", request: elicitation } },
    ]);
  },
);

verifies("requests.fail", '"fail" ends the turn with the questions', async () => {
  const { ask, failures } = answering({ onUserInput: "fail" });
  expect(await ask(USER_INPUT, asked(question("a")))).toEqual({ answers: {} });
  expect(failures).toMatchObject([
    {
      threadId: "t1",
      turnId: "u1",
      error: { code: "input_required", request: { questions: [{ id: "a" }] } },
    },
  ]);
});

const form = { threadId: "t1", turnId: null, serverName: "s", mode: "form", _meta: null, message: "Which?" };

verifies(
  "requests.elicitation",
  "accepts an elicitation with content, declines it or cancels it",
  async () => {
    const seen: ElicitationRequest[] = [];
    for (const [given, wire] of [
      [
        { action: "accept", content: { a: 1 } },
        { action: "accept", content: { a: 1 }, _meta: null },
      ],
      [{ action: "accept" }, { action: "accept", content: null, _meta: null }],
      [{ action: "decline" }, { action: "decline", content: null, _meta: null }],
      [{ action: "cancel" }, { action: "cancel", content: null, _meta: null }],
    ] as const) {
      const { ask } = answering({
        onElicitation: (request) => {
          seen.push(request);
          return given;
        },
      });
      expect(await ask(ELICITATION, form)).toEqual(wire);
    }
    expect(seen[0]).toMatchObject({ mode: "form", message: "Which?", serverName: "s", turnId: null });
    expect(await answering().ask(ELICITATION, form)).toMatchObject({ action: "decline" });
  },
);

const profile = {
  network: { enabled: true },
  fileSystem: {
    read: null,
    write: ["/w/sub"],
    entries: [{ path: { type: "path", path: "/w/sub" }, access: "write" }],
  },
};
const permissions = { ...ids, environmentId: "local", cwd: "/w", reason: "why", permissions: profile };
const NOTHING = { permissions: {} };

verifies(
  "requests.permissions",
  "grants a part of the requested permissions, for the turn or the session",
  async () => {
    const grant = (answer: unknown, request: object = permissions) =>
      answering({ onPermissions: () => answer as never }).ask(PERMISSIONS, request);
    expect(await grant({ permissions: { network: { enabled: true } } })).toEqual({
      permissions: { network: { enabled: true } },
      scope: "turn",
    });
    expect(
      await grant({
        permissions: { fileSystem: { write: ["/w/sub"] } },
        scope: "session",
        strictAutoReview: true,
      }),
    ).toEqual({
      permissions: { fileSystem: { write: ["/w/sub"] } },
      scope: "session",
      strictAutoReview: true,
    });
    // The requested permissions are a valid grant, although they contain nulls in place of omitted fields.
    const disk = { ...profile, network: null };
    expect(await grant({ permissions: disk }, { ...permissions, permissions: disk })).toEqual({
      permissions: { fileSystem: profile.fileSystem },
      scope: "turn",
    });
    expect(await answering().ask(PERMISSIONS, permissions)).toEqual(NOTHING);
  },
);

test.each([
  undefined,
  "accept",
  {},
  { permissions: null },
  { permissions: { network: { enabled: "yes" } } },
  { permissions: { network: true } },
  { permissions: { fileSystem: { write: "/w" } } },
  { permissions: { disk: {} } },
  { permissions: {}, scope: "always" },
  { permissions: {}, strictAutoReview: "yes" },
])("grants nothing if the handler returns %j", async (answer) => {
  const { ask, warnings } = answering({ onPermissions: () => answer as never });
  expect(await ask(PERMISSIONS, permissions)).toEqual(NOTHING);
  expect(warnings).toMatchObject([{ code: "bad_answer" }]);
});

verifies(
  "requests.nonsense",
  "refuses with a warning if a handler throws or returns an invalid answer",
  async () => {
    const options = (run: () => never) => ({
      onPermissions: run,
      onUserInput: run,
      onElicitation: run,
    });
    const cause = new Error("lost");
    for (const [run, code] of [
      [
        (): never => {
          throw cause;
        },
        "handler_failed",
      ],
      [(): never => 1 as never, "bad_answer"],
    ] as const) {
      const { ask, warnings } = answering(options(run));
      expect(await ask(PERMISSIONS, permissions)).toEqual(NOTHING);
      expect(await ask(USER_INPUT, asked(question("a")))).toEqual({ answers: {} });
      expect(await ask(ELICITATION, form)).toMatchObject({ action: "decline" });
      expect(warnings.map((warning) => warning.code)).toEqual([code, code, code]);
    }
    const unasked = answering({ onPermissions: () => ({ permissions: { network: { enabled: true } } }) });
    const disk = { ...permissions, permissions: { ...profile, network: null } };
    expect(await unasked.ask(PERMISSIONS, disk)).toEqual(NOTHING);
  },
);
