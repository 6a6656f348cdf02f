import type { RefreshedTokens } from "../../requests/index.ts";
import type { ServiceHost } from "../service-host.ts";

/**
 * The caller-managed tokens that are in effect. A server keeps them only in memory, so a replacement server needs
 * them again. This class also keeps them only in memory.
 */
export class KeptTokens {
  readonly #host: ServiceHost;
  #current: RefreshedTokens | undefined;
  #listens = false;

  constructor(host: ServiceHost) {
    this.#host = host;
  }

  get current(): RefreshedTokens | undefined {
    return this.#current;
  }

  /** Keeps these tokens until a logout or a login of another kind. */
  keep(tokens: RefreshedTokens): void {
    this.#current = tokens;
    if (this.#listens) return;
    this.#listens = true;
    this.#host.onNotification("account/updated", ({ authMode }) => {
      if (authMode !== "chatgptAuthTokens") this.#current = undefined;
    });
  }

  /** The server received these tokens in place of its expired ones. */
  renew(tokens: RefreshedTokens): void {
    if (this.#current) this.#current = tokens;
  }
}
