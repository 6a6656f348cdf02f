import { createHash } from "node:crypto";
import type { Tool } from "codexwright";
import { toolSpecs } from "codexwright/internal";
import type { Settings } from "../domain/settings.ts";

/**
 * A thread keeps its folder, tools, sandbox and policy. A run resumes the thread of an earlier run only if these are
 * the same. Two runs with the same key have the same settings.
 */
export function threadKey(settings: Settings, folder: string, tools: readonly Tool[]): string {
  const { command, approvalPolicy, threadSandbox } = settings.codex;
  const offered = toolSpecs(tools);
  return createHash("sha256")
    .update(JSON.stringify([folder, command, approvalPolicy, threadSandbox, offered]))
    .digest("hex");
}

/** Errors of a server that cannot resume a thread. The run then starts a new one. */
const NOT_RESUMED = new Set(["rpc", "no_rollout", "thread_not_found", "thread_archived"]);

export function cannotResume(error: unknown): boolean {
  return NOT_RESUMED.has(String((error as { readonly code?: unknown }).code));
}
