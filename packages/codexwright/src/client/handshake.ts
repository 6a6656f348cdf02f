import type { Connection } from "../rpc/connection.ts";
import { checkAnswer } from "./answers.ts";
import { record, text } from "./requests/wire.ts";

/** What the server says of itself. Older servers give only `userAgent`. */
export interface ServerInfo {
  readonly userAgent: string;
  /** The Codex version, read from the user agent; "unknown" where it cannot be. */
  readonly version: string;
  readonly codexHome: string | undefined;
  readonly platformFamily: string | undefined;
  readonly platformOs: string | undefined;
}

export interface HandshakeOptions {
  readonly name: string;
  readonly title: string | undefined;
  readonly version: string;
  readonly experimentalApi: boolean;
  readonly optOutNotifications: readonly string[];
  /** Whether somebody can answer what the server asks only of clients that say they can. */
  readonly attests: boolean;
  readonly fillsForms: boolean;
}

/** `initialize`, its answer, `initialized`. */
export async function handshake(
  connection: Connection,
  options: HandshakeOptions,
  signal: AbortSignal,
): Promise<ServerInfo> {
  const params = {
    clientInfo: { name: options.name, title: options.title ?? null, version: options.version },
    capabilities: {
      experimentalApi: options.experimentalApi,
      ...(options.optOutNotifications.length > 0 && {
        optOutNotificationMethods: options.optOutNotifications,
      }),
      ...(options.attests && { requestAttestation: true }),
      ...(options.fillsForms && { extensions: { "openai/form": {} } }),
    },
  };
  const response = await connection.request("initialize", params, { signal });
  checkAnswer("initialize", response);
  await connection.notify("initialized", {});
  const { userAgent, codexHome, platformFamily, platformOs } = record(response);
  return {
    userAgent: text(userAgent) ?? "",
    version: versionIn(text(userAgent) ?? "", options.name),
    codexHome: text(codexHome),
    platformFamily: text(platformFamily),
    platformOs: text(platformOs),
  };
}

/** `<client name>/<codex version> (…) …`: our own name comes first and may itself hold a slash. */
function versionIn(userAgent: string, clientName: string): string {
  const rest = userAgent.startsWith(`${clientName}/`)
    ? userAgent.slice(clientName.length + 1)
    : userAgent.slice(userAgent.indexOf("/") + 1);
  return /^\d[^\s(]*/.exec(rest)?.[0] ?? "unknown";
}
