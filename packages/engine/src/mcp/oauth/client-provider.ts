import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { randomBytes } from "node:crypto";
import { McpError } from "../mcp-error.ts";
import type { Credentials } from "./credentials.ts";

export interface ClientProviderOptions {
  /** The id of a client that is registered already. */
  readonly clientId: string | undefined;
  /** The address that the user comes back to. Absent for a refresh, which cannot ask the user. */
  readonly redirectUrl: string | undefined;
  readonly scopes: readonly string[] | undefined;
  /** The resource that the login is for. Default: the one that the server names. */
  readonly resource: string | undefined;
  /** The login so far. */
  readonly credentials?: Credentials | undefined;
}

/** The client of one login or one refresh. It keeps tokens in memory only: the caller stores them. */
export class ClientProvider implements OAuthClientProvider {
  /** Protects the login from pages that send codes of their own. */
  readonly loginState: string = randomBytes(32).toString("base64url");
  authorizationUrl: URL | undefined;
  saved: StoredOAuthTokens | undefined;
  readonly validateResourceURL?: () => Promise<URL>;
  readonly #options: ClientProviderOptions;
  #client: StoredOAuthClientInformation | undefined;
  #verifier = "";
  #refused = false;
  #discovery: OAuthDiscoveryState | undefined;

  constructor(options: ClientProviderOptions) {
    this.#options = options;
    const { resource } = options;
    if (resource !== undefined)
      this.validateResourceURL = async () => await Promise.resolve(new URL(resource));
    const clientId = options.credentials?.clientId ?? options.clientId;
    if (clientId !== undefined) this.#client = { client_id: clientId, ...issuerOf(options.credentials) };
  }

  get clientId(): string | undefined {
    return this.#client?.client_id;
  }

  /** The client of the protocol takes a provider without an address for a machine that logs in by itself. */
  get redirectUrl(): string {
    return this.#options.redirectUrl ?? "http://127.0.0.1/callback";
  }

  get clientMetadata(): OAuthClientProvider["clientMetadata"] {
    const { scopes } = this.#options;
    return {
      client_name: "Codexwright",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      ...(scopes && { scope: scopes.join(" ") }),
    };
  }

  state(): string {
    return this.loginState;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }

  tokens(): StoredOAuthTokens | undefined {
    if (this.saved) return this.saved;
    if (this.#refused) return undefined;
    const { credentials } = this.#options;
    if (credentials?.refreshToken === undefined) return undefined;
    const { accessToken, refreshToken } = credentials;
    const issuer = issuerOf(credentials);
    return { access_token: accessToken, refresh_token: refreshToken, token_type: "Bearer", ...issuer };
  }

  /** The server has refused the login so far. */
  invalidateCredentials(): void {
    this.#refused = true;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.saved = tokens;
  }

  redirectToAuthorization(url: URL): void {
    if (this.#options.redirectUrl === undefined) throw new McpError("login", "the login has expired");
    this.authorizationUrl = url;
  }

  /** The authorization server of the login: the code must come from the same one. */
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  /** The login after the tokens have arrived. */
  credentials(): Credentials | undefined {
    const { saved, clientId } = this;
    if (!saved || clientId === undefined) return undefined;
    const refreshToken = saved.refresh_token ?? this.#options.credentials?.refreshToken;
    return {
      clientId,
      accessToken: saved.access_token,
      ...(refreshToken !== undefined && { refreshToken }),
      ...(saved.expires_in !== undefined && { expiresAt: Date.now() + saved.expires_in * 1_000 }),
      ...(saved.issuer !== undefined && { issuer: saved.issuer }),
      scopes: saved.scope?.split(" ") ?? this.#options.credentials?.scopes ?? [],
    };
  }
}

function issuerOf(credentials: Credentials | undefined): { readonly issuer?: string } {
  return credentials?.issuer === undefined ? {} : { issuer: credentials.issuer };
}
