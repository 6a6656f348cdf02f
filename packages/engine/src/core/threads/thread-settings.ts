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
import { ResponseError } from "codexwright/rpc";
import type { EngineConfig } from "../engine-config.ts";
import type { EngineHost } from "../host.ts";
import type { FoundInstructions, ThreadConfig } from "../ports.ts";
import { moved, type Settings } from "../records/record.ts";
import type { WireObject } from "../wire-object.ts";
import { notLoaded } from "./thread-config.ts";

/** The params of start, resume, fork, a turn and a settings update that change a thread's settings. */
export interface SettingsParams {
  readonly model?: string | null;
  readonly modelProvider?: string | null;
  readonly cwd?: string | null;
  readonly runtimeWorkspaceRoots?: readonly string[] | null;
  readonly approvalPolicy?: AskForApproval | null;
  readonly approvalsReviewer?: ApprovalsReviewer | null;
  readonly sandbox?: SandboxMode | null;
  readonly sandboxPolicy?: SandboxPolicy | null;
  readonly permissions?: string | null;
  readonly effort?: string | null;
  readonly summary?: string | null;
  readonly personality?: string | null;
  readonly collaborationMode?: CollaborationMode | null;
}

type Workspace = NonNullable<EngineConfig["workspaceWrite"]>;

/** The built-in permission profiles. Settings of the sandbox "workspace-write" do not apply to them. */
const PROFILES: Readonly<Record<string, SandboxPolicy>> = {
  ":read-only": policyOf("read-only"),
  ":workspace": policyOf("workspace-write"),
  ":danger-full-access": policyOf("danger-full-access"),
};

/** The settings of a new thread in this folder. */
export function defaultsOf(config: ThreadConfig, cwd: string): Settings {
  const { settings } = config;
  const { sandboxMode, workspaceWrite, permissions } = settings;
  const profile = permissions ?? (sandboxMode === undefined ? ":read-only" : null);
  return {
    model: settings.model,
    modelProvider: config.modelProvider,
    cwd,
    roots: [...new Set([cwd, ...(permissions === undefined ? (workspaceWrite?.writableRoots ?? []) : [])])],
    approvalPolicy: settings.approvalPolicy ?? "on-request",
    approvalsReviewer: settings.approvalsReviewer ?? "user",
    sandbox:
      profile === null
        ? policyOf(sandboxMode ?? "read-only", workspaceWrite)
        : profilePolicy(profile, config.profiles),
    permissions: profile,
    effort: settings.effort ?? null,
    summary: settings.summary ?? null,
    personality: null,
    collaborationMode: null,
  };
}

/** Applies the settings that a client's `config` sets to those of a thread that is opened again. */
export function withOverrides(settings: Settings, config: ThreadConfig): Settings {
  const set = config.overridden;
  const defaults = defaultsOf(config, settings.cwd);
  const isConfined = set.sandboxMode !== undefined || set.permissions !== undefined;
  return {
    ...settings,
    ...(set.model !== undefined && { model: defaults.model }),
    ...(config.providerOverridden && { modelProvider: defaults.modelProvider }),
    ...(set.approvalPolicy !== undefined && { approvalPolicy: defaults.approvalPolicy }),
    ...(set.approvalsReviewer !== undefined && { approvalsReviewer: defaults.approvalsReviewer }),
    ...(isConfined && { sandbox: defaults.sandbox, permissions: defaults.permissions }),
    ...(set.effort !== undefined && { effort: defaults.effort }),
    ...(set.summary !== undefined && { summary: defaults.summary }),
  };
}

/** Returns the settings, overridden by the params. Throws the real server's error if a param is wrong. */
export function overridden(
  host: EngineHost,
  config: ThreadConfig,
  settings: Settings,
  params: SettingsParams,
): Settings {
  const mode = params.collaborationMode as WireObject | null | undefined;
  const inMode = (mode?.["settings"] ?? {}) as {
    readonly model?: string;
    readonly reasoning_effort?: string | null;
  };
  const cwd = folderOf(host, params.cwd) ?? settings.cwd;
  const confinedTo = confined(config, settings, params);
  const usesProfile = typeof params.permissions === "string" && params.permissions !== settings.permissions;
  const named = params.runtimeWorkspaceRoots?.map((root) => host.platform.paths.resolve(root));
  // The configured roots belong to the configured sandbox, not to a profile.
  const kept = usesProfile
    ? settings.roots.filter((root) => !config.settings.workspaceWrite?.writableRoots.includes(root))
    : settings.roots;
  return {
    model: inMode.model ?? params.model ?? settings.model,
    modelProvider: params.modelProvider ?? settings.modelProvider,
    cwd,
    roots: [...new Set(named ?? moved(kept, settings.cwd, cwd))],
    approvalPolicy: params.approvalPolicy ?? settings.approvalPolicy,
    approvalsReviewer: reviewerOf(params) ?? settings.approvalsReviewer,
    ...confinedTo,
    effort: mode ? (inMode.reasoning_effort ?? null) : (params.effort ?? settings.effort),
    summary: params.summary ?? settings.summary,
    personality: params.personality ?? settings.personality,
    collaborationMode: mode ?? settings.collaborationMode,
  };
}

/** The folder that a client names. A relative one is below the folder of the server. */
export function folderOf(
  { platform, defaults }: EngineHost,
  cwd: string | null | undefined,
): string | undefined {
  if (cwd === null || cwd === undefined) return undefined;
  const { paths, userHome } = platform;
  if (userHome !== undefined && (cwd === "~" || cwd.startsWith("~/"))) {
    return paths.resolve(userHome, cwd.slice(2));
  }
  return paths.resolve(defaults.cwd, cwd);
}

/** A permission profile replaces the sandbox, and a sandbox replaces the profile. */
export function confined(
  { settings: { workspaceWrite }, profiles }: ThreadConfig,
  settings: Pick<Settings, "sandbox" | "permissions">,
  { sandboxPolicy, sandbox, permissions }: SettingsParams,
): Pick<Settings, "sandbox" | "permissions"> {
  if (typeof permissions === "string") {
    if (sandbox || sandboxPolicy) {
      const other = sandbox ? "sandbox" : "sandboxPolicy";
      throw new ResponseError(-32600, `\`permissions\` cannot be combined with \`${other}\``);
    }
    return { sandbox: profilePolicy(permissions, profiles), permissions };
  }
  if (sandboxPolicy) return { sandbox: wholePolicy(sandboxPolicy), permissions: null };
  if (sandbox) return { sandbox: policyOf(sandbox, workspaceWrite), permissions: null };
  return { sandbox: settings.sandbox, permissions: settings.permissions };
}

/** The sandbox of a permission profile. Throws the real server's error if there is no such profile. */
function profilePolicy(name: string, profiles: readonly string[]): SandboxPolicy {
  const policy = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined;
  if (policy) return policy;
  if (name.startsWith(":")) {
    throw notLoaded(`default_permissions refers to unknown built-in profile \`${name}\``);
  }
  if (profiles.length === 0) throw notLoaded("default_permissions requires a `[permissions]` table");
  if (!profiles.includes(name))
    throw notLoaded(`default_permissions refers to undefined profile \`${name}\``);
  throw notLoaded(`profile \`${name}\`: this server has only the built-in profiles`);
}

/** `guardian_subagent` is an older name for `auto_review`. */
export function reviewerOf({
  approvalsReviewer,
}: Pick<SettingsParams, "approvalsReviewer">): Settings["approvalsReviewer"] | undefined {
  if (approvalsReviewer === "auto_review" || approvalsReviewer === "guardian_subagent") return "auto_review";
  return approvalsReviewer === "user" ? "user" : undefined;
}

/** Returns the policy for a sandbox mode. */
export function policyOf(mode: SandboxMode, workspace?: Workspace): SandboxPolicy {
  if (mode === "danger-full-access") return { type: "dangerFullAccess" };
  if (mode === "read-only") return { type: "readOnly", networkAccess: false };
  const { writableRoots = [], networkAccess = false } = workspace ?? {};
  const { excludeTmpdirEnvVar = false, excludeSlashTmp = false } = workspace ?? {};
  return {
    type: "workspaceWrite",
    writableRoots: [...writableRoots],
    networkAccess,
    excludeTmpdirEnvVar,
    excludeSlashTmp,
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
  const { model, effort } = settings;
  const set = settings.collaborationMode as unknown as CollaborationMode | null;
  const { mode, settings: own } = set ?? { mode: "default", settings: { developer_instructions: null } };
  return { mode, settings: { ...own, model, reasoning_effort: effort } };
}

function profileOf({ permissions }: Settings): ActivePermissionProfile | null {
  return permissions === null ? null : { id: permissions, extends: null };
}

/**
 * The sandbox as clients see it, in the words of the real server: roots other than the folder of the thread are in it. If
 * that folder is not a root, the folders for temporary files are also listed.
 */
function wirePolicy({ sandbox, roots, cwd }: Settings, tmpdir: string | undefined): SandboxPolicy {
  if (sandbox.type !== "workspaceWrite") return sandbox;
  const { writableRoots = [], networkAccess = false, excludeSlashTmp, excludeTmpdirEnvVar } = sandbox;
  const others = roots.filter((root) => root !== cwd);
  if (others.length < roots.length) {
    return { ...sandbox, writableRoots: [...new Set([...others, ...writableRoots])] };
  }
  const temporary = [
    ...(excludeSlashTmp === true ? [] : ["/tmp"]),
    ...(excludeTmpdirEnvVar === true || tmpdir === undefined ? [] : [tmpdir]),
  ];
  const listed = [...new Set([...others, ...temporary, ...writableRoots])];
  return listed.length === 0 ? { type: "readOnly", networkAccess } : { ...sandbox, writableRoots: listed };
}

/** Settings in the form of `thread/settings/updated`. */
export function wireSettings(settings: Settings, tmpdir: string | undefined): ThreadSettings {
  return {
    disabledPluginIds: [],
    cwd: settings.cwd,
    approvalPolicy: settings.approvalPolicy,
    approvalsReviewer: settings.approvalsReviewer,
    sandboxPolicy: wirePolicy(settings, tmpdir),
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
export function openedWith(
  settings: Settings,
  tmpdir: string | undefined,
  instructions: FoundInstructions,
): Omit<ThreadStartResponse, "thread"> {
  return {
    model: settings.model,
    modelProvider: settings.modelProvider,
    serviceTier: null,
    disabledPluginIds: [],
    cwd: settings.cwd,
    runtimeWorkspaceRoots: [...settings.roots],
    instructionSources: instructions.files.map(({ path }) => path),
    approvalPolicy: settings.approvalPolicy,
    approvalsReviewer: settings.approvalsReviewer,
    sandbox: wirePolicy(settings, tmpdir),
    activePermissionProfile: profileOf(settings),
    reasoningEffort: settings.effort,
    multiAgentMode: "explicitRequestOnly",
  };
}
