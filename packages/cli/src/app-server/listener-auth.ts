import type { ListenOptions } from "codexwright/server";
import type { AuthFlags } from "../serve/auth.ts";
import { usageError } from "../shared/command-error.ts";

/** The options of `codex app-server` that choose how clients authenticate. */
export interface CodexAuthFlags {
  readonly wsAuth?: "capability-token" | "signed-bearer-token";
  readonly wsTokenFile?: string;
  readonly wsTokenSha256?: string;
  readonly wsSharedSecretFile?: string;
  readonly wsIssuer?: string;
  readonly wsAudience?: string;
  readonly wsMaxClockSkewSeconds?: number;
}

export interface ListenerAuth {
  readonly auth?: NonNullable<ListenOptions["auth"]>;
  /** A message for the user. */
  readonly remark?: string;
}

/**
 * How clients of the listener authenticate. A websocket on this machine needs no authentication, as with `codex
 * app-server`; a websocket that other machines can reach does. Codex's own names for the options count too.
 */
export async function authOf(
  flags: AuthFlags & CodexAuthFlags,
  url: string,
): Promise<ListenerAuth | undefined> {
  const codex = codexAuth(flags);
  const own = [flags.tokenFile, flags.tokenSha256, flags.jwtSecretFile, flags.jwtIssuer, flags.jwtAudience];
  if (own.every((each) => each === undefined)) {
    if (codex !== undefined) requireWebsocket(url);
    else if (url.startsWith("ws://")) await requireLoopback(url);
    return codex && { auth: codex };
  }
  if (codex) throw usageError("use either the --ws-… options or --token-…, --jwt-…");
  requireWebsocket(url);
  // `serve` has the same options. Its code is loaded only for a listener that uses them.
  const { chooseAuth } = await import("../serve/auth.ts");
  return await chooseAuth(flags, url, false);
}

async function requireLoopback(url: string): Promise<void> {
  const { isLoopback } = await import("../serve/auth.ts");
  if (isLoopback(url)) return;
  throw usageError(`other machines can reach ${url}: add --token-file or --jwt-secret-file`);
}

function requireWebsocket(url: string): void {
  if (!url.startsWith("ws://")) throw usageError("options for authentication apply to --listen ws://… only");
}

function codexAuth(flags: CodexAuthFlags): ListenOptions["auth"] {
  const { wsAuth, wsTokenFile, wsTokenSha256, wsSharedSecretFile, wsIssuer, wsAudience } = flags;
  const token = [wsTokenFile, wsTokenSha256].filter((each) => each !== undefined);
  const signed = [wsSharedSecretFile, wsIssuer, wsAudience, flags.wsMaxClockSkewSeconds].filter(
    (each) => each !== undefined,
  );
  if (wsAuth === undefined) {
    if (token.length + signed.length > 0) throw usageError("--ws-… options need --ws-auth <mode>");
    return undefined;
  }
  if (wsAuth === "capability-token") {
    if (token.length !== 1 || signed.length > 0) {
      throw usageError(
        "--ws-auth capability-token needs --ws-token-file or --ws-token-sha256, and nothing else",
      );
    }
    return wsTokenSha256 === undefined
      ? { capabilityToken: { file: String(wsTokenFile) } }
      : { capabilityToken: { sha256: wsTokenSha256 } };
  }
  if (wsSharedSecretFile === undefined || token.length > 0) {
    throw usageError("--ws-auth signed-bearer-token needs --ws-shared-secret-file, and no token");
  }
  return {
    signedBearer: {
      secretFile: wsSharedSecretFile,
      issuer: wsIssuer,
      audience: wsAudience,
      maxClockSkewSeconds: flags.wsMaxClockSkewSeconds,
    },
  };
}
