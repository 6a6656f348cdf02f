import type { WireMessage } from "codexwright/rpc";
import type { Dialect } from "@codexwright/engine";

/** How a version of the protocol differs from the newest: in the engine's behaviour, and in its messages. */
export interface FakeDialect extends Dialect {
  /** Whether its server sends this notification or request. */
  readonly tells: (method: string) => boolean;
  /** Translates messages, if they differ from those of today. */
  readonly speaks?: Speech;
}

/** Translates between the messages of a dialect and those of today. */
export interface Speech {
  /** Translates a client message to today's protocol. */
  heard(message: WireMessage): WireMessage;
  /**
   * Translates a server message to the dialect; `undefined` if the dialect does not have it. `method` is the
   * method of the answered request.
   */
  said(message: WireMessage, method: string | undefined): WireMessage | undefined;
}

/** The protocols that a fake server can speak. */
export type DialectName = "current" | "0.98" | "2025-11";
