import { AbortedError, InvalidArgumentError, MissingDependencyError } from "../rpc/errors.ts";
import { LINE_BYTES, MAX_LINE_BYTES } from "../rpc/line-too-long.ts";
import type { Transport, TransportFactory } from "../rpc/transport.ts";
import { dialGlobal, type GlobalSocket } from "./dial-global.ts";
import { dialWs, type Target } from "./dial-ws.ts";
import { isLoopback } from "./loopback.ts";
import { bearerProtocols } from "./subprotocol.ts";
import { loadWs } from "./ws.ts";
import * as is from "../rpc/options/check.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";

/** How to reach an app-server that listens on a websocket. */
export interface WebSocketOptions {
  /**
   * The capability token or signed token that the server requires. If it is a function, it is called for every
   * connection; use that for tokens that expire. The token is sent as `Authorization: Bearer`, or from browsers as a
   * subprotocol. It is never sent in the URL, and never over `ws://` to another machine.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /**
   * The interval between pings. A server that is silent for three intervals counts as dead. Default: 20,000; 0 disables
   * pings. Browsers cannot send pings.
   */
  readonly heartbeatMs?: number | undefined;
  /**
   * The longest line that the server may send, in bytes. A longer line ends the connection. Default: 268,435,456, which is
   * also the maximum. A built-in WebSocket has received the whole line before it can be refused.
   */
  readonly maxLineBytes?: number | undefined;
}

const OPTIONS: Table<WebSocketOptions> = {
  token: is.either(is.text, is.func),
  heartbeatMs: is.milliseconds,
  maxLineBytes: LINE_BYTES,
};

/**
 * Connects to an app-server over a websocket, `ws://` or `wss://`.
 *
 * Node and Bun use the package `ws`. It reports why a connection was refused, so the client rejects with `auth_failed`
 * and the server's message. In browsers, and if `ws` is not installed (Node 22 and later), the built-in WebSocket is
 * used. It does not report the reason, so every refusal is `connection_closed`. Messages are not compressed.
 */
export function websocket(url: string | URL, options: WebSocketOptions = {}): TransportFactory {
  checkOptions("websocket()", options, OPTIONS);
  const { token, heartbeatMs = 20_000, maxLineBytes = MAX_LINE_BYTES } = options;
  const address = checkUrl(url);
  const peer = `${address.protocol}//${address.host}`;
  if (token !== undefined && address.protocol === "ws:" && !isLoopback(address.hostname)) {
    throw new InvalidArgumentError(`a token is not sent to ${peer} without encryption: use wss://`);
  }
  if (typeof token === "string") checkToken(token);
  return async (signal) => {
    if (signal.aborted) throw new AbortedError("connecting", "notSent", signal.reason);
    const given = typeof token === "function" ? checkToken(await token()) : token;
    return await dial(address.href, { peer, token: given, heartbeatMs, maxLineBytes }, signal);
  };
}

async function dial(url: string, target: Target, signal: AbortSignal): Promise<Transport> {
  const Built = (globalThis as { WebSocket?: new (address: string, options?: unknown) => GlobalSocket })
    .WebSocket;
  const { token } = target;
  if (Built && !hasPackages()) {
    const protocols = token === undefined ? [] : bearerProtocols(token);
    return await dialGlobal(() => new Built(url, protocols), target, signal);
  }
  try {
    const { WebSocket } = await loadWs("websocket() on this version of Node");
    return await dialWs((options) => new WebSocket(url, [], options), target, signal);
  } catch (error) {
    if (!Built || !(error instanceof MissingDependencyError)) throw error;
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    return await dialGlobal(() => new Built(url, { headers }), target, signal);
  }
}

/** Whether this runtime can load packages. Browsers cannot. */
function hasPackages(): boolean {
  const { navigator } = globalThis as { navigator?: { readonly userAgent?: string } };
  return /^(Node\.js|Bun)\//.test(navigator?.userAgent ?? "");
}

/** Accepts a string, or a `URL` of any realm. */
const URL_LIKE: is.Check<string | URL> = is.either(is.text, is.instance<URL>("URL"));

function checkUrl(url: string | URL): URL {
  is.checkArgument<string | URL>("websocket()", "url", url, URL_LIKE);
  const text = String(url);
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address?.protocol !== "ws:" && address?.protocol !== "wss:") {
    throw new InvalidArgumentError("url must be like ws://127.0.0.1:4500 or wss://example.com/codex");
  }
  if (address.username || address.password) {
    throw new InvalidArgumentError("url must not contain a user or password: use the option token");
  }
  address.hash = "";
  return address;
}

/** Throws if the token is invalid. The error message must not contain the token. */
function checkToken(token: string): string {
  if (/^[\x20-\x7e]+$/.test(token) && token.trim() === token) return token;
  throw new InvalidArgumentError(
    "token must be non-empty printable ASCII without leading or trailing spaces",
  );
}
