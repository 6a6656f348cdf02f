import type { CodexClient } from "../../client/client.ts";
import type { ApprovalHandler, ServerRequestOptions } from "../../client/requests/index.ts";
import type { InferInput, Schema } from "../../client/schema/index.ts";
import type { ApprovalSpelling, SandboxSpelling } from "../../client/spelling.ts";
import type { StartThreadOptions } from "../../client/thread-options.ts";
import type { Personality, ReasoningEffort, ReasoningSummary } from "../../protocol/index.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import type { Clock } from "../clock.ts";
import type { Budget, BudgetMeter } from "../limits.ts";
import type { RenderedPrompt } from "../prompt/prompt.ts";
import type { FileSystem } from "../resources/file-system.ts";
import type { Provider } from "../resources/resource.ts";
import type { Session } from "../session/session.ts";

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
  readonly sandbox?: SandboxSpelling | undefined;
  /** Default `"never"`, or `"on-request"` where `onApproval` is given. */
  readonly approvalPolicy?: ApprovalSpelling | undefined;
  /** Decides on what the policy asks about. Unset: as `onApproval` of a client. */
  readonly onApproval?: ApprovalHandler | undefined;
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
  /** The folder as the `Files` of tools; called once a run, unless the prompt or the run provides `Files`. */
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
  /** State that tools and sections share; a new one unless given. */
  readonly session?: Session | undefined;
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

/** Options of the model API that Codex does not have. */
const UNSUPPORTED = ["seed", "stop", "presencePenalty", "frequencyPenalty"];

/** Refuses what would only fail later, or not at all. */
export function checkAgentOptions(options: AgentOptions): void {
  refuseUnsupported(options);
  if (typeof options.connect !== "function") {
    throw new InvalidArgumentError("connect is missing: give () => CodexClient.connect(…)");
  }
  if (options.cwd !== undefined) checkFolder("cwd", options.cwd);
}

export function checkRunOptions(options: RunSettings): void {
  refuseUnsupported(options);
  const { cwd, workspace, repair = 0 } = options;
  if (cwd !== undefined && workspace) {
    throw new InvalidArgumentError("cwd and workspace are both given: a run has one folder");
  }
  if (cwd !== undefined) checkFolder("cwd", cwd);
  if (!Number.isInteger(repair) || repair < 0) {
    throw new InvalidArgumentError(`repair is ${repair}: give a number of turns from 0`);
  }
}

/** Refuses a path that a server would take for one of its own folder. */
export function checkFolder(what: string, path: string): void {
  if (/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)) return;
  throw new InvalidArgumentError(`${what} is ${JSON.stringify(path)}: give an absolute path`);
}

function refuseUnsupported(options: object): void {
  const found = UNSUPPORTED.filter((name) => name in options);
  if (found.length > 0) throw new InvalidArgumentError(`Codex has no ${found.join(", ")}: leave them out`);
}
