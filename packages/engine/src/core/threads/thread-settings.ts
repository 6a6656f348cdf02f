import type {
  ActivePermissionProfile,
  ApprovalsReviewer,
  AskForApproval,
  CollaborationMode,
  SandboxMode,
  SandboxPolicy,
  ThreadSettings,
  ThreadStartResponse,
} from "codexwright/protocol";
import type { WireObject } from "../wire-object.ts";
import type { Paths } from "../ports.ts";
import type { Settings } from "../records/record.ts";

/** The params of start, resume, fork, a turn and a settings update that change a thread's settings. */
export interface SettingsParams {
  readonly model?: string | null;
  readonly modelProvider?: string | null;
  readonly cwd?: string | null;
  readonly approvalPolicy?: AskForApproval | null;
  readonly approvalsReviewer?: ApprovalsReviewer | null;
  readonly sandbox?: SandboxMode | null;
  readonly sandboxPolicy?: SandboxPolicy | null;
  readonly permissions?: string | null;
  readonly effort?: string | null;
  readonly summary?: string | null;
  readonly personality?: string | null;
  readonly collaborationMode?: CollaborationMode | null;
  readonly config?: { readonly [key in string]?: unknown } | null;
}

/** The built-in permission profiles, each with its sandbox mode. */
const PROFILES: Readonly<Record<string, SandboxMode>> = {
  ":read-only": "read-only",
  ":workspace": "workspace-write",
  ":danger-full-access": "danger-full-access",
};

/** Returns the settings, overridden by the params. */
export function overridden(paths: Paths, settings: Settings, params: SettingsParams): Settings {
  const { config } = params;
  const effort = params.effort ?? config?.["model_reasoning_effort"];
  return {
    model: params.model ?? textOf(config?.["model"]) ?? settings.model,
    modelProvider: params.modelProvider ?? settings.modelProvider,
    cwd: params.cwd ? paths.resolve(settings.cwd, params.cwd) : settings.cwd,
    approvalPolicy: params.approvalPolicy ?? settings.approvalPolicy,
    approvalsReviewer: reviewerOf(params) ?? settings.approvalsReviewer,
    ...confined(settings, params),
    effort: textOf(effort) ?? settings.effort,
    summary: params.summary ?? settings.summary,
    personality: params.personality ?? settings.personality,
    collaborationMode:
      (params.collaborationMode as WireObject | null | undefined) ?? settings.collaborationMode,
  };
}

/** A permission profile replaces the sandbox, and a sandbox replaces the profile. */
export function confined(
  settings: Settings,
  { sandboxPolicy, sandbox, permissions }: SettingsParams,
): Pick<Settings, "sandbox" | "permissions"> {
  if (permissions) return { sandbox: policyOf(modeOf(permissions)), permissions };
  if (sandboxPolicy) return { sandbox: wholePolicy(sandboxPolicy), permissions: null };
  if (sandbox) return { sandbox: policyOf(sandbox), permissions: null };
  return { sandbox: settings.sandbox, permissions: settings.permissions };
}

function modeOf(permissions: string): SandboxMode {
  return (Object.hasOwn(PROFILES, permissions) ? PROFILES[permissions] : undefined) ?? "read-only";
}

/** `guardian_subagent` is an older name for `auto_review`. */
export function reviewerOf({
  approvalsReviewer,
  config,
}: Pick<SettingsParams, "approvalsReviewer" | "config">): Settings["approvalsReviewer"] | undefined {
  const wanted = approvalsReviewer ?? config?.["approvals_reviewer"];
  if (wanted === "auto_review" || wanted === "guardian_subagent") return "auto_review";
  return wanted === "user" ? "user" : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns the policy for a sandbox mode. Temporary folders are not writable, as in an isolated real server. */
export function policyOf(mode: SandboxMode): SandboxPolicy {
  if (mode === "danger-full-access") return { type: "dangerFullAccess" };
  if (mode === "read-only") return { type: "readOnly", networkAccess: false };
  return {
    type: "workspaceWrite",
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: true,
    excludeSlashTmp: true,
  };
}

/** Fills in the fields of a policy that a client may omit. */
function wholePolicy(policy: SandboxPolicy): SandboxPolicy {
  if (policy.type === "readOnly") return { networkAccess: false, ...policy };
  if (policy.type === "workspaceWrite") {
    return {
      writableRoots: [],
      networkAccess: false,
      excludeTmpdirEnvVar: false,
      excludeSlashTmp: false,
      ...policy,
    };
  }
  return policy;
}

/** Returns the collaboration mode, or the default mode if no client has set one. */
export function collaborationModeOf(settings: Settings): CollaborationMode {
  if (settings.collaborationMode) return settings.collaborationMode as unknown as CollaborationMode;
  return {
    mode: "default",
    settings: { model: settings.model, reasoning_effort: settings.effort, developer_instructions: null },
  };
}

function profileOf({ permissions }: Settings): ActivePermissionProfile | null {
  return permissions === null ? null : { id: permissions, extends: null };
}

/** Settings in the form of `thread/settings/updated`. */
export function wireSettings(settings: Settings): ThreadSettings {
  return {
    disabledPluginIds: [],
    cwd: settings.cwd,
    approvalPolicy: settings.approvalPolicy,
    approvalsReviewer: settings.approvalsReviewer,
    sandboxPolicy: settings.sandbox,
    activePermissionProfile: profileOf(settings),
    model: settings.model,
    modelProvider: settings.modelProvider,
    serviceTier: null,
    effort: settings.effort,
    summary: settings.summary as ThreadSettings["summary"],
    collaborationMode: collaborationModeOf(settings),
    multiAgentMode: "explicitRequestOnly",
    personality: settings.personality as ThreadSettings["personality"],
  };
}

/** The settings as they appear in the answers to start, resume and fork. */
export function openedWith(settings: Settings): Omit<ThreadStartResponse, "thread"> {
  return {
    model: settings.model,
    modelProvider: settings.modelProvider,
    serviceTier: null,
    disabledPluginIds: [],
    cwd: settings.cwd,
    runtimeWorkspaceRoots: [settings.cwd],
    instructionSources: [],
    approvalPolicy: settings.approvalPolicy,
    approvalsReviewer: settings.approvalsReviewer,
    sandbox: settings.sandbox,
    activePermissionProfile: profileOf(settings),
    reasoningEffort: settings.effort,
    multiAgentMode: "explicitRequestOnly",
  };
}
