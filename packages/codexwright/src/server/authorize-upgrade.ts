import { SUBPROTOCOL, tokenOfProtocols } from "../websocket/subprotocol.ts";
import type { Verifier } from "./auth.ts";
import { hasWord, parseBearer, parseList } from "./headers.ts";

/** An HTTP request from an unknown sender. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** The headers, keyed by lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Who may connect. */
export interface UpgradePolicy {
  /** Whether to check the `Origin` header. Web pages can reach a port, but not a socket file. */
  readonly checksOrigin: boolean;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly verify: Verifier | undefined;
}

/** The final answer to a request that does not become a connection. */
export interface Refusal {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Decides like the real server: checks the origin, then health paths, then the form of the upgrade, then the token.
 * Returns `undefined` if the request may become a connection. Unlike the real server, refuses an upgrade request that
 * has a body, because the body would be read as WebSocket frames.
 */
export async function authorizeUpgrade(
  request: HttpRequest,
  policy: UpgradePolicy,
): Promise<Refusal | undefined> {
  const { method, url, headers } = request;
  const origin = policy.checksOrigin ? headers["origin"] : undefined;
  if (origin !== undefined && !policy.allowedOrigins.has(origin)) return { status: 403, body: "" };
  const [path] = url.split("?");
  if (path === "/readyz" || path === "/healthz") {
    if (method === "GET" || method === "HEAD") return { status: 200, body: "" };
    return { status: 405, body: "", headers: { allow: "GET,HEAD" } };
  }
  const malformed = formOf(method, headers);
  if (malformed) return malformed;
  const refusal = policy.verify && (await checkToken(headers, policy.verify, origin !== undefined));
  return refusal === undefined ? undefined : { status: 401, body: refusal };
}

/** Selects one of the offered subprotocols, but never the one that contains the token. */
export function selectProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has(SUBPROTOCOL) && SUBPROTOCOL;
}

function formOf(method: string, headers: HttpRequest["headers"]): Refusal | undefined {
  if (method !== "GET") return { status: 405, body: "Request method must be `GET`" };
  const bad = (body: string): Refusal => ({ status: 400, body });
  if (!hasWord(headers["connection"], "upgrade")) return bad("Connection header did not include 'upgrade'");
  if (!hasWord(headers["upgrade"], "websocket")) return bad("`Upgrade` header did not include 'websocket'");
  if (headers["sec-websocket-version"] !== "13")
    return bad("`Sec-WebSocket-Version` header did not include '13'");
  if (!headers["sec-websocket-key"]) return bad("`Sec-WebSocket-Key` header missing");
  if (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0)
    return bad("an upgrade cannot have a body");
  return undefined;
}

async function checkToken(
  headers: HttpRequest["headers"],
  verify: Verifier,
  isPage: boolean,
): Promise<string | undefined> {
  const offered = isPage ? tokenOfProtocols(parseList(headers["sec-websocket-protocol"])) : undefined;
  const bearer =
    headers["authorization"] === undefined && offered !== undefined
      ? { token: offered }
      : parseBearer(headers["authorization"]);
  return "token" in bearer ? await verify(bearer.token) : bearer.refusal;
}
