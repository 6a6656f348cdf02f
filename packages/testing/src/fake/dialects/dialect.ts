import type { WireMessage } from "codexwright/rpc";
import type { Dialect } from "@codexwright/engine";

/** In what a version of the protocol differs from the newest: in what an engine does, and in what its words are. */
export interface FakeDialect extends Dialect {
  /** Whether its server sends this notification or request. */
  readonly tells: (method: string) => boolean;
  /** Its words, where they are not those of today. */
  readonly speaks?: Speech;
}

/** Translates between the words of a dialect and those of today. */
export interface Speech {
  /** What a client says, in the words of today. */
  heard(message: WireMessage): WireMessage;
  /** What the server says, in its own words; `undefined` where it has none. `method` is the answered request's. */
  said(message: WireMessage, method: string | undefined): WireMessage | undefined;
}

/** What a fake server may speak. */
export type DialectName = "current" | "0.98" | "2025-11";
