import { atLeast } from "../protocol/release.ts";
import { CODEX_VERSION } from "../protocol/version.gen.ts";
import type * as protocol from "../protocol/index.ts";
import { invalidRequest } from "./outgoing.ts";
import type { EndpointOptions, ServerInfo } from "./types.ts";

/** The result of `initialize` for a connection. */
export interface Session {
  readonly clientInfo: protocol.ClientInfo;
  readonly capabilities: protocol.InitializeCapabilities;
  readonly experimentalApi: boolean;
  /** The exact names of notifications that the client does not want. */
  readonly optedOut: ReadonlySet<string>;
}

/** Clients that manage a server instead of using it. Their names do not become the start of the user agent. */
const NOT_ORIGINATING = new Set(["codex_app_server_daemon", "codex-backend"]);

/** Answers `initialize` for all connections of one endpoint. */
export class Handshake {
  readonly #version: string;
  readonly #info: ServerInfo;
  readonly #machine: string;
  /** The name of the first client. From then on, every user agent begins with this name. */
  #originator: string | undefined;

  constructor({ version = CODEX_VERSION, info, userAgent }: EndpointOptions) {
    this.#version = version;
    const { codexHome = "/codex-home", platformFamily = "unix", platformOs = "linux" } = info ?? {};
    this.#info = { codexHome, platformFamily, platformOs };
    const { os = "unknown", arch = "unknown", terminal = "unknown" } = userAgent ?? {};
    this.#machine = `(${os}; ${arch}) ${terminal}`;
  }

  /** Throws if the client name is not a valid HTTP header value. The client may try again. */
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

  /** Returns the answer to `initialize`. The oldest servers returned only the user agent. */
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

/** Allows printable characters, tabs, and everything beyond ASCII. */
function isHeaderValue(text: string): boolean {
  return /^[\t -~\u0080-\u{10ffff}]*$/u.test(text);
}
