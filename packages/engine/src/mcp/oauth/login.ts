import type { McpHttpSettings, McpLogin, McpLoginOptions } from "../../core/ports.ts";
import { Cleaner } from "../../providers/index.ts";
import type { Fetch } from "../bounded-fetch.ts";
import { McpError } from "../mcp-error.ts";
import { loadSdk } from "../sdk.ts";
import { cleanFetch } from "./clean-fetch.ts";
import { callback, type Callback } from "./callback.ts";
import { ClientProvider } from "./client-provider.ts";
import type { CredentialFile } from "./credentials.ts";

/** How long the user may take. As in Codex. */
const TIMEOUT_MS = 300_000;
const LONGEST_ERROR = 1_000;

export interface LoginWorld {
  readonly file: CredentialFile;
  readonly fetchFn: Fetch;
  /** Aborts when the engine closes. */
  readonly signal: AbortSignal;
}

/** Starts a login. The user visits the address, and the login is complete when the page sends the user back. */
export async function login(
  name: string,
  settings: McpHttpSettings,
  { scopes = settings.scopes, timeoutMs = TIMEOUT_MS }: McpLoginOptions,
  { file, fetchFn, signal }: LoginWorld,
): Promise<McpLogin> {
  const { auth } = await loadSdk();
  const back = await callback(undefined);
  const provider = new ClientProvider({
    clientId: settings.clientId,
    redirectUrl: back.url,
    scopes,
    resource: settings.oauthResource,
  });
  const options = {
    serverUrl: settings.url,
    fetchFn: cleanFetch(fetchFn, () => secretsOf(provider)),
    ...(scopes && { scope: scopes.join(" ") }),
  };
  try {
    await auth(provider, options);
    const { authorizationUrl } = provider;
    if (!authorizationUrl) throw new McpError("login", "the server needs no login");
    const ended = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    return {
      authorizationUrl: authorizationUrl.href,
      completed: completed(back, provider, ended, async (authorizationCode, iss) => {
        await auth(provider, { ...options, authorizationCode, ...(iss !== null && { iss }) });
        await file.set(name, settings.url, provider.credentials());
      }),
    };
  } catch (error) {
    await back[Symbol.asyncDispose]();
    throw await shown(error, provider);
  }
}

async function completed(
  back: Callback,
  provider: ClientProvider,
  signal: AbortSignal,
  exchange: (code: string, issuer: string | null) => Promise<void>,
): Promise<void> {
  try {
    const params = await unless(signal, back.visit(provider.loginState));
    const problem = params.get("error");
    if (problem !== null) throw new McpError("login", params.get("error_description") ?? problem);
    const code = params.get("code");
    if (code === null) throw new McpError("login", "the login page sent no code");
    await exchange(code, params.get("iss"));
  } catch (error) {
    throw await shown(error, provider);
  } finally {
    await back[Symbol.asyncDispose]();
  }
}

/** The error without secrets. */
async function shown(error: unknown, provider: ClientProvider): Promise<McpError> {
  const message = error instanceof Error ? error.message : String(error);
  return new McpError("login", await new Cleaner(secretsOf(provider)).clean(message, LONGEST_ERROR));
}

function secretsOf(provider: ClientProvider): readonly string[] {
  const { access_token: access = "", refresh_token: refresh = "" } = provider.saved ?? {};
  return [access, refresh, provider.codeVerifier(), provider.loginState];
}

function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new McpError("login", "timed out waiting for the login"));
    signal.addEventListener("abort", late, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", late));
    if (signal.aborted) late();
  });
}
