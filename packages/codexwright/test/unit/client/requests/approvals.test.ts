import { expect, test } from "vitest";
import type { ApprovalRequest } from "codexwright/client";
import { verifies } from "@codexwright/test-support/verifies";
import { COMMAND, FILE_CHANGE, command, answering, ids } from "./answers-world.ts";

/** A handler that returns this decision and records the request. */
function deciding(decision: unknown) {
  const seen: ApprovalRequest[] = [];
  const onApproval = (request: ApprovalRequest): never => {
    seen.push(request);
    return decision as never;
  };
  return { seen, onApproval };
}

const AMENDMENT = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch"] } };
const HOST = {
  applyNetworkPolicyAmendment: { network_policy_amendment: { host: "x.test", action: "allow" } },
};

test.each(["accept", "acceptForSession", "decline", "cancel", AMENDMENT])(
  "accepts the decision %j for a command",
  async (decision) => {
    const { ask, warnings } = answering(deciding(decision));
    expect(await ask(COMMAND, command)).toEqual({ decision });
    expect(warnings).toEqual([]);
  },
);

verifies(
  "requests.command",
  "a command approval contains all known fields and the server's suggested decisions",
  async () => {
    const { seen, onApproval } = deciding("decline");
    const { ask, controller } = answering({ onApproval });
    await ask(COMMAND, command);
    expect(seen).toEqual([
      {
        ...ids,
        kind: "command",
        commandKind: "command",
        reason: "need",
        command: "/bin/bash -lc 'touch a'",
        script: "touch a",
        cwd: "/w",
        commandActions: command.commandActions,
        proposedExecpolicyAmendment: ["touch", "a"],
        additionalPermissions: undefined,
        available: command.availableDecisions,
        signal: controller.signal,
        raw: command,
      },
    ] as never);
  },
);

/** Commands as 0.166.0 quotes them, each with the script inside. */
const SCRIPTS: readonly (readonly [command: string, script: string])[] = [
  ["/bin/bash -lc 'touch a && echo b'", "touch a && echo b"],
  [`/bin/bash -lc "echo 'it''s' > x; cat x"`, "echo 'it''s' > x; cat x"],
  [String.raw`/bin/bash -lc "touch it\\'s"`, String.raw`touch it\'s`],
  ["/bin/bash -lc 'touch é\ntouch b'", "touch é\ntouch b"],
  [
    `/bin/bash -lc "cat > f <<'EOF'\nhello 'x' \\"y\\" "'$z \`w\` '"\\\\\\\\ "'!\nEOF'`,
    "cat > f <<'EOF'\nhello 'x' \"y\" $z `w` \\\\ !\nEOF",
  ],
  [`/bin/bash -lc "touch 'x"'^y'"' "'!z'`, "touch 'x^y' !z"],
  ["/bin/bash -lc '   touch  a  '", "   touch  a  "],
  ["/usr/bin/zsh -c ls", "ls"],
  [String.raw`sh -c a\ b`, "a b"],
  ["sh -c ''", ""],
];

/** Commands without a system shell and script, and lines that end inside a quote or after a backslash. */
const NO_SCRIPTS = [
  "touch a",
  "",
  "/bin/bash script.sh",
  "/bin/bash -lc 'a' b",
  "/bin/bash -lc",
  "/bin/bash -lic 'a'",
  "/work/bash -lc 'git status'",
  "./bash -lc 'git status'",
  "/bin/python3 -c 'a'",
  "/bin/bash -lc 'a",
  '/bin/bash -lc "a\\"',
  "/bin/bash -lc a\\",
];

verifies(
  "requests.command",
  "a command approval contains the script inside the shell exactly as it was written",
  async () => {
    const { seen, onApproval } = deciding("decline");
    const { ask } = answering({ onApproval });
    for (const [given] of SCRIPTS) await ask(COMMAND, { ...command, command: given });
    expect(seen.map((request) => request.kind === "command" && request.script)).toEqual(
      SCRIPTS.map(([, script]) => script),
    );
    for (const given of [...NO_SCRIPTS, null]) {
      await ask(COMMAND, { ...command, command: given });
      expect(seen.at(-1)).not.toHaveProperty("script");
    }
  },
);

verifies(
  "requests.command",
  "fills in defaults for the fields that requests of old servers lack",
  async () => {
    const { seen, onApproval } = deciding("accept");
    await answering({ onApproval }).ask(COMMAND, {
      ...ids,
      reason: null,
      proposedExecpolicyAmendment: ["ls"],
    });
    expect(seen[0]).toMatchObject({
      kind: "command",
      commandKind: "command",
      commandActions: [],
      available: [
        "accept",
        "acceptForSession",
        { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["ls"] } },
        "decline",
        "cancel",
      ],
    });
    expect(seen[0]?.reason).toBeUndefined();
    await answering({ onApproval }).ask(COMMAND, { ...command, kind: "writeStdin" });
    expect(seen[1]).toMatchObject({ kind: "command", commandKind: "writeStdin" });
    expect(seen[1]).not.toHaveProperty("script");
  },
);

verifies(
  "requests.network",
  "an approval of a network host has the kind `network` and its own amendments",
  async () => {
    const { seen, onApproval } = deciding(HOST);
    const { ask, warnings } = answering({ onApproval });
    const params = {
      ...ids,
      networkApprovalContext: { host: "x.test", protocol: "https" },
      proposedNetworkPolicyAmendments: [{ host: "x.test", action: "allow" }],
    };
    expect(await ask(COMMAND, params)).toEqual({ decision: HOST });
    expect(seen[0]).toMatchObject({
      kind: "network",
      host: "x.test",
      protocol: "https",
      available: ["accept", "acceptForSession", HOST, "decline", "cancel"],
    });
    expect(await answering(deciding(AMENDMENT)).ask(COMMAND, params)).toEqual({ decision: "decline" });
    expect(warnings).toEqual([]);
  },
);

verifies("requests.file-change", "the approval of a patch contains the changes of its item", async () => {
  const changes = [{ path: "/w/a", kind: { type: "add" }, diff: "hello\n" }];
  const { seen, onApproval } = deciding("acceptForSession");
  const item = { type: "fileChange", id: "i1", changes } as never;
  const known = answering(
    { onApproval },
    { itemOf: (...asked) => (asked.join() === "t1,u1,i1" ? item : undefined) },
  );
  const params = { ...ids, startedAtMs: 1, reason: null, grantRoot: "/w" };
  expect(await known.ask(FILE_CHANGE, params)).toEqual({ decision: "acceptForSession" });
  await answering({ onApproval }).ask(FILE_CHANGE, params);
  expect(seen[0]).toMatchObject({ kind: "fileChange", changes, grantRoot: "/w", reason: undefined });
  expect(seen[1]?.kind === "fileChange" && seen[1].changes).toBeUndefined();
});

const exec = {
  conversationId: "t1",
  callId: "c1",
  approvalId: null,
  command: ["bash", "-lc", "echo 'hi'"],
  cwd: "/w",
  reason: null,
  parsedCmd: [{ type: "list_files", cmd: "ls", path: null }],
};
const patch = {
  conversationId: "t1",
  callId: "c1",
  fileChanges: { "/w/a": { type: "update", unified_diff: "@@", move_path: null } },
  reason: "why",
  grantRoot: null,
};

verifies(
  ["requests.legacy", "spec001.approvals"],
  "converts both approval requests of v1 conversations, and answers in their words",
  async () => {
    const { seen, onApproval } = deciding("accept");
    const { ask } = answering({ onApproval });
    expect(await ask("execCommandApproval", exec)).toEqual({ decision: "approved" });
    expect(await ask("applyPatchApproval", patch)).toEqual({ decision: "approved" });
    expect(seen).toMatchObject([
      {
        kind: "command",
        threadId: "t1",
        itemId: "c1",
        command: String.raw`bash -lc 'echo '\''hi'\'''`,
        script: "echo 'hi'",
        commandActions: [{ type: "listFiles", command: "ls", path: null }],
      },
      {
        kind: "fileChange",
        threadId: "t1",
        reason: "why",
        changes: [{ path: "/w/a", kind: { type: "update", move_path: null }, diff: "@@" }],
      },
    ]);
    for (const [decision, legacy] of [
      ["acceptForSession", "approved_for_session"],
      ["decline", "denied"],
      ["cancel", "abort"],
      [AMENDMENT, { approved_execpolicy_amendment: { proposed_execpolicy_amendment: ["touch"] } }],
    ]) {
      expect(await answering(deciding(decision)).ask("execCommandApproval", exec)).toEqual({
        decision: legacy,
      });
    }
  },
);

verifies("client.default-answers", "without a handler, the thread's policy decides", async () => {
  for (const [accepts, word, legacy] of [
    [true, "accept", "approved"],
    [false, "decline", "denied"],
  ] as const) {
    const { ask, warnings } = answering({}, { acceptsUnasked: (id) => (id === "t1" ? accepts : !accepts) });
    expect(await ask(COMMAND, command)).toEqual({ decision: word });
    expect(await ask(FILE_CHANGE, ids)).toEqual({ decision: word });
    expect(await ask("execCommandApproval", exec)).toEqual({ decision: legacy });
    expect(await ask("applyPatchApproval", patch)).toEqual({ decision: legacy });
    expect(warnings).toEqual([]);
  }
});

verifies(
  ["requests.fail", "spec001.approval-fails"],
  '"fail" ends the turn with approval_required and answers cancel',
  async () => {
    const { ask, failures } = answering({ onApproval: "fail" }, { accepts: true });
    expect(await ask(COMMAND, command)).toEqual({ decision: "cancel" });
    expect(await ask("execCommandApproval", exec)).toEqual({ decision: "abort" });
    expect(failures).toMatchObject([
      {
        threadId: "t1",
        turnId: "u1",
        error: { code: "approval_required", request: { kind: "command", reason: "need" } },
      },
      { threadId: "t1", error: { code: "approval_required" } },
    ]);
  },
);

test.each([
  undefined,
  null,
  "approved",
  "acceptAlways",
  "",
  1,
  true,
  [],
  {},
  { accept: true },
  HOST,
  { acceptWithExecpolicyAmendment: { execpolicy_amendment: [] } },
  { acceptWithExecpolicyAmendment: { execpolicy_amendment: "touch" } },
  { ...AMENDMENT, more: 1 },
])("declines a command with a warning if the handler returns %j", async (decision) => {
  const { ask, warnings } = answering(deciding(decision));
  expect(await ask(COMMAND, command)).toEqual({ decision: "decline" });
  expect(warnings).toMatchObject([{ code: "bad_answer" }]);
});

verifies(
  "requests.nonsense",
  "declines with a warning if the handler throws or returns a decision of another kind",
  async () => {
    const cause = new Error("lost");
    const throwing = answering({ onApproval: () => Promise.reject(cause) });
    expect(await throwing.ask(COMMAND, command)).toEqual({ decision: "decline" });
    expect(throwing.warnings).toMatchObject([{ code: "handler_failed", cause }]);
    const confused = answering(deciding(AMENDMENT));
    expect(await confused.ask(FILE_CHANGE, ids)).toEqual({ decision: "decline" });
    expect(confused.warnings).toMatchObject([{ code: "bad_answer" }]);
  },
);

verifies(
  "requests.resolved",
  "aborts the signal of a resolved request and stops waiting for its handler",
  async () => {
    let aborted = false;
    const { ask, controller, warnings } = answering({
      onApproval: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            aborted = true;
            reject(new Error("stopped by the signal"));
          });
        }),
    });
    const answer = ask(COMMAND, command);
    controller.abort();
    await answer;
    expect(aborted).toBe(true);
    expect(warnings).toEqual([]);
    const deaf = answering({ onApproval: () => new Promise(() => {}) });
    const ignored = deaf.ask(COMMAND, command);
    deaf.controller.abort();
    await ignored;
  },
);
