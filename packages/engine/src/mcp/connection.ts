import { isDeepStrictEqual } from "node:util";
import type { Client, Transport } from "@modelcontextprotocol/client";
import { isJsonObject } from "codexwright/internal";
import type {
  McpCall,
  McpContext,
  McpElicitation,
  McpResourceKind,
  McpResourcePage,
  McpResult,
  McpServer,
  McpServerSettings,
  McpServerState,
  McpStartup,
  McpTool,
} from "../core/ports.ts";
import { Cleaner } from "../providers/index.ts";
import { CallClock } from "./call-clock.ts";
import { allows, allPages, toolsOf } from "./listing.ts";
import { McpError } from "./mcp-error.ts";
import { ANY_RESULT, loadSdk } from "./sdk.ts";

type Wire = Readonly<Record<string, unknown>>;

/** The longest time that a timer takes. The engine has timers of its own. */
const NO_TIMEOUT = 2_147_483_647;
/** The most characters of an error of a server that clients and the model get. */
const LONGEST_ERROR = 1_000;
/** The most characters of the instructions of a server, which are a part of each request to the model. */
const LONGEST_INSTRUCTIONS = 16 * 1024;
/** The most questions of a server that wait for the user at the same time. It cannot fill the memory with more. */
const MOST_QUESTIONS = 32;
/** The most characters of a question. */
const LONGEST_QUESTION = 256 * 1024;
const EXPIRED = "the login has expired";
const PLAIN_STATES = { new: "notStarted", starting: "starting", closed: "cancelled" } as const;
/** The methods that list what a server offers to read. */
const LISTS: Readonly<Record<McpResourceKind, string>> = {
  resources: "resources/list",
  resourceTemplates: "resources/templates/list",
};
const NAME = /^[a-zA-Z0-9_-]+$/;

export interface ConnectionOptions {
  readonly name: string;
  readonly settings: McpServerSettings;
  /** The version that the engine reports to servers. */
  readonly version: string;
  /** Reaches the server. Rejects if its settings are not usable. */
  readonly transport: () => Promise<ConnectionTransport>;
}

export interface ConnectionTransport {
  readonly transport: Transport;
  /** Why the connection ended, if the server broke a rule. */
  readonly failure: () => McpError | undefined;
  /** Texts that must not appear in an error. */
  readonly secrets: () => readonly string[];
  /** Whether there is a login for the server. Default: it needs none. */
  readonly auth?: () => McpServerState["auth"];
}

/** A running call, with the functions by which its server reaches the user. */
interface Running {
  readonly context: McpContext;
  readonly clock: CallClock;
}

type State =
  | { readonly phase: "new" | "starting" | "closed" }
  | { readonly phase: "ready"; readonly client: Client; readonly server: McpServer }
  | {
      readonly phase: "failed";
      readonly error: McpError;
      /** The server, if it had started. Its tools stay on offer, because a changed list of tools costs a model its cache. */
      readonly server?: McpServer;
    };

/** The connection of a thread to one MCP server. */
export class McpConnection {
  readonly name: string;
  readonly settings: McpServerSettings;
  readonly #options: ConnectionOptions;
  readonly #running = new Set<Running>();
  readonly #closing = new AbortController();
  #questions = 0;
  #state: State = { phase: "new" };
  #reached: ConnectionTransport | undefined;
  #started: Promise<McpStartup> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.name = options.name;
    this.settings = options.settings;
  }

  /** The server with its tools, if it had started. */
  get server(): McpServer | undefined {
    return "server" in this.#state ? this.#state.server : undefined;
  }

  /** Whether the server has not been started. */
  get isNew(): boolean {
    return this.#state.phase === "new";
  }

  /** Whether the connection works as these settings say. One that has failed does not. */
  hasSettings(settings: McpServerSettings): boolean {
    return this.#state.phase !== "failed" && isDeepStrictEqual(this.settings, settings);
  }

  /** Starts the server. Resolves when it has started or failed. */
  start(): Promise<McpStartup> {
    return (this.#started ??= this.#start());
  }

  state(): McpServerState {
    const { name } = this;
    const { transport } = this.settings;
    const known = {
      name,
      ...(transport.type === "http" && { httpOrigin: originOf(transport.url) }),
      auth: this.#auth(),
    };
    const state = this.#state;
    if (state.phase === "ready") return { ...known, status: "connected", server: state.server };
    if (state.phase !== "failed") return { ...known, status: PLAIN_STATES[state.phase] };
    const status = state.error.code === "login" ? "authenticationRequired" : "failed";
    return { ...known, status, error: startupText(name, state.error) };
  }

  #auth(): McpServerState["auth"] {
    const auth = this.#reached?.auth?.() ?? "unsupported";
    const needsLogin = this.#state.phase === "failed" && this.#state.error.code === "login";
    return needsLogin && auth === "unsupported" ? "notLoggedIn" : auth;
  }

  async page(kind: McpResourceKind, cursor: string | undefined): Promise<McpResourcePage> {
    const result = await this.#request(LISTS[kind], cursor === undefined ? {} : { cursor });
    const { [kind]: items, nextCursor } = result;
    if (!Array.isArray(items)) throw new McpError("invalid", `the server answered without ${kind}`);
    return {
      items: items.filter((item): item is Wire => isJsonObject(item)),
      ...(typeof nextCursor === "string" && { nextCursor }),
    };
  }

  async all(kind: McpResourceKind): Promise<readonly Wire[]> {
    return await allPages(LISTS[kind], kind, (params) => this.#request(LISTS[kind], params));
  }

  async read(uri: string): Promise<Wire> {
    return await this.#request("resources/read", { uri });
  }

  async #request(method: string, params: Wire): Promise<Wire> {
    const state = this.#state;
    if (state.phase !== "ready") throw new McpError("closed", this.#whyNot());
    const clock = new CallClock(this.settings.toolTimeoutMs);
    try {
      const signal = AbortSignal.any([clock.signal, this.#closing.signal]);
      return wireOf(
        await state.client.request({ method, params }, ANY_RESULT, { timeout: NO_TIMEOUT, signal }),
      );
    } catch (error) {
      if (!clock.signal.aborted) throw await this.#errorOf(error, "refused");
      throw new McpError(
        "timeout",
        `${method} timed out after ${this.settings.toolTimeoutMs / 1_000} seconds`,
      );
    } finally {
      clock.stop();
    }
  }

  tool({ callId, threadId, tool: name, unlisted = false }: McpCall): McpTool | undefined {
    const listed = this.server?.tools.find((tool) => tool.name === name);
    const info = listed ?? (unlisted && allows(this.settings, name) ? { name } : undefined);
    if (!info) return undefined;
    return { ...info, call: (args, context) => this.#call(name, args, { callId, threadId }, context) };
  }

  /** Stops the server. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#state = { phase: "closed" };
    await this.#reached?.transport.close();
    await this.#started;
  }

  async #start(): Promise<McpStartup> {
    const { name } = this;
    this.#state = { phase: "starting" };
    const clock = new CallClock(this.settings.startupTimeoutMs);
    const signal = AbortSignal.any([clock.signal, this.#closing.signal]);
    try {
      const ready = await until(signal, this.#connect(signal));
      if (this.#closing.signal.aborted) return { name, status: "cancelled" };
      this.#state = { phase: "ready", ...ready };
      Object.assign(ready.client, { onclose: () => this.#ended(ready.server) });
      return { name, status: "ready" };
    } catch (cause) {
      const stopped = this.#reached?.transport.close();
      await stopped?.catch(() => {});
      if (this.#closing.signal.aborted) return { name, status: "cancelled" };
      const error = clock.signal.aborted ? this.#late() : await this.#errorOf(cause, "start");
      this.#state = { phase: "failed", error };
      const reauthenticate = error.code === "login" && error.message === EXPIRED;
      return { name, status: "failed", error: startupText(name, error), reauthenticate };
    } finally {
      clock.stop();
    }
  }

  async #connect(signal: AbortSignal): Promise<{ client: Client; server: McpServer }> {
    const { name, settings, version } = this.#options;
    if (!NAME.test(name)) {
      throw new McpError("invalid", "its name may only have letters, digits, `_` and `-`");
    }
    const { Client } = await loadSdk();
    const reached = await this.#options.transport();
    this.#reached = reached;
    // It may have been closed meanwhile. Then no process may start.
    signal.throwIfAborted();
    const client = new Client(
      { name: "codexwright", title: "Codexwright", version },
      { capabilities: { elicitation: { form: {}, url: {} } } },
    );
    client.setRequestHandler("elicitation/create", ({ params }) => this.#elicit(params) as never);
    await client.connect(reached.transport, { timeout: NO_TIMEOUT, signal });
    const listed = await allPages("tools/list", "tools", async (params) =>
      wireOf(
        await client.request({ method: "tools/list", params }, ANY_RESULT, { timeout: NO_TIMEOUT, signal }),
      ),
    );
    const info = client.getServerVersion();
    const server: McpServer = {
      name,
      version: info?.version ?? "",
      info: info && { ...info },
      capabilities: { ...client.getServerCapabilities() },
      instructions: client.getInstructions()?.slice(0, LONGEST_INSTRUCTIONS),
      tools: toolsOf(listed, settings),
    };
    return { client, server };
  }

  async #call(
    name: string,
    args: Wire,
    meta: { readonly callId: string; readonly threadId: string },
    context: McpContext,
  ): Promise<McpResult> {
    const state = this.#state;
    if (state.phase !== "ready") return { error: `${this.name}.${name} failed: ${this.#whyNot()}` };
    const clock = new CallClock(this.settings.toolTimeoutMs);
    const running = { context, clock };
    this.#running.add(running);
    try {
      const result = await state.client.request(
        { method: "tools/call", params: { name, arguments: args, _meta: meta } },
        ANY_RESULT,
        {
          timeout: NO_TIMEOUT,
          signal: AbortSignal.any([clock.signal, context.signal, this.#closing.signal]),
          onprogress: ({ message }) => {
            if (message) context.progress(message);
          },
        },
      );
      return resultOf(result);
    } catch (error) {
      if (clock.signal.aborted) {
        const seconds = this.settings.toolTimeoutMs / 1_000;
        return { error: `${this.name}.${name} timed out after ${seconds} seconds` };
      }
      const { message, rpcCode } = await this.#errorOf(error, "refused");
      return { error: `${this.name}.${name} failed: ${message}`, code: rpcCode };
    } finally {
      this.#running.delete(running);
      clock.stop();
    }
  }

  /** Asks the user within the last call that was made. A server without a running call cannot ask. */
  async #elicit(request: unknown): Promise<Wire> {
    const running = [...this.#running].at(-1);
    if (!running || this.#questions === MOST_QUESTIONS) return { action: "decline" };
    if (JSON.stringify(request).length > LONGEST_QUESTION) return { action: "decline" };
    this.#questions++;
    try {
      return await running.clock.pausedFor(() => running.context.elicit(request as McpElicitation));
    } finally {
      this.#questions--;
    }
  }

  #whyNot(): string {
    return this.#state.phase === "failed" ? this.#state.error.message : "the server is not running";
  }

  /** The server has ended, or its connection was cut off. */
  #ended(server: McpServer): void {
    if (this.#state.phase !== "ready") return;
    const error = this.#reached?.failure() ?? new McpError("closed", "the server has stopped");
    this.#state = { phase: "failed", error, server };
  }

  #late(): McpError {
    const seconds = this.settings.startupTimeoutMs / 1_000;
    return new McpError("timeout", `timed out after ${seconds} seconds`);
  }

  /** The failure without secrets: a server may quote the headers that it got. */
  async #errorOf(error: unknown, code: McpError["code"]): Promise<McpError> {
    const failure = this.#reached?.failure();
    if (failure) return failure;
    if (error instanceof McpError) return error;
    const reason = (error as { readonly code?: unknown }).code;
    if (isUnauthorized(error)) return new McpError("login", "a login is needed");
    if (reason === "CONNECTION_CLOSED") return new McpError("closed", "the server has stopped");
    const message = error instanceof Error ? error.message : String(error);
    const clean = await new Cleaner(this.#reached?.secrets() ?? []).clean(message, LONGEST_ERROR);
    return new McpError(code, clean, Number.isSafeInteger(reason) ? { rpcCode: Number(reason) } : {});
  }
}

/** The origin of a URL, without its user and password. */
function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Whether the server asks for a login. */
function isUnauthorized(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { status } = error as { readonly status?: unknown };
  return status === 401 || error.name === "UnauthorizedError" || error.cause instanceof McpError;
}

function startupText(name: string, { code, message }: McpError): string {
  if (code === "login") {
    const state = message === EXPIRED ? "requires OAuth reauthentication" : "is not logged in";
    return `The ${name} MCP server ${state}. A client can start the login with mcpServer/oauth/login.`;
  }
  if (code !== "timeout") return `MCP client for \`${name}\` failed to start: ${message}`;
  return `MCP client for \`${name}\` ${message}. A server that needs longer needs a larger startup_timeout_sec in [mcp_servers.${name}] of config.toml.`;
}

function resultOf(result: unknown): McpResult {
  if (!isJsonObject(result)) return { error: "the server answered without a result" };
  const { content = [], structuredContent, isError, _meta } = result;
  if (!Array.isArray(content)) return { error: "the server answered with content that is not a list" };
  return {
    content: content.filter((part): part is Wire => isJsonObject(part)),
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError === true && { isError }),
    ...(isJsonObject(_meta) && { _meta }),
  };
}

function wireOf(result: unknown): Wire {
  return isJsonObject(result) ? result : {};
}

/** Settles like the work, but rejects as soon as the signal aborts. */
function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
  });
}
