import type {
  ApprovalDecision,
  ApprovalRequest,
  CodexClient,
  ServerRequestOptions,
  StartThreadOptions,
} from "../../client/index.ts";
import type { InferInput, Schema } from "../../schema/index.ts";
import { APPROVAL_SPELLINGS, SANDBOX_SPELLINGS } from "../../protocol/spellings.ts";
import type { Personality, ReasoningEffort, ReasoningSummary } from "../../protocol/index.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, needed, shape, Variant, type Table } from "../../rpc/options/table.ts";
import { CLOCK, type Clock } from "../clock.ts";
import type { Budget, BudgetMeter } from "../limits.ts";
import type { RenderedPrompt } from "../prompt/prompt.ts";
import type { FileSystem } from "../resources/file-system.ts";
import type { Provider } from "../resources/resource.ts";
import type { Session, SessionAccess } from "../session/session.ts";

/** ChatGPT tokens that the caller manages. */
export interface ChatgptTokens {
  readonly accessToken: string;
  readonly accountId: string;
  readonly planType?: string | undefined;
}

/** How to log in. Left out, the server uses the login that it has. */
export type AgentAuth =
  | { readonly apiKey: string }
  | {
      readonly chatgpt: ChatgptTokens;
      /** Gives new tokens when the old ones have run out. */
      readonly refresh?: ((reason: string) => ChatgptTokens | Promise<ChatgptTokens>) | undefined;
    };

/** What the model is and how it works; what is left out is the server's choice. */
export interface ModelOptions {
  readonly model?: string | undefined;
  readonly effort?: ReasoningEffort | undefined;
  readonly summary?: ReasoningSummary | undefined;
  readonly personality?: Personality | undefined;
}

/** What `CodexAgent.open` takes. Handlers of the server's requests are the agent's: those of the client are not asked. */
export interface AgentOptions
  extends ModelOptions, Pick<ServerRequestOptions, "onPermissions" | "onUserInput" | "onElicitation"> {
  /** Makes a connected client, which the agent then owns; called when a run first needs one. */
  readonly connect: () => Promise<CodexClient>;
  /** One server for all runs, or one for each; default `"shared"`. */
  readonly spawn?: "shared" | "per-run" | undefined;
  /** Default: the client's. */
  readonly sandbox?: StartThreadOptions["sandbox"];
  /** Default `"never"`, or `"on-request"` where `onApproval` is given. */
  readonly approvalPolicy?: StartThreadOptions["approvalPolicy"];
  /** Decides on what the policy asks about. Unset: as `onApproval` of a client. */
  readonly onApproval?:
    | ((request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>)
    | undefined;
  readonly auth?: AgentAuth | undefined;
  /** The folder of runs without a workspace: an absolute path. Default: the server's own. */
  readonly cwd?: string | undefined;
  /** MCP servers, by name, as in config.toml's `mcp_servers`. */
  readonly mcpServers?: StartThreadOptions["mcpServers"];
  /** Threads are not stored, and cannot be reused. */
  readonly ephemeral?: boolean | undefined;
  readonly clock?: Clock | undefined;
}

/** A folder of a run's own, as `Workspace` of `codexwright/workspace` makes it. */
export interface RunWorkspace {
  readonly dir: string;
  readonly fingerprint: string;
  /**
   * The folder as the `Files` of tools, unless the prompt or the run provides `Files`. All runs of the workspace share what
   * it returns first; what can be disposed of is disposed of with the run, and the next run calls it again.
   */
  files?(): FileSystem;
  checkpoint(): Promise<WorkspaceCheckpoint>;
  diff(from: WorkspaceCheckpoint, to?: WorkspaceCheckpoint): Promise<string>;
  revert(to: WorkspaceCheckpoint): Promise<readonly string[]>;
}

/** A moment of a workspace's files. */
export interface WorkspaceCheckpoint {
  readonly tree: string;
}

/** When a turn that the server could not run is run again. */
export interface RetryOptions {
  /** Times that it is tried again. */
  readonly attempts: number;
  /** The first wait; each next one is twice as long. Default 500. */
  readonly baseMs?: number | undefined;
  /** The longest wait; default 8,000. */
  readonly maxMs?: number | undefined;
}

/** What a run may be given beside its input. */
export interface RunSettings extends ModelOptions {
  /**
   * State that tools and sections share; a new one unless given. With the `session` of a tool's context the run takes
   * part in that call: it sees the call's changes, and its own are committed or rolled back with them.
   */
  readonly session?: Session | SessionAccess | undefined;
  /** Where it runs. Its files are the resource `Files` of tools, unless that is provided otherwise. */
  readonly workspace?: RunWorkspace | undefined;
  /** In place of the agent's. */
  readonly cwd?: string | undefined;
  /** In place of providers of the prompt's for the same resources. */
  readonly resources?: readonly Provider[] | undefined;
  /** For everything: set-up, turns, tools. */
  readonly deadlineMs?: number | undefined;
  /** Tokens of the thread and its sub-agents; a meter may be shared by several runs. */
  readonly budget?: Budget | BudgetMeter | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Goes on with the thread of the session's last run of this prompt, where nothing that matters has changed. */
  readonly reuseThread?: boolean | undefined;
  /** What is sent on a thread that is reused; the whole text unless given. */
  readonly resumeText?: ((rendered: RenderedPrompt) => string) | undefined;
  /** What happens when the model asks for folded sections: `auto` renders again and goes on; default. */
  readonly expansion?: "auto" | "throw" | undefined;
  /** Further turns that may be spent on an answer that does not fit; default 0. */
  readonly repair?: number | undefined;
  /** Runs a turn again that failed for what may pass, unless a tool with effects has run in it. Default: never. */
  readonly retry?: RetryOptions | undefined;
}

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- the type of {}
type Nothing = Record<never, never>;

/** What `agent.run` takes. The input may be left out where the prompt needs none. */
export type RunOptions<I extends Schema> = RunSettings &
  (Nothing extends InferInput<I>
    ? { readonly input?: InferInput<I> | undefined }
    : { readonly input: InferInput<I> });

/** The arguments of `agent.run` after the prompt. */
export type RunArguments<I extends Schema> =
  Nothing extends InferInput<I> ? [options?: RunOptions<I>] : [options: RunOptions<I>];

const MODEL: Table<ModelOptions> = {
  model: is.text,
  effort: is.text,
  summary: is.text,
  personality: is.text,
};

const TOKENS: Table<ChatgptTokens> = {
  accessToken: needed(is.nonEmptyText),
  accountId: needed(is.nonEmptyText),
  planType: is.text,
};

const AUTH: is.Check<AgentAuth> = new Variant<AgentAuth>({
  apiKey: { apiKey: needed(is.nonEmptyText) },
  chatgpt: { chatgpt: needed(shape(TOKENS)), refresh: is.func },
});

const AGENT: Table<AgentOptions> = {
  ...MODEL,
  onPermissions: is.func,
  onUserInput: is.either(is.func, is.oneOf("decline", "fail")),
  onElicitation: is.func,
  connect: needed(is.func),
  spawn: is.oneOf("shared", "per-run"),
  sandbox: is.orNull(is.oneOf(...SANDBOX_SPELLINGS)),
  approvalPolicy: is.orNull(is.either(is.oneOf(...APPROVAL_SPELLINGS), is.object)),
  onApproval: is.func,
  auth: AUTH,
  cwd: is.text,
  mcpServers: is.recordOf(is.object),
  ephemeral: is.flag,
  clock: CLOCK,
};

const RUN: Table<RunSettings & { readonly input?: unknown }> = {
  ...MODEL,
  input: is.anything,
  session: is.object,
  workspace: is.object,
  cwd: is.text,
  resources: is.listOf(is.object),
  deadlineMs: is.finite,
  // The meter checks the limits.
  budget: is.object,
  signal: is.signal,
  reuseThread: is.flag,
  resumeText: is.func,
  expansion: is.oneOf("auto", "throw"),
  repair: is.integer(0),
  retry: shape<RetryOptions>({
    attempts: needed(is.integer(0)),
    baseMs: is.milliseconds,
    maxMs: is.milliseconds,
  }),
};

/** Options of the model API that Codex does not have. */
const UNSUPPORTED = ["seed", "stop", "presencePenalty", "frequencyPenalty"];

function refuseUnsupported(options: unknown): void {
  const found = UNSUPPORTED.filter((name) => isGiven(options, name));
  if (found.length > 0) throw new InvalidArgumentError(`Codex has no ${found.join(", ")}: leave them out`);
}

function isGiven(options: unknown, name: string): boolean {
  try {
    return (options as Readonly<Record<string, unknown>>)[name] !== undefined;
  } catch {
    return false; // The check of the options says why they cannot be read.
  }
}

/** Refuses what would only fail later, or not at all. */
export function checkAgentOptions(options: AgentOptions): void {
  refuseUnsupported(options);
  checkOptions("CodexAgent.open()", options, AGENT);
  if (options.cwd !== undefined) checkFolder("cwd", options.cwd);
}

export function checkRunOptions(options: RunSettings & { readonly input?: unknown }): void {
  refuseUnsupported(options);
  checkOptions("agent.run()", options, RUN);
  const { cwd, workspace } = options;
  if (cwd !== undefined && workspace) {
    throw new InvalidArgumentError("cwd and workspace are both given: a run has one folder");
  }
  if (cwd !== undefined) checkFolder("cwd", cwd);
}

/** Refuses a path that a server would take for one of its own folder. */
export function checkFolder(what: string, path: string): void {
  if (/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)) return;
  throw new InvalidArgumentError(`${what} is ${JSON.stringify(path)}: give an absolute path`);
}
