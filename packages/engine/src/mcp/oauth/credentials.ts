import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readFile } from "node:fs/promises";
import path from "node:path";
import { isJsonObject } from "codexwright/internal";
import { changeFile } from "../../config/index.ts";
import { parseJson } from "../../core/depth.ts";

/** The login to a server, with its tokens. */
export interface Credentials {
  /** The authorization server that the login is from. */
  readonly issuer?: string | undefined;
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** When the access token expires, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  readonly scopes: readonly string[];
}

type Entries = Readonly<Record<string, unknown>>;

/** A larger file is not one of ours. */
const MAX_SIZE = 4 * 1024 * 1024;

/**
 * The logins in `.credentials.json` of the home, in the form in which Codex keeps them in a file. Only the user can read the
 * file.
 */
export class CredentialFile {
  readonly #file: string;

  constructor(home: string) {
    this.#file = path.join(home, ".credentials.json");
  }

  async get(name: string, url: string): Promise<Credentials | undefined> {
    const entries = await this.#read();
    const key = keyOf(name, url);
    const entry: unknown = Object.hasOwn(entries, key) ? entries[key] : undefined;
    if (!isJsonObject(entry) || entry["server_url"] !== url) return undefined;
    const { client_id: clientId, access_token: accessToken, refresh_token: refreshToken } = entry;
    const { expires_at: expiresAt, issuer, scopes } = entry;
    if (typeof clientId !== "string" || typeof accessToken !== "string") return undefined;
    return {
      ...(typeof issuer === "string" && { issuer }),
      clientId,
      accessToken,
      ...(typeof refreshToken === "string" && { refreshToken }),
      ...(typeof expiresAt === "number" && { expiresAt }),
      scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : [],
    };
  }

  /** Keeps a login, or removes it. Other engines may do the same to other logins at the same time. */
  async set(name: string, url: string, credentials: Credentials | undefined): Promise<void> {
    const entry = credentials && {
      server_name: name,
      server_url: url,
      ...(credentials.issuer !== undefined && { issuer: credentials.issuer }),
      client_id: credentials.clientId,
      access_token: credentials.accessToken,
      expires_at: credentials.expiresAt ?? null,
      refresh_token: credentials.refreshToken ?? null,
      scopes: credentials.scopes,
    };
    await mkdir(path.dirname(this.#file), { recursive: true });
    const change = async (): Promise<{ text: string; result: undefined }> => {
      const { [keyOf(name, url)]: _, ...others } = await this.#read();
      const all = { ...others, ...(entry && { [keyOf(name, url)]: entry }) };
      return { text: JSON.stringify(all), result: undefined };
    };
    await changeFile(this.#file, change, 0o600);
  }

  async #read(): Promise<Entries> {
    try {
      // A pipe in its place must not block.
      const handle = await open(this.#file, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const { size } = await handle.stat();
        if (size > MAX_SIZE) return {};
        const parsed = parseJson(await readFile(handle, "utf8"));
        return isJsonObject(parsed) ? parsed : {};
      } finally {
        await handle.close();
      }
    } catch {
      // Without the file, or with one that cannot be read, there is no login.
      return {};
    }
  }
}

/** The key of a server in the file of Codex. */
function keyOf(name: string, url: string): string {
  const identity = JSON.stringify({ headers: {}, type: "http", url });
  return `${name}|${createHash("sha256").update(identity).digest("hex").slice(0, 16)}`;
}
