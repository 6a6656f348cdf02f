import type { RefreshedTokens } from "../../requests/index.ts";
import type { ServiceHost } from "../service-host.ts";

/**
 * Tokens of the caller's that are in effect. A server keeps them in its memory alone, so one that replaces it has to
 * be given them again; here they are in memory alone too.
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

  /** They log in from now on, until a logout or a login of another kind. */
  keep(tokens: RefreshedTokens): void {
    this.#current = tokens;
    if (this.#listens) return;
    this.#listens = true;
    this.#host.onNotification("account/updated", ({ authMode }) => {
      if (authMode !== "chatgptAuthTokens") this.#current = undefined;
    });
  }

  /** The server was given these in place of those that had become useless. */
  renew(tokens: RefreshedTokens): void {
    if (this.#current) this.#current = tokens;
  }
}
