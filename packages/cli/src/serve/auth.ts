import { randomBytes } from "node:crypto";
import { stat, writeFile } from "node:fs/promises";
import type { ListenOptions } from "codexwright/server";
import { usageError } from "../shared/command-error.ts";
import { requireNamed, unreadable } from "../shared/named-file.ts";

/** The options that choose how clients authenticate. */
export interface AuthFlags {
  readonly tokenFile?: string;
  readonly tokenSha256?: string;
  readonly jwtSecretFile?: string;
  readonly jwtIssuer?: string;
  readonly jwtAudience?: string;
}

/** How clients authenticate, and what to report about it. */
export interface ChosenAuth {
  readonly auth?: NonNullable<ListenOptions["auth"]>;
  /** A token that was generated for this run, shown once. */
  readonly token?: string;
  /** A message for the user. */
  readonly remark?: string;
}

/**
 * A websocket always requires authentication, on loopback too: every program and every user of the machine
 * can reach it, and can then run commands. Without an option, a token is generated. It is shown only on a
 * terminal, because the stderr of a service ends up in a log.
 */
export async function chooseAuth(flags: AuthFlags, url: string, onTerminal: boolean): Promise<ChosenAuth> {
  const { tokenFile, tokenSha256, jwtSecretFile, jwtIssuer, jwtAudience } = flags;
  const given = [tokenFile, tokenSha256, jwtSecretFile].filter((each) => each !== undefined);
  if (given.length > 1)
    throw usageError("use only one of --token-file, --token-sha256 and --jwt-secret-file");
  if (jwtSecretFile === undefined && (jwtIssuer ?? jwtAudience) !== undefined) {
    throw usageError("--jwt-issuer and --jwt-audience need --jwt-secret-file");
  }
  if (url.startsWith("unix://")) {
    if (given.length > 0) throw usageError("a unix socket is protected by its file mode and takes no token");
    return {};
  }
  if (!url.startsWith("ws://")) throw usageError(`--listen is ${url}: must be ws://HOST:PORT or unix://PATH`);
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
    throw usageError(`other machines can reach ${url}: add --token-file or --jwt-secret-file`);
  }
  if (!onTerminal) {
    throw usageError("add --token-file (created if missing): a generated token is only shown on a terminal");
  }
  const token = newToken();
  return { auth: { capabilityToken: { token } }, token };
}

async function fromFile(file: string): Promise<ChosenAuth> {
  const auth: ListenOptions["auth"] = { capabilityToken: { file } };
  try {
    await writeFile(file, `${newToken()}\n`, { flag: "wx", mode: 0o600 });
    return { auth, remark: `Generated a token and wrote it to ${file}.` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unreadable("--token-file", file, error);
  }
  await requireNamed("--token-file", file, process.cwd());
  const { mode } = await stat(file);
  const isShared = process.platform !== "win32" && (mode & 0o077) !== 0;
  return isShared ? { auth, remark: `Other users can read ${file}: run chmod 600 on it.` } : { auth };
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Whether only this machine can reach the address. */
export function isLoopback(url: string): boolean {
  return /^ws:\/\/(localhost|127(\.\d+){3}|\[::1\])(:|\/|$)/i.test(url);
}
