import type { AuthProvider } from "@modelcontextprotocol/client";
import type { McpHttpSettings } from "../../core/ports.ts";
import type { Fetch } from "../bounded-fetch.ts";
import { McpError } from "../mcp-error.ts";
import { loadSdk } from "../sdk.ts";
import { cleanFetch } from "./clean-fetch.ts";
import { ClientProvider } from "./client-provider.ts";
import type { CredentialFile, Credentials } from "./credentials.ts";

/** A token that expires so soon is renewed before it is used. */
const EARLY_MS = 60_000;

/** The stored login to a server. Renews its token if it has expired. */
export class StoredLogin implements AuthProvider {
  readonly #name: string;
  readonly #settings: McpHttpSettings;
  readonly #file: CredentialFile;
  readonly #fetch: Fetch;
  #known: Credentials | undefined;
  #renewing: Promise<void> | undefined;

  constructor(name: string, settings: McpHttpSettings, file: CredentialFile, fetchFn: Fetch) {
    this.#name = name;
    this.#settings = settings;
    this.#file = file;
    this.#fetch = fetchFn;
  }

  /** Whether there is a login. */
  get exists(): boolean {
    return this.#known !== undefined;
  }

  /** The tokens, which must not appear in an error. */
  get secrets(): string[] {
    const { accessToken, refreshToken } = this.#known ?? {};
    return [accessToken, refreshToken].filter((token) => token !== undefined);
  }

  async token(): Promise<string | undefined> {
    this.#known ??= await this.#file.get(this.#name, this.#settings.url);
    const { expiresAt } = this.#known ?? {};
    if (
      expiresAt !== undefined &&
      expiresAt < Date.now() + EARLY_MS &&
      this.#known?.refreshToken !== undefined
    ) {
      await this.#renew();
    }
    return this.#known?.accessToken;
  }

  async onUnauthorized(): Promise<void> {
    if (this.#known?.refreshToken === undefined) throw this.#loggedOut();
    await this.#renew();
  }

  #renew(): Promise<void> {
    return (this.#renewing ??= this.#renewed().finally(() => (this.#renewing = undefined)));
  }

  async #renewed(): Promise<void> {
    const { auth } = await loadSdk();
    const { url, scopes, oauthResource: resource } = this.#settings;
    // Another process may have renewed it: a refresh token can often be used only once.
    const stored = await this.#file.get(this.#name, url);
    if (stored && stored.accessToken !== this.#known?.accessToken) {
      this.#known = stored;
      return;
    }
    const provider = new ClientProvider({
      clientId: undefined,
      redirectUrl: undefined,
      scopes,
      resource,
      credentials: this.#known,
    });
    const fetchFn = cleanFetch(this.#fetch, () => this.secrets);
    await auth(provider, { serverUrl: url, fetchFn }).catch(() => {
      throw this.#loggedOut();
    });
    this.#known = provider.credentials();
    if (!this.#known) throw this.#loggedOut();
    await this.#file.set(this.#name, url, this.#known);
  }

  #loggedOut(): McpError {
    return new McpError("login", this.exists ? "the login has expired" : "a login is needed");
  }
}
