import type {
  AskForApproval,
  SandboxPolicy,
  ThreadForkParams,
  ThreadResumeParams,
  ThreadStartParams,
} from "../../protocol/index.ts";
import type { JsonValue } from "../../protocol/index.ts";
import type { Confinement } from "./confinement.ts";
import {
  toApprovalPolicy,
  toSandboxPolicy,
  type ApprovalSpelling,
  type SandboxSpelling,
} from "../turn/options/spelling.ts";
import type { Tool } from "../../tools/tool.ts";
import type { Undefinable } from "../turn/options/turn-options.ts";

/** What we spell in our own way, or check, for every request that opens a thread. */
interface OwnOptions {
  /** What commands may touch. `null`: what the user's configuration says. Not together with `permissions`. */
  sandbox?: SandboxSpelling | null | undefined;
  /** When the user is asked. `null`: what the user's configuration says. */
  approvalPolicy?: ApprovalSpelling | null | undefined;
  /** MCP servers of this thread, by name, as in config.toml's `mcp_servers`. */
  mcpServers?: Readonly<Record<string, Readonly<Record<string, JsonValue>>>> | undefined;
}

/** Which turns to take back. */
export type RevertTarget = { readonly beforeTurnId: string } | { readonly numTurns: number };

/** Parameters of a new thread: the wire's, in either spelling; what is left out comes from the client's options. */
export interface StartThreadOptions
  extends Undefinable<Omit<ThreadStartParams, "dynamicTools" | "sandbox" | "approvalPolicy">>, OwnOptions {
  /** Functions of this process that the model may call. */
  tools?: readonly Tool[] | undefined;
}

/**
 * Parameters of a resumed thread. What is left out stays as the thread has it, but for the sandbox: a cold
 * resume does not bring it back, so the one this client gave before is sent again.
 */
export interface ResumeThreadOptions
  extends Undefinable<Omit<ThreadResumeParams, "threadId" | "sandbox" | "approvalPolicy">>, OwnOptions {
  /** What answers the calls of the tools that the thread was started with; they cannot be changed any more. */
  tools?: readonly Tool[] | undefined;
}

/**
 * Parameters of a thread made from another one's history. An ephemeral fork comes without its turns from Codex 0.155
 * on, which refuses to send them.
 */
export interface ForkThreadOptions
  extends Undefinable<Omit<ThreadForkParams, "threadId" | "sandbox" | "approvalPolicy">>, OwnOptions {
  /** What answers the calls of the source's tools; default: what this client gave the source. */
  tools?: readonly Tool[] | undefined;
}

/** Our own options in the wire's words. */
export function toWire(
  {
    confinement,
    approvalPolicy,
    mcpServers,
  }: Pick<OwnOptions, "approvalPolicy" | "mcpServers"> & { confinement: Confinement },
  serverVersion: string,
): Confinement & {
  approvalPolicy?: AskForApproval;
  mcpConfig?: Record<string, JsonValue>;
} {
  return {
    ...confinement,
    ...(approvalPolicy && { approvalPolicy: toApprovalPolicy(approvalPolicy, serverVersion) }),
    ...(mcpServers && { mcpConfig: mcpConfig(mcpServers, approvalPolicy) }),
  };
}

/** Under policy `never` the server refuses every call of an MCP tool that is not approved beforehand. */
function mcpConfig(
  servers: NonNullable<OwnOptions["mcpServers"]>,
  approvalPolicy: ApprovalSpelling | null | undefined,
): Record<string, JsonValue> {
  const approve = approvalPolicy === "never" ? { default_tools_approval_mode: "approve" } : {};
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [`mcp_servers.${name}`, { ...approve, ...server }]),
  );
}

/** Which of the asked-for settings a resumed thread does not have: a loaded thread ignores them all. */
export function ignoredOverrides(
  asked: Confinement & { approvalPolicy?: AskForApproval; model?: string | null },
  got: {
    sandbox?: SandboxPolicy;
    approvalPolicy?: AskForApproval;
    model?: string | null;
    activePermissionProfile?: { readonly id: string } | null;
  },
): string[] {
  const ignored: string[] = [];
  if (asked.sandbox && got.sandbox && got.sandbox.type !== toSandboxPolicy({ mode: asked.sandbox }).type)
    ignored.push("sandbox");
  if (asked.permissions && asked.permissions !== got.activePermissionProfile?.id) ignored.push("permissions");
  if (asked.approvalPolicy && JSON.stringify(asked.approvalPolicy) !== JSON.stringify(got.approvalPolicy)) {
    ignored.push("approvalPolicy");
  }
  if (asked.model && asked.model !== got.model) ignored.push("model");
  return ignored;
}
