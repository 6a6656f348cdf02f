import type {
  ListMcpServerStatusParams,
  McpServerOauthLoginParams,
  McpServerStatus,
} from "../../../protocol/index.ts";
import { AbortedError, AuthFailedError } from "../../../rpc/errors.ts";
import { LoginAttempt } from "../account/attempt.ts";
import { refused } from "../account/errors.ts";
import { pages } from "../paging.ts";
import { CALL_OPTIONS, type CallOptions } from "../../connection/requester.ts";
import type { ServiceHost } from "../service-host.ts";
import * as is from "../../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../../rpc/options/table.ts";

/**
 * The `signal` cancels the whole login. `timeoutMs` limits only its start; `timeoutSecs` limits how long the user may
 * take.
 */
export type McpLoginOptions = CallOptions & Omit<McpServerOauthLoginParams, "name">;

const LOGIN: Table<McpLoginOptions> = {
  ...CALL_OPTIONS,
  threadId: is.anything,
  clientRegistration: is.anything,
  scopes: is.anything,
  timeoutSecs: is.anything,
};

type ServerFilter = Omit<ListMcpServerStatusParams, "cursor">;

const FILTER: Table<ServerFilter> = {
  limit: is.anything,
  detail: is.anything,
  threadId: is.anything,
  serverName: is.anything,
};

/** The MCP servers in Codex's configuration. */
export class Mcp {
  readonly #host: ServiceHost;

  constructor(host: ServiceHost) {
    this.#host = host;
  }

  /** Starts the OAuth login to an MCP server: send the user to `authorizationUrl` and await `completed`. */
  async login(serverName: string, options: McpLoginOptions = {}): Promise<McpLogin> {
    is.checkArgument("mcp.login()", "serverName", serverName, is.nonEmptyText);
    checkOptions("mcp.login()", options, LOGIN);
    const { signal, timeoutMs, ...more } = options;
    const what = `the login to MCP server ${serverName}`;
    if (signal?.aborted) throw new AbortedError(what, "notSent", signal.reason);
    const attempt = new LoginAttempt(this.#host, "mcpServer/oauthLogin/completed", what, signal);
    try {
      const { authorizationUrl, loginId } = await attempt.during(
        this.#host.request("mcpServer/oauth/login", { name: serverName, ...more }, { timeoutMs }),
      );
      // Servers before 0.166 identify logins only by the name of the MCP server.
      attempt.started(
        (end) => end.name === serverName && (!loginId || !end.loginId || end.loginId === loginId),
      );
      return new McpLogin(attempt, serverName, authorizationUrl, loginId);
    } catch (error) {
      attempt.fail(error);
      throw refused(error);
    }
  }

  /** Yields every configured MCP server with its tools, resources and login, page by page; `limit` is the page size. */
  servers(filter: ServerFilter = {}, call: CallOptions = {}): AsyncGenerator<McpServerStatus, undefined> {
    checkOptions("mcp.servers()", filter, FILTER);
    checkOptions("mcp.servers()", call, CALL_OPTIONS);
    return pages(
      "mcpServerStatus/list",
      (cursor) => this.#host.request("mcpServerStatus/list", { ...filter, cursor }, call),
      ({ name }) => name,
    );
  }

  /**
   * Makes Codex read the configuration of the MCP servers from disk again. Loaded threads use it from their next turn
   * on.
   */
  async reload(call: CallOptions = {}): Promise<void> {
    await this.#host.request("config/mcpServer/reload", undefined, call);
  }
}

/** An OAuth login to an MCP server. The login waits for its user. */
export class McpLogin implements Disposable {
  readonly serverName: string;
  /** The URL to send the user to. */
  readonly authorizationUrl: string;
  readonly loginId: string | undefined;
  /** Resolves when the login has succeeded. Rejects with `auth_failed`, `aborted` or `connection_closed`. */
  readonly completed: Promise<void>;
  readonly #attempt: LoginAttempt<"mcpServer/oauthLogin/completed">;

  constructor(
    attempt: LoginAttempt<"mcpServer/oauthLogin/completed">,
    serverName: string,
    authorizationUrl: string,
    loginId: string | undefined,
  ) {
    this.#attempt = attempt;
    this.serverName = serverName;
    this.authorizationUrl = authorizationUrl;
    this.loginId = loginId;
    this.completed = attempt.completed;
  }

  /** Stops waiting. The protocol cannot cancel such a login: the server ends it after `timeoutSecs`. */
  cancel(): void {
    this.#attempt.fail(
      new AuthFailedError("the login was cancelled", { cancelled: true, delivery: "unknown" }),
    );
  }

  /** The same as `cancel`. */
  close(): void {
    this.cancel();
  }

  [Symbol.dispose](): void {
    this.cancel();
  }
}
