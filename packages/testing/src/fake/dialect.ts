import type { WireMessage } from "codexwright/rpc";
import type { FakeThread } from "./fake-thread.ts";

/** In what a version of the protocol differs from the newest: in what an engine does, and in what its words are. */
export interface Dialect {
  readonly version: string;
  /** Whether it has this method. */
  knows(method: string): boolean;
  /** Whether its server sends this notification or request. */
  readonly tells: (method: string) => boolean;
  /** The id of a thread's next turn, where it is not a UUID. */
  turnId(thread: FakeThread): string | undefined;
  /** Whether a command is an item before the user is asked about it. */
  readonly showsWhatItAsksFor: boolean;
  /** Whether a patch that the user declines ends twice: as declined and as failed. */
  readonly endsDeclinedPatchesTwice: boolean;
  /** Whether a review runs in a turn of its own within the one that was asked for. */
  readonly nestsReviews: boolean;
  /** Whether a second `turn/start` gets an id of its own, of a turn that never ends. */
  readonly startsPhantoms: boolean;
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
