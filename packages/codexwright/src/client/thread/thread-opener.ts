import type {
  AskForApproval,
  DynamicToolCallParams,
  DynamicToolCallResponse,
  DynamicToolSpec,
  SandboxPolicy,
  Thread as WireThread,
  ThreadStartParams,
} from "../../protocol/index.ts";
import { atLeast } from "../../protocol/release.ts";
import type { Withdrawable } from "../../rpc/withdrawable.ts";
import { checkOptions } from "../../rpc/options/table.ts";
import { chosenConfinement } from "./confinement.ts";
import { caughtUp, withoutPhantom } from "../turn/reconcile.ts";
import type { CallOptions } from "../connection/requester.ts";
import { UnsupportedError } from "../connection/server/server-errors.ts";
import type { ApprovalSpelling } from "../turn/options/spelling.ts";
import type { ThreadDefaults } from "./thread-defaults.ts";
import { resumeRefusal } from "./thread-facts.ts";
import {
  ignoredOverrides,
  toWire,
  type ForkThreadOptions,
  type ResumeThreadOptions,
  type StartThreadOptions,
} from "./thread-options.ts";
import type { ThreadHost, ThreadRoute } from "./thread-route.ts";
import { FORK_THREAD, RESUME_THREAD, START_THREAD } from "./thread-tables.ts";
import type { ToolBox } from "../../tools/tool-calls.ts";
import type { Tool } from "../../tools/tool.ts";

/** The common fields of the answers to start, resume and fork. */
interface Opened {
  readonly thread: WireThread;
  readonly model?: string;
  readonly sandbox?: SandboxPolicy;
}

/** The client options that affect how a thread is opened. */
interface OpenerOptions extends ThreadDefaults {
  /** The approval handler. If it is set, the default policy asks. */
  readonly onApproval?: unknown;
  /** `cwd`: the working folder of the server. */
  readonly transport: { readonly cwd?: string };
}

/** Starts, resumes and forks threads with the client's defaults. */
export class ThreadOpener {
  readonly #defaults: OpenerOptions;
  readonly #host: ThreadHost;
  readonly #route: (threadId: string) => ThreadRoute;

  constructor(defaults: OpenerOptions, host: ThreadHost, route: (threadId: string) => ThreadRoute) {
    this.#defaults = defaults;
    this.#host = host;
    this.#route = route;
  }

  async start(options: StartThreadOptions, call: CallOptions): Promise<ThreadRoute> {
    checkOptions("startThread()", options, START_THREAD);
    const { sandbox, permissions, approvalPolicy, mcpServers, tools, cwd, config, ...rest } = options;
    const confinement = chosenConfinement({ sandbox, permissions }) ??
      chosenConfinement(this.#defaults) ?? { sandbox: "workspace-write" };
    const { mcpConfig, ...wire } = this.#toWire({
      confinement,
      approvalPolicy: given(approvalPolicy, this.#defaults.approvalPolicy, this.#defaultPolicy()),
      ...(mcpServers && { mcpServers }),
    });
    const dynamicTools = tools && (await this.#specs(tools));
    const response = await this.#host.request(
      "thread/start",
      {
        ...(this.#defaults.model !== undefined && { model: this.#defaults.model }),
        ...(rest as ThreadStartParams),
        ...this.#cwd(cwd ?? this.#defaults.cwd),
        ...withConfig(config, mcpConfig),
        ...(dynamicTools && { dynamicTools }),
        ...wire,
      },
      call,
    );
    const route = await this.#opened(response, tools);
    if (approvalPolicy === null) this.#host.policies.withdraw(route.threadId);
    route.facts.confinement = confinement;
    return route;
  }

  /** @param lags whether the history may be out of date, because the server may just have ended a turn */
  async resume(
    id: string,
    options: ResumeThreadOptions,
    call: CallOptions,
    lags = false,
  ): Promise<ThreadRoute> {
    checkOptions("resumeThread()", options, RESUME_THREAD);
    const { sandbox, permissions, approvalPolicy, mcpServers, tools, cwd, config, ...rest } = options;
    const { facts } = this.#route(id);
    const { unloads } = facts;
    facts.resumes++;
    const { policies } = this.#host;
    if (approvalPolicy === null) policies.withdraw(id);
    // A resume that loads the thread restores neither its sandbox nor its policy, so earlier choices are sent again. If
    // no choice was made, neither is sent.
    const confinement =
      chosenConfinement({ sandbox, permissions }) ?? facts.confinement ?? chosenConfinement(this.#defaults);
    const { mcpConfig, ...wire } = this.#toWire({
      confinement: confinement ?? {},
      approvalPolicy: given(approvalPolicy, policies.standing(id), this.#defaults.approvalPolicy),
      ...(mcpServers && { mcpServers }),
    });
    const params = { ...(rest as object), ...this.#cwd(cwd), ...withConfig(config, mcpConfig), ...wire };
    const response = await this.#host
      .request("thread/resume", { ...params, threadId: id }, call)
      .catch((error: unknown) => {
        throw resumeRefusal(id, facts, error);
      });
    const ignored = ignoredOverrides({ ...wire, ...(rest.model && { model: rest.model }) }, response);
    if (ignored.length > 0) {
      const what = ignored.join(", ");
      this.#host.warn(
        "overrides_ignored",
        `thread ${id} was already loaded and kept its own ${what}: override them on its next turn`,
      );
    }
    const resumed = await withoutPhantom(this.#host, response.thread);
    const thread = lags ? await caughtUp(this.#host, this.#route(id).fold, resumed) : resumed;
    const route = await this.#opened({ ...response, thread }, tools);
    // If the thread was unloaded again since the request, it stays unloaded.
    if (facts.unloads === unloads) Object.assign(route.facts, { subscribed: true, fate: "alive" });
    if (!ignored.includes("sandbox") && !ignored.includes("permissions")) {
      route.facts.confinement = confinement;
    }
    return route;
  }

  async fork(id: string, options: ForkThreadOptions, call: CallOptions): Promise<ThreadRoute> {
    checkOptions("forkThread()", options, FORK_THREAD);
    const { sandbox, permissions, approvalPolicy, mcpServers, tools, cwd, config, ...rest } = options;
    const source = this.#route(id);
    const confinement =
      chosenConfinement({ sandbox, permissions }) ??
      source.facts.confinement ??
      chosenConfinement(this.#defaults);
    const { mcpConfig, ...wire } = this.#toWire({
      confinement: confinement ?? {},
      approvalPolicy: given(approvalPolicy, this.#defaults.approvalPolicy),
      ...(mcpServers && { mcpServers }),
    });
    // The server cannot list the turns of an ephemeral thread, and newer servers do not send a complete history with
    // the answer.
    const bare = rest.ephemeral === true && atLeast(this.#host.serverVersion(), "0.155.0");
    const params = {
      ...(rest as object),
      ...(bare && { excludeTurns: rest.excludeTurns ?? true }),
      ...this.#cwd(cwd),
      ...withConfig(config, mcpConfig),
      ...wire,
    };
    const response = await this.#host.request("thread/fork", { ...params, threadId: id }, call);
    const route = await this.#opened(response, tools);
    // A fork has the tools of its source.
    route.facts.tools ??= source.facts.tools;
    if (approvalPolicy === null) this.#host.policies.withdraw(route.threadId);
    route.facts.confinement = confinement;
    return route;
  }

  /**
   * Creates a fork for internal use, not at the caller's request, and does not read its history. The fork gets the
   * policy of the source thread. If that policy is `never` or unset, the client's option applies.
   */
  async copy(id: string): Promise<ThreadRoute> {
    const standing = this.#host.policies.standing(id);
    const approvalPolicy = standing === "never" ? undefined : standing;
    return await this.fork(id, { excludeTurns: true, approvalPolicy }, {});
  }

  /** Subscribes again to a thread that was unsubscribed, or whose connection was lost. */
  async resubscribe(route: ThreadRoute, lags?: boolean): Promise<void> {
    await this.resume(route.threadId, {}, {}, lags);
  }

  async callTool(
    route: ThreadRoute | undefined,
    params: DynamicToolCallParams,
    request: Withdrawable,
  ): Promise<DynamicToolCallResponse> {
    return await (route?.facts.tools ?? (await this.#toolBox([]))).call(params, request);
  }

  // The modules for tools are loaded only if a thread has tools.

  async #specs(tools: readonly Tool[]): Promise<DynamicToolSpec[]> {
    const { checkTools, toolSpecs, usesNamespaces } = await import("../../tools/tool-spec.ts");
    checkTools(tools);
    if (usesNamespaces(tools) && !atLeast(this.#host.serverVersion(), "0.145.0")) {
      throw new UnsupportedError("tools with a namespace require Codex 0.145 or newer: remove the namespace");
    }
    return toolSpecs(tools);
  }

  async #toolBox(tools: readonly Tool[]): Promise<ToolBox> {
    const { ToolBox: Box } = await import("../../tools/tool-calls.ts");
    return new Box(tools, {
      onFailure: ({ name }, cause) => this.#host.warn("tool_failed", `the tool ${name} failed`, cause),
    });
  }

  #toWire(own: Parameters<typeof toWire>[0]): ReturnType<typeof toWire> {
    return toWire(own, this.#host.serverVersion());
  }

  #defaultPolicy(): AskForApproval {
    return this.#defaults.onApproval === undefined ? "never" : "on-request";
  }

  /**
   * Omits the folder that the server runs in anyway: if it is sent, the server writes a trust entry into the user's
   * config.toml.
   */
  #cwd(cwd: string | null | undefined): { cwd?: string } {
    return cwd && cwd !== this.#defaults.transport.cwd ? { cwd } : {};
  }

  async #opened(response: Opened, tools: readonly Tool[] | undefined): Promise<ThreadRoute> {
    const route = this.#route(response.thread.id);
    this.#host.remember(route);
    route.describe({ ...response.thread, ...(response.model !== undefined && { model: response.model }) });
    route.seed(response.thread);
    if (tools) route.facts.tools = await this.#toolBox(tools);
    return route;
  }
}

/** The first policy that is set. `null` counts as set: it selects the user's configuration. */
function given(...policies: (ApprovalSpelling | null | undefined)[]): ApprovalSpelling | null {
  return policies.find((policy) => policy !== undefined) ?? null;
}

function withConfig<C extends object>(
  config: C | null | undefined,
  more: object | undefined,
): { config?: C } {
  if (!config && !more) return {};
  return { config: { ...config, ...more } as C };
}
