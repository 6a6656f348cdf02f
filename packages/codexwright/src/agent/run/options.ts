import type {
  ApprovalDecision,
  ApprovalRequest,
  CodexClient,
  ServerRequestOptions,
  StartThreadOptions,
  TurnOptions,
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

/** Credentials to log in with. If omitted, the server uses its existing login. */
export type AgentAuth =
  | { readonly apiKey: string }
  | {
      readonly chatgpt: ChatgptTokens;
      /** Returns new tokens when the old ones have expired. */
      readonly refresh?: ((reason: string) => ChatgptTokens | Promise<ChatgptTokens>) | undefined;
    };

/** Model settings. The server chooses those that are omitted. */
export interface ModelOptions {
  readonly model?: string | undefined;
  readonly effort?: ReasoningEffort | undefined;
  readonly summary?: ReasoningSummary | undefined;
  readonly personality?: Personality | undefined;
}

/**
 * Options of `CodexAgent.open`. The agent answers server requests with its own handlers. It does not call the handlers
 * of the client.
 */
export interface AgentOptions
  extends ModelOptions, Pick<ServerRequestOptions, "onPermissions" | "onUserInput" | "onElicitation"> {
  /** Returns a connected client, which the agent then owns. Called when a run first needs a client. */
  readonly connect: () => Promise<CodexClient>;
  /** Whether all runs use one server (`"shared"`, the default) or each run starts its own (`"per-run"`). */
  readonly spawn?: "shared" | "per-run" | undefined;
  /** Default: the setting of the client. */
  readonly sandbox?: StartThreadOptions["sandbox"];
  /** Default `"on-request"` if `onApproval` is set, otherwise `"never"`. */
  readonly approvalPolicy?: StartThreadOptions["approvalPolicy"];
  /**
   * Decides on approval requests. If omitted, the same defaults apply as for a client without `onApproval`. `"fail"`
   * interrupts the turn and rejects the run with an `AnswerRequiredError`, like `"fail"` for the other handlers.
   */
  readonly onApproval?:
    | ((request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>)
    | "fail"
    | undefined;
  readonly auth?: AgentAuth | undefined;
  /** The folder for runs without a workspace, as an absolute path. Default: the server's own folder. */
  readonly cwd?: string | undefined;
  /** MCP servers by name, as in `mcp_servers` of config.toml. */
  readonly mcpServers?: StartThreadOptions["mcpServers"];
  /** If true, threads are not stored and cannot be reused. */
  readonly ephemeral?: boolean | undefined;
  readonly clock?: Clock | undefined;
}

/** A folder for runs, for example a `Workspace` of `codexwright/workspace`. */
export interface RunWorkspace {
  readonly dir: string;
  readonly fingerprint: string;
  /**
   * Returns the folder's files as the `Files` resource of tools, unless the prompt or the run provides `Files`. All
   * runs of the workspace share the first returned object. If that object is disposable, the run disposes it, and the
   * next run calls this method again.
   */
  files?(): FileSystem;
  checkpoint(): Promise<WorkspaceCheckpoint>;
  diff(from: WorkspaceCheckpoint, to?: WorkspaceCheckpoint): Promise<string>;
  revert(to: WorkspaceCheckpoint): Promise<readonly string[]>;
}

/** A snapshot of the files in a workspace. */
export interface WorkspaceCheckpoint {
  readonly tree: string;
}

/** Settings to run a failed turn again. */
export interface RetryOptions {
  /** Maximum number of retries. */
  readonly attempts: number;
  /** The first delay. Each further delay is twice as long. Default 500. */
  readonly baseMs?: number | undefined;
  /** The longest delay. Default 8,000. */
  readonly maxMs?: number | undefined;
}

/** Limits the events that a run keeps in memory. */
export interface EventLogOptions {
  /**
   * `run.events` has the last events, at most so many, and before them the `prompt.rendered` and `thread.started` events
   * of the run. Text deltas of one message that follow each other are joined and count as one. An iterator gets the kept
   * events first, and after that every event: if it is more than 1,024 events behind, it gets joined deltas, too, but no
   * text and no other event is lost.
   */
  readonly max: number;
}

/** Settings of a run, besides its input. */
export interface RunSettings extends ModelOptions {
  /**
   * State that tools and sections share. Default: a new session. If this is the `session` of a tool's context, the run
   * becomes part of that tool call: it sees the call's changes, and its own changes are committed or rolled back with
   * the call.
   */
  readonly session?: Session | SessionAccess | undefined;
  /**
   * The folder to run in. Its files become the `Files` resource of tools, unless the prompt or the run provides
   * `Files`.
   */
  readonly workspace?: RunWorkspace | undefined;
  /** Overrides `cwd` of the agent. */
  readonly cwd?: string | undefined;
  /** Providers of resources for tools. They take precedence over the prompt's providers of the same resources. */
  readonly resources?: readonly Provider[] | undefined;
  /** Limits the whole run: set-up, turns and tools. */
  readonly deadlineMs?: number | undefined;
  /**
   * Token limits for the thread and its sub-agents. To limit several runs together, pass the same `BudgetMeter` to all
   * of them.
   */
  readonly budget?: Budget | BudgetMeter | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How long a turn may be silent. Default: `turnSilenceMs` of the client. 0 = no limit. */
  readonly silenceMs?: number | undefined;
  /** The sandbox of the turns of this run, in detail. The thread keeps it for later turns. Overrides `sandbox`. */
  readonly sandboxPolicy?: NonNullable<TurnOptions["sandboxPolicy"]> | undefined;
  /** The name of the thread, for people. If it cannot be set, the run emits a warning. */
  readonly threadName?: string | undefined;
  /**
   * Resumes this thread. If that fails, the run fails with the error of the client, and starts no other thread. The
   * thread keeps the tools that it was started with, so the tools of the prompt must be the same. Not for use with
   * `reuseThread`.
   */
  readonly threadId?: string | undefined;
  /**
   * Resumes the thread of the session's last run of this prompt, if folder, workspace, tools, model, sandbox and
   * approval policy are unchanged.
   */
  readonly reuseThread?: boolean | undefined;
  /** How many events the run keeps in memory. Default: all. */
  readonly eventLog?: EventLogOptions | undefined;
  /** Returns the text to send on a reused thread. Default: the whole prompt text. */
  readonly resumeText?: ((rendered: RenderedPrompt) => string) | undefined;
  /**
   * How to handle the model's request to expand sections: `auto` (default) renders the prompt again and continues,
   * `throw` rejects with `expansion_required`.
   */
  readonly expansion?: "auto" | "throw" | undefined;
  /** Maximum number of extra turns to correct an invalid answer. Default 0. */
  readonly repair?: number | undefined;
  /**
   * Retries a turn after a temporary error, unless a tool with effects or a sub-agent ran in that turn. Default: no
   * retries.
   */
  readonly retry?: RetryOptions | undefined;
}

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- the type of {}
type Nothing = Record<never, never>;

/** Options of `agent.run`. The input is optional if the prompt does not require one. */
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
  onPermissions: is.either(is.func, is.oneOf("fail")),
  onUserInput: is.either(is.func, is.oneOf("decline", "fail")),
  onElicitation: is.either(is.func, is.oneOf("fail")),
  connect: needed(is.func),
  spawn: is.oneOf("shared", "per-run"),
  sandbox: is.orNull(is.oneOf(...SANDBOX_SPELLINGS)),
  approvalPolicy: is.orNull(is.either(is.oneOf(...APPROVAL_SPELLINGS), is.object)),
  onApproval: is.either(is.func, is.oneOf("fail")),
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
  // `BudgetMeter` validates the limits.
  budget: is.object,
  signal: is.signal,
  silenceMs: is.milliseconds,
  sandboxPolicy: is.object,
  threadName: is.nonEmptyText,
  threadId: is.nonEmptyText,
  reuseThread: is.flag,
  eventLog: shape<EventLogOptions>({ max: needed(is.integer(1)) }),
  resumeText: is.func,
  expansion: is.oneOf("auto", "throw"),
  repair: is.integer(0),
  retry: shape<RetryOptions>({
    attempts: needed(is.integer(0)),
    baseMs: is.milliseconds,
    maxMs: is.milliseconds,
  }),
};

/** Options of the model API that Codex does not support. */
const UNSUPPORTED = ["seed", "stop", "presencePenalty", "frequencyPenalty"];

function refuseUnsupported(options: unknown): void {
  const found = UNSUPPORTED.filter((name) => isGiven(options, name));
  if (found.length > 0)
    throw new InvalidArgumentError(`Codex does not support ${found.join(", ")}: remove these options`);
}

function isGiven(options: unknown, name: string): boolean {
  try {
    return (options as Readonly<Record<string, unknown>>)[name] !== undefined;
  } catch {
    return false; // `checkOptions` reports why the options cannot be read
  }
}

/** Rejects options that would otherwise fail later or be ignored. */
export function checkAgentOptions(options: AgentOptions): void {
  refuseUnsupported(options);
  checkOptions("CodexAgent.open()", options, AGENT);
  if (options.cwd !== undefined) checkFolder("cwd", options.cwd);
}

export function checkRunOptions(options: RunSettings & { readonly input?: unknown }): void {
  refuseUnsupported(options);
  checkOptions("agent.run()", options, RUN);
  const { cwd, workspace, threadId, reuseThread } = options;
  if (threadId !== undefined && reuseThread === true) {
    throw new InvalidArgumentError(
      "a run continues one thread: pass either threadId or reuseThread, not both",
    );
  }
  if (cwd !== undefined && workspace) {
    throw new InvalidArgumentError("a run has one folder: pass either cwd or workspace, not both");
  }
  if (cwd !== undefined) checkFolder("cwd", cwd);
}

/** Requires an absolute path: the server would resolve a relative one from its own folder. */
export function checkFolder(what: string, path: string): void {
  if (/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)) return;
  throw new InvalidArgumentError(`${what} must be an absolute path, but is ${JSON.stringify(path)}`);
}
