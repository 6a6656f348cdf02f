import { expect } from "vitest";
import type { CodexClientOptions } from "codexwright";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { hostile } from "./hostile.ts";

const PLACE = { threadId: "T", turnId: "U", itemId: "I" };
const ASKED: readonly [method: string, params: object, refusal: object][] = [
  ["item/commandExecution/requestApproval", { ...PLACE, command: "rm -rf /" }, { decision: "decline" }],
  ["item/fileChange/requestApproval", PLACE, { decision: "decline" }],
  ["execCommandApproval", { conversationId: "T", callId: "c", command: ["rm"] }, { decision: "denied" }],
  ["applyPatchApproval", { conversationId: "T", callId: "c", fileChanges: {} }, { decision: "denied" }],
  [
    "item/permissions/requestApproval",
    { ...PLACE, permissions: { network: { enabled: true } } },
    { permissions: {} },
  ],
  ["item/tool/requestUserInput", { ...PLACE, questions: [{ id: "q", question: "?" }] }, { answers: {} }],
  ["mcpServer/elicitation/request", { ...PLACE, mode: "form", message: "?" }, { action: "decline" }],
];

/** Returns the answers of a client with these options, on a thread with the policy `on-request`. */
async function answers(options: Partial<CodexClientOptions>): Promise<unknown[]> {
  await using server = await hostile(options);
  await server.codex.startThread();
  for (const [id, [method, params]] of ASKED.entries()) server.say({ method, id, params });
  await until(() => server.replies().length === ASKED.length);
  return server
    .replies()
    .toSorted((a, b) => Number(a["id"]) - Number(b["id"]))
    .map(({ result }) => result);
}

const refused = ASKED.map(([, , refusal]) => expect.objectContaining(refusal) as unknown);

verifies("security.s19", "declines every request without handlers", async () => {
  expect(await answers({})).toEqual(refused);
});

verifies("security.s19", "declines if a handler throws or returns an invalid answer", async () => {
  const throws = (): never => {
    throw new Error("handler");
  };
  const nonsense = [
    undefined,
    null,
    true,
    "yes",
    "ACCEPT",
    ["accept"],
    { decision: "accept" },
    { action: "yes" },
  ];
  for (const answer of [throws, ...nonsense.map((value) => (): never => value as never)]) {
    const options = { onApproval: answer, onPermissions: answer, onUserInput: answer, onElicitation: answer };
    expect(await answers(options)).toEqual(refused);
  }
});

verifies("security.s19", "ignores a grant of permissions that were not requested", async () => {
  const onPermissions = (): never =>
    ({
      permissions: { network: { enabled: true }, fileSystem: { write: ["/"] } },
      scope: "session",
    }) as never;
  expect((await answers({ onPermissions }))[4]).toEqual({ permissions: {} });
});

verifies(
  "security.s19",
  "a thread that the server has not reported does not have the policy `never`",
  async () => {
    await using server = await hostile();
    for (const threadId of ["other", "__proto__", "", null])
      server.say({
        method: "item/commandExecution/requestApproval",
        id: String(threadId),
        params: { threadId },
      });
    await until(() => server.replies().length === 4);
    for (const { result } of server.replies()) expect(result).toEqual({ decision: "decline" });
  },
);
