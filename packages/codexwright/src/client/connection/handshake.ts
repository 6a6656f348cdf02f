import type { Connection } from "../../rpc/connection.ts";
import { checkAnswer } from "./server/answers.ts";
import type { ConnectionOptions } from "./options.ts";
import { record, text } from "./wire.ts";
import { VERSION } from "../../rpc/version.ts";

/** The server's answer to the handshake. Older servers send only `userAgent`. */
export interface ServerInfo {
  readonly userAgent: string;
  /** The Codex version, read from the user agent; "unknown" if it cannot be read. */
  readonly version: string;
  readonly codexHome: string | undefined;
  readonly platformFamily: string | undefined;
  readonly platformOs: string | undefined;
}

/** The options that the client sends to its server in the handshake. */
export interface Introduction extends Pick<
  ConnectionOptions,
  "clientName" | "clientTitle" | "clientVersion" | "experimentalApi" | "optOutNotifications"
> {
  /** Handlers of server requests. The handshake declares which of them exist. */
  readonly onAttestation?: object | undefined;
  readonly onElicitation?: object | string | undefined;
}

/** Sends `initialize`, checks the answer and sends `initialized`. */
export async function handshake(
  connection: Connection,
  options: Introduction,
  signal: AbortSignal,
): Promise<ServerInfo> {
  const {
    clientName: name = "codexwright",
    clientTitle: title = null,
    clientVersion: version = VERSION,
  } = options;
  const { experimentalApi = true, optOutNotifications = [] } = options;
  const params = {
    clientInfo: { name, title, version },
    capabilities: {
      experimentalApi,
      ...(optOutNotifications.length > 0 && { optOutNotificationMethods: optOutNotifications }),
      // The server sends these requests only to clients that declare them.
      ...(options.onAttestation && { requestAttestation: true }),
      ...(options.onElicitation && { extensions: { "openai/form": {} } }),
    },
  };
  const response = await connection.request("initialize", params, { signal });
  checkAnswer("initialize", response);
  await connection.notify("initialized", {});
  const { userAgent, codexHome, platformFamily, platformOs } = record(response);
  return {
    userAgent: text(userAgent) ?? "",
    version: versionIn(text(userAgent) ?? "", name),
    codexHome: text(codexHome),
    platformFamily: text(platformFamily),
    platformOs: text(platformOs),
  };
}

/** The user agent is `<client name>/<codex version> (…) …`. The client name may contain a slash. */
function versionIn(userAgent: string, clientName: string): string {
  const rest = userAgent.startsWith(`${clientName}/`)
    ? userAgent.slice(clientName.length + 1)
    : userAgent.slice(userAgent.indexOf("/") + 1);
  return /^\d[^\s(]*/.exec(rest)?.[0] ?? "unknown";
}
