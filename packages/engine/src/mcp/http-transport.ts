import type { Transport } from "@modelcontextprotocol/client";
import type { McpHttpSettings, McpServerState } from "../core/ports.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { ConnectionTransport } from "./connection.ts";
import { McpError } from "./mcp-error.ts";
import type { CredentialFile } from "./oauth/credentials.ts";
import { StoredLogin } from "./oauth/stored-login.ts";
import { loadSdk } from "./sdk.ts";

/** A server chooses how soon a broken stream is opened again, but not sooner and not more often than this. */
const LEAST_DELAY_MS = 1_000;
const MOST_RECONNECTIONS = 100;

/** A server over HTTP, and how it knows its user. */
export interface HttpTransport extends ConnectionTransport {
  readonly auth: () => McpServerState["auth"];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reaches a server over HTTP. Throws if a variable that its settings name is not set. */
export async function httpTransport(
  name: string,
  settings: McpHttpSettings,
  env: Environment,
  file: CredentialFile,
): Promise<HttpTransport> {
  const { StreamableHTTPClientTransport } = await loadSdk();
  const url = urlOf(settings.url);
  const headers = headersOf(name, settings, env);
  let failure: McpError | undefined;
  let opened = 0;
  const fetchFn = boundedFetch({
    origin: url.origin,
    headers,
    failed: (error) => {
      failure ??= error;
      void transport.close();
    },
  });
  const hasToken = headers["authorization"] !== undefined;
  const login = hasToken ? undefined : new StoredLogin(name, settings, file, fetchFn);
  const transport: Transport = new StreamableHTTPClientTransport(url, {
    fetch: fetchFn,
    ...(login && { authProvider: login }),
    reconnectionScheduler: (reconnect, delayMs) => {
      if (++opened > MOST_RECONNECTIONS) return undefined;
      const timer = setTimeout(reconnect, Math.max(delayMs, LEAST_DELAY_MS));
      timer.unref();
      return () => clearTimeout(timer);
    },
  });
  return {
    transport,
    failure: () => failure,
    secrets: () => [
      ...Object.values(headers).flatMap((value) => [value, value.replace(/^Bearer /i, "")]),
      ...(login?.secrets ?? []),
    ],
    auth: () => (hasToken ? "bearerToken" : login?.exists ? "oAuth" : "unsupported"),
  };
}

export function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new McpError("invalid", "its url must begin with http:// or https://");
}

/** The headers of the user, by their names in small letters. */
export function headersOf(
  name: string,
  { headers, envHeaders, bearerTokenEnvVar }: McpHttpSettings,
  env: Environment,
): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [header, value] of Object.entries(headers)) all[header.toLowerCase()] = value;
  for (const [header, variable] of Object.entries(envHeaders)) {
    const value = env[variable]?.trim();
    if (value) all[header.toLowerCase()] = value;
  }
  if (bearerTokenEnvVar !== undefined) {
    const token = env[bearerTokenEnvVar];
    if (!token) {
      const problem = token === undefined ? "not set" : "empty";
      throw new McpError(
        "invalid",
        `Environment variable ${bearerTokenEnvVar} for MCP server '${name}' is ${problem}`,
      );
    }
    all["authorization"] = `Bearer ${token}`;
  }
  try {
    return Object.fromEntries(new Headers(all));
  } catch {
    throw new McpError("invalid", "its http_headers have a name or a value that HTTP does not allow");
  }
}
