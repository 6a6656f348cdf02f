import { atLeast } from "../protocol/release.ts";
import { CODEX_VERSION } from "../protocol/version.gen.ts";
import type * as protocol from "../protocol/index.ts";
import { invalidRequest } from "./outgoing.ts";
import type { EndpointOptions, ServerInfo } from "./types.ts";

/** What `initialize` settled for a connection. */
export interface Session {
  readonly clientInfo: protocol.ClientInfo;
  readonly capabilities: protocol.InitializeCapabilities;
  readonly experimentalApi: boolean;
  /** Exact names of notifications it does not want. */
  readonly optedOut: ReadonlySet<string>;
}

/** Clients that look after a server rather than use it: they do not give it its name. */
const NOT_ORIGINATING = new Set(["codex_app_server_daemon", "codex-backend"]);

/** Answers `initialize` for all connections of one endpoint. */
export class Handshake {
  readonly #version: string;
  readonly #info: ServerInfo;
  readonly #machine: string;
  /** The first client's name stands first in every user agent from then on. */
  #originator: string | undefined;

  constructor({ version = CODEX_VERSION, info, userAgent }: EndpointOptions) {
    this.#version = version;
    const { codexHome = "/codex-home", platformFamily = "unix", platformOs = "linux" } = info ?? {};
    this.#info = { codexHome, platformFamily, platformOs };
    const { os = "unknown", arch = "unknown", terminal = "unknown" } = userAgent ?? {};
    this.#machine = `(${os}; ${arch}) ${terminal}`;
  }

  /** Throws for a name that is no HTTP header value; the client may try again. */
  open(params: protocol.InitializeParams): Session {
    const { clientInfo, capabilities } = params;
    if (!isHeaderValue(clientInfo.name)) {
      throw invalidRequest(
        `Invalid clientInfo.name: '${clientInfo.name}'. Must be a valid HTTP header value.`,
      );
    }
    return {
      clientInfo,
      capabilities: capabilities ?? {},
      experimentalApi: capabilities?.experimentalApi === true,
      optedOut: new Set(!atLeast(this.#version, "0.100.0") ? [] : capabilities?.optOutNotificationMethods),
    };
  }

  /** What the first servers said was the user agent alone. */
  answer({ clientInfo: { name, version } }: Session): Partial<protocol.InitializeResponse> {
    if (!NOT_ORIGINATING.has(name)) this.#originator ??= name;
    const originator = this.#originator ?? "codex_cli_rs";
    const agent = `${originator}/${this.#version} ${this.#machine} (${`${name}; ${version}`.trim()})`;
    const userAgent = isHeaderValue(agent) ? agent : agent.replaceAll(/[^ -~]/gu, "_");
    const { codexHome, ...platform } = this.#info;
    return {
      userAgent,
      ...(atLeast(this.#version, "0.120.0") && { codexHome }),
      ...(atLeast(this.#version, "0.115.0") && platform),
    };
  }
}

/** Printable characters, tabs, and everything beyond ASCII. */
function isHeaderValue(text: string): boolean {
  return /^[\t -~\u0080-\u{10ffff}]*$/u.test(text);
}
