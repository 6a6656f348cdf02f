import { randomBytes } from "node:crypto";
import { stat, writeFile } from "node:fs/promises";
import type { ListenOptions } from "codexwright/server";
import { usageError } from "../shared/command-error.ts";
import { requireNamed, unreadable } from "../shared/named-file.ts";

/** The options that say what clients must show. */
export interface AuthFlags {
  readonly tokenFile?: string;
  readonly tokenSha256?: string;
  readonly jwtSecretFile?: string;
  readonly jwtIssuer?: string;
  readonly jwtAudience?: string;
}

/** What clients must show, and what the user must be told of it. */
export interface ChosenAuth {
  readonly auth?: NonNullable<ListenOptions["auth"]>;
  /** A token that was made for this run, to be shown once. */
  readonly token?: string;
  /** What is good to know. */
  readonly remark?: string;
}

/**
 * A websocket always asks for something, on loopback too: every program and every user of the machine can reach
 * it, and who reaches it runs commands. Without an option a token is made, but only a terminal is shown it: the
 * stderr of a service ends in a log.
 */
export async function chooseAuth(flags: AuthFlags, url: string, onTerminal: boolean): Promise<ChosenAuth> {
  const { tokenFile, tokenSha256, jwtSecretFile, jwtIssuer, jwtAudience } = flags;
  const given = [tokenFile, tokenSha256, jwtSecretFile].filter((each) => each !== undefined);
  if (given.length > 1) throw usageError("give one of --token-file, --token-sha256 and --jwt-secret-file");
  if (jwtSecretFile === undefined && (jwtIssuer ?? jwtAudience) !== undefined) {
    throw usageError("--jwt-issuer and --jwt-audience need --jwt-secret-file");
  }
  if (url.startsWith("unix://")) {
    if (given.length > 0)
      throw usageError("a unix socket is guarded by its file's mode: give no token for it");
    return {};
  }
  if (!url.startsWith("ws://")) throw usageError(`--listen is ${url}: give ws://HOST:PORT or unix://PATH`);
  if (jwtSecretFile !== undefined) {
    await requireNamed("--jwt-secret-file", jwtSecretFile, process.cwd());
    return {
      auth: { signedBearer: { secretFile: jwtSecretFile, issuer: jwtIssuer, audience: jwtAudience } },
    };
  }
  if (tokenSha256 !== undefined) {
    if (!/^[\da-f]{64}$/i.test(tokenSha256))
      throw usageError("--token-sha256 must have 64 hexadecimal digits");
    return { auth: { capabilityToken: { sha256: tokenSha256 } } };
  }
  if (tokenFile !== undefined) return await fromFile(tokenFile);
  if (!isLoopback(url)) {
    throw usageError(`${url} can be reached from other machines: give --token-file or --jwt-secret-file`);
  }
  if (!onTerminal) {
    throw usageError(
      "give --token-file (it is made where it is missing): without a terminal no token is shown",
    );
  }
  const token = newToken();
  return { auth: { capabilityToken: { token } }, token };
}

async function fromFile(file: string): Promise<ChosenAuth> {
  const auth: ListenOptions["auth"] = { capabilityToken: { file } };
  try {
    await writeFile(file, `${newToken()}\n`, { flag: "wx", mode: 0o600 });
    return { auth, remark: `Made a token and wrote it to ${file}.` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unreadable("--token-file", file, error);
  }
  await requireNamed("--token-file", file, process.cwd());
  const { mode } = await stat(file);
  const isShared = process.platform !== "win32" && (mode & 0o077) !== 0;
  return isShared ? { auth, remark: `Other users can read ${file}: chmod 600 it.` } : { auth };
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}

function isLoopback(url: string): boolean {
  return /^ws:\/\/(localhost|127(\.\d+){3}|\[::1\])(:|\/|$)/i.test(url);
}
