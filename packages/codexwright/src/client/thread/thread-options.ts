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

/** The options that we convert or check ourselves, for every request that opens a thread. */
interface OwnOptions {
  /** The sandbox of commands. `null`: use the user's configuration. Cannot be combined with `permissions`. */
  sandbox?: SandboxSpelling | null | undefined;
  /** When to ask the user. `null`: use the user's configuration. */
  approvalPolicy?: ApprovalSpelling | null | undefined;
  /** MCP servers of this thread, by name, in the form of `mcp_servers` in config.toml. */
  mcpServers?: Readonly<Record<string, Readonly<Record<string, JsonValue>>>> | undefined;
}

/** The turns to revert. */
export type RevertTarget = { readonly beforeTurnId: string } | { readonly numTurns: number };

/**
 * Options of a new thread: the options on the wire, in either spelling. Omitted options default to those of the client.
 */
export interface StartThreadOptions
  extends Undefinable<Omit<ThreadStartParams, "dynamicTools" | "sandbox" | "approvalPolicy">>, OwnOptions {
  /** Functions of this process that the model may call. */
  tools?: readonly Tool[] | undefined;
}

/**
 * Options of a resumed thread. Omitted options keep the values of the thread, except for the sandbox. If the server has
 * to load the thread first, it does not restore the sandbox, so the client sends its earlier choice of sandbox again.
 */
export interface ResumeThreadOptions
  extends Undefinable<Omit<ThreadResumeParams, "threadId" | "sandbox" | "approvalPolicy">>, OwnOptions {
  /** Handlers for the tools that the thread was started with. The list of tools cannot be changed. */
  tools?: readonly Tool[] | undefined;
}

/**
 * Options of a fork. From Codex 0.155 on, an ephemeral fork has no known turns, because the server refuses to send
 * them.
 */
export interface ForkThreadOptions
  extends Undefinable<Omit<ThreadForkParams, "threadId" | "sandbox" | "approvalPolicy">>, OwnOptions {
  /** Handlers for the tools of the source thread; default: the handlers that this client set for the source thread. */
  tools?: readonly Tool[] | undefined;
}

/** Converts our own options to their wire form. */
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

/** Under policy `never` the server rejects every call to an MCP tool that was not approved beforehand. */
function mcpConfig(
  servers: NonNullable<OwnOptions["mcpServers"]>,
  approvalPolicy: ApprovalSpelling | null | undefined,
): Record<string, JsonValue> {
  const approve = approvalPolicy === "never" ? { default_tools_approval_mode: "approve" } : {};
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [`mcp_servers.${name}`, { ...approve, ...server }]),
  );
}

/** Lists the requested settings that the resumed thread does not have: a loaded thread ignores all of them. */
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
