import type {
  AskForApproval,
  DynamicToolCallParams,
  DynamicToolCallResponse,
  DynamicToolSpec,
  SandboxPolicy,
  Thread as WireThread,
  ThreadStartParams,
} from "../protocol/index.ts";
import type { ClientOptions } from "./options.ts";
import { atLeast } from "../protocol/release.ts";
import type { Waiting } from "../rpc/waiting.ts";
import { checkOptions } from "../rpc/options/table.ts";
import { caughtUp } from "./reconcile.ts";
import type { CallOptions } from "./requester.ts";
import { UnsupportedError } from "./server-errors.ts";
import {
  ignoredOverrides,
  toWire,
  type ForkThreadOptions,
  type ResumeThreadOptions,
  type StartThreadOptions,
} from "./thread-options.ts";
import type { ThreadHost, ThreadRoute } from "./thread-route.ts";
import { FORK_THREAD, RESUME_THREAD, START_THREAD } from "./thread-tables.ts";
import type { ToolBox } from "./tools/tool-calls.ts";
import type { Tool } from "./tools/tool.ts";

/** What the answers to start, resume and fork have in common. */
interface Opened {
  readonly thread: WireThread;
  readonly model?: string;
  readonly sandbox?: SandboxPolicy;
}

/** Starts, resumes and forks threads with the client's defaults. */
export class ThreadOpener {
  readonly #defaults: ClientOptions;
  readonly #host: ThreadHost;
  readonly #route: (threadId: string) => ThreadRoute;

  constructor(defaults: ClientOptions, host: ThreadHost, route: (threadId: string) => ThreadRoute) {
    this.#defaults = defaults;
    this.#host = host;
    this.#route = route;
  }

  async start(options: StartThreadOptions, call: CallOptions): Promise<ThreadRoute> {
    checkOptions("startThread()", options, START_THREAD);
    const { sandbox, approvalPolicy, mcpServers, tools, cwd, config, ...rest } = options;
    const own = this.#toWire({
      sandbox: sandbox ?? this.#defaults.sandbox ?? "workspace-write",
      approvalPolicy: approvalPolicy ?? this.#defaults.approvalPolicy ?? this.#defaultPolicy(),
      ...(mcpServers && { mcpServers }),
    });
    const { mcpConfig, ...wire } = own;
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
    if (wire.sandbox) route.facts.sandbox = wire.sandbox;
    return route;
  }

  /** @param lags whether the history may lag behind: the server that we ask may just have ended a turn */
  async resume(
    id: string,
    options: ResumeThreadOptions,
    call: CallOptions,
    lags = false,
  ): Promise<ThreadRoute> {
    checkOptions("resumeThread()", options, RESUME_THREAD);
    const { sandbox, approvalPolicy, mcpServers, tools, cwd, config, ...rest } = options;
    const { mcpConfig, ...wire } = this.#toWire({
      // A cold resume restores neither, so what was chosen before is said again; what nobody chose is not.
      sandbox: sandbox ?? this.#route(id).facts.sandbox ?? this.#defaults.sandbox ?? null,
      approvalPolicy: approvalPolicy ?? this.#defaults.approvalPolicy ?? null,
      ...(mcpServers && { mcpServers }),
    });
    const response = await this.#host.request(
      "thread/resume",
      { ...(rest as object), ...this.#cwd(cwd), ...withConfig(config, mcpConfig), ...wire, threadId: id },
      call,
    );
    const ignored = ignoredOverrides({ ...wire, ...(rest.model && { model: rest.model }) }, response);
    if (ignored.length > 0) {
      const what = ignored.join(", ");
      this.#host.warn(
        "overrides_ignored",
        `thread ${id} was loaded already and kept its own ${what}: override them on its next turn`,
      );
    }
    const thread = lags ? await caughtUp(this.#host, this.#route(id), response.thread) : response.thread;
    const route = await this.#opened({ ...response, thread }, tools);
    route.facts.subscribed = true;
    if (wire.sandbox && !ignored.includes("sandbox")) route.facts.sandbox = wire.sandbox;
    return route;
  }

  async fork(id: string, options: ForkThreadOptions, call: CallOptions): Promise<ThreadRoute> {
    checkOptions("forkThread()", options, FORK_THREAD);
    const { sandbox, approvalPolicy, mcpServers, tools, cwd, config, ...rest } = options;
    const source = this.#route(id);
    const { mcpConfig, ...wire } = this.#toWire({
      sandbox: sandbox ?? source.facts.sandbox ?? this.#defaults.sandbox ?? null,
      approvalPolicy: approvalPolicy ?? this.#defaults.approvalPolicy ?? null,
      ...(mcpServers && { mcpServers }),
    });
    const response = await this.#host.request(
      "thread/fork",
      { ...(rest as object), ...this.#cwd(cwd), ...withConfig(config, mcpConfig), ...wire, threadId: id },
      call,
    );
    const route = await this.#opened(response, tools);
    // The copy has the tools of the thread it was made from.
    route.facts.tools ??= source.facts.tools;
    if (wire.sandbox) route.facts.sandbox = wire.sandbox;
    return route;
  }

  /** Subscribes again to a thread that was unsubscribed from, or whose connection was lost. */
  async resubscribe(route: ThreadRoute, lags?: boolean): Promise<void> {
    await this.resume(route.threadId, {}, {}, lags);
  }

  async callTool(
    route: ThreadRoute | undefined,
    params: DynamicToolCallParams,
    waiting: Waiting,
  ): Promise<DynamicToolCallResponse> {
    return await (route?.facts.tools ?? (await this.#toolBox([]))).call(params, waiting);
  }

  // What tools need is loaded by those who have any.

  async #specs(tools: readonly Tool[]): Promise<DynamicToolSpec[]> {
    const { checkTools, toolSpecs, usesNamespaces } = await import("./tools/tool-spec.ts");
    checkTools(tools);
    if (usesNamespaces(tools) && !atLeast(this.#host.serverVersion(), "0.145.0")) {
      throw new UnsupportedError("tools in namespaces need Codex 0.145 or newer: leave out namespace");
    }
    return toolSpecs(tools);
  }

  async #toolBox(tools: readonly Tool[]): Promise<ToolBox> {
    const { ToolBox: Box } = await import("./tools/tool-calls.ts");
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

  /** Told the folder it runs in anyway, the server would write a trust entry into the user's config.toml. */
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

function withConfig<C extends object>(
  config: C | null | undefined,
  more: object | undefined,
): { config?: C } {
  if (!config && !more) return {};
  return { config: { ...config, ...more } as C };
}
