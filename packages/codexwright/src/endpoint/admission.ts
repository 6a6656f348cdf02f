import type * as protocol from "../protocol/index.ts";
import { CODEX_VERSION } from "../protocol/version.gen.ts";
import type { AnyHandler } from "./dispatcher.ts";
import { experimentalReason } from "./experimental.ts";
import { Handshake } from "./handshake.ts";
import { invalidRequest } from "./outgoing.ts";
import { PARAMS } from "./params/params.gen.ts";
import { readParams } from "./params/read-params.ts";
import { Misfit } from "./params/texts.ts";
import type { ConnectedClient } from "./connected-client.ts";
import type { EndpointOptions } from "./types.ts";

/** The outcome of an admitted request: a handler to run, or a result that is already known. */
export type Admitted =
  | { readonly handler: AnyHandler; readonly params: unknown }
  | { readonly result: unknown; after(): void };

/**
 * Checks requests in the same order as the real server. It first rejects requests that cannot be parsed, then requests
 * before the handshake, then requests that need the experimental opt-in.
 */
export class Admission {
  readonly #handlers: ReadonlyMap<string, AnyHandler>;
  /**
   * The known methods, in the order in which the real server lists them. Clients read the supported methods from this
   * list.
   */
  readonly #known: readonly string[];
  readonly #handshake: Handshake;
  readonly #options: EndpointOptions;
  readonly #version: string;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#version = options.version ?? CODEX_VERSION;
    this.#handshake = new Handshake(options);
    const handlers = new Map(Object.entries(options.handlers) as [string, AnyHandler][]);
    handlers.delete("initialize");
    this.#handlers = handlers;
    const listed = Object.keys(PARAMS).filter((name) => name === "initialize" || this.#handlers.has(name));
    this.#known = [...new Set([...listed, ...this.#handlers.keys()])];
  }

  /** If the request is rejected, throws the `ResponseError` to answer with. */
  admit(peer: ConnectedClient, method: string, given: unknown): Admitted {
    const refusal = this.#handlers.has(method) ? undefined : this.#options.refuse?.(method);
    if (refusal) throw peer.session ? refusal : invalidRequest("Not initialized");
    const handler = this.#handlers.get(method) ?? this.#fallback(method);
    if (method !== "initialize" && !handler) throw this.#unknown(method);
    const params = this.#options.validate === false ? (given ?? {}) : readParams(method, given);
    if (!handler) return this.#initialize(peer, params as protocol.InitializeParams);
    const { session } = peer;
    if (!session) throw invalidRequest("Not initialized");
    const reason = session.experimentalApi ? undefined : experimentalReason(method, params, this.#version);
    if (reason !== undefined) throw invalidRequest(`${reason} requires experimentalApi capability`);
    return { handler, params };
  }

  #fallback(method: string): AnyHandler | undefined {
    const { fallback } = this.#options;
    if (!fallback || method === "initialize") return undefined;
    return (params, context) => fallback(method, params, context) as never;
  }

  /** The error for an unknown method. It always lists all methods, because clients read the list from this error. */
  #unknown(method: string): Misfit {
    const known = this.#known.map((name) => `\`${name}\``).join(", ");
    return new Misfit(`unknown variant \`${method}\`, expected one of ${known}`);
  }

  #initialize(peer: ConnectedClient, params: protocol.InitializeParams): Admitted {
    if (peer.session) throw invalidRequest("Already initialized");
    const session = this.#handshake.open(params);
    peer.initialized(session);
    return { result: this.#handshake.answer(session), after: () => this.#options.onInitialized?.(peer) };
  }
}
