import type { EngineConfig, GranularApproval } from "../core/engine-config.ts";
import { DEFAULT_MODEL } from "../providers/catalogue/index.ts";
import type { ProviderSettings } from "./provider-settings.ts";
import type { SettingsReader } from "./reader.ts";
import { at, isTable } from "../core/config-table.ts";

const SANDBOXES = ["read-only", "workspace-write", "danger-full-access"] as const;
const PROFILES = [":read-only", ":workspace", ":danger-full-access"] as const;
const SUMMARIES = ["auto", "concise", "detailed", "none"] as const;

/** A longer time is as good as for ever. */
const LONGEST_SECONDS = 2_147_483;

/**
 * Reads the settings of an engine from all layers, and those of its provider from `provider`. The defaults depend on the
 * trust in the project.
 */
export function engineSettings(
  reader: SettingsReader,
  provider: ProviderSettings,
  trust: "trusted" | "untrusted" | undefined,
): EngineConfig {
  const permissions = reader.oneOf(PROFILES, "default_permissions");
  const byTrust = trust === undefined || permissions !== undefined ? undefined : "workspace-write";
  const unloadSeconds = reader.count(0, "thread_unload_delay_secs");
  const retries = reader.flag("features", "unbounded_connection_retries") ?? true;
  return defined({
    model: reader.text("model") ?? DEFAULT_MODEL,
    approvalPolicy: approvalPolicy(reader) ?? (trust === "untrusted" ? "untrusted" : undefined),
    approvalsReviewer: reviewer(reader),
    sandboxMode: reader.oneOf(SANDBOXES, "sandbox_mode") ?? byTrust,
    permissions,
    workspaceWrite: reader.sub("sandbox_workspace_write") && {
      writableRoots: reader.texts("sandbox_workspace_write", "writable_roots") ?? [],
      networkAccess: reader.flag("sandbox_workspace_write", "network_access") ?? false,
      excludeTmpdirEnvVar: reader.flag("sandbox_workspace_write", "exclude_tmpdir_env_var") ?? false,
      excludeSlashTmp: reader.flag("sandbox_workspace_write", "exclude_slash_tmp") ?? false,
    },
    effort: effort(reader),
    summary: reader.oneOf(SUMMARIES, "model_reasoning_summary"),
    developerInstructions: reader.text("developer_instructions"),
    contextWindow: reader.count(1, "model_context_window"),
    compactAt: reader.count(1, "model_auto_compact_token_limit"),
    agentThreads: reader.count(1, "agents", "max_threads"),
    agentDepth: reader.count(0, "agents", "max_depth"),
    openaiAuth: provider.requiresOpenaiAuth,
    requestRetries: provider.requestRetries,
    streamRetries: provider.streamRetries,
    streamIdleMs: provider.streamIdleMs,
    connectionRetries: retries ? undefined : 0,
    threadUnloadMs:
      unloadSeconds === undefined ? undefined : Math.min(unloadSeconds, LONGEST_SECONDS) * 1_000,
  });
}

/** Each model has efforts of its own, so any word is valid. */
function effort(reader: SettingsReader): string | undefined {
  const word = reader.text("model_reasoning_effort");
  if (word === "") throw reader.wrong("must not be empty", "model_reasoning_effort");
  return word;
}

/** `guardian_subagent` is an older name for `auto_review`. */
function reviewer(reader: SettingsReader): EngineConfig["approvalsReviewer"] {
  const word = reader.oneOf(["user", "auto_review", "guardian_subagent"], "approvals_reviewer");
  return word === "guardian_subagent" ? "auto_review" : word;
}

function approvalPolicy(reader: SettingsReader): EngineConfig["approvalPolicy"] {
  if (isTable(at(reader.table, ["approval_policy"]))) return { granular: granular(reader) };
  const policy = reader.oneOf(["untrusted", "on-request", "on-failure", "never"], "approval_policy");
  // This server has no policy that retries outside of the sandbox.
  return policy === "on-failure" ? "on-request" : policy;
}

/** Codex requires three of the switches. The others are off unless they are set. */
function granular(reader: SettingsReader): GranularApproval {
  const path = ["approval_policy", "granular"];
  const flag = (name: string): boolean | undefined => reader.flag(...path, name);
  const required = (name: string): boolean => {
    const value = flag(name);
    if (value === undefined) throw reader.wrong(`must have \`granular.${name}\``, "approval_policy");
    return value;
  };
  return {
    sandbox_approval: required("sandbox_approval"),
    rules: required("rules"),
    skill_approval: flag("skill_approval") ?? false,
    request_permissions: flag("request_permissions") ?? false,
    mcp_elicitations: required("mcp_elicitations"),
  };
}

/** Removes the settings that are not set, so that they do not hide a default. */
function defined<T extends object>(settings: T): T {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as T;
}
