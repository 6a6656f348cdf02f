/** The least that a client can do with a message. */
export const RAW = "raw: cut, JSON.parse, count";

/** Reads the bytes without parsing them: the work that remains if a client skips every message. */
export const READ = "raw: read, nothing else";

/** One of codexwright's ways to follow a thread. */
export interface Way {
  readonly way: "callback" | "iterator" | "state" | "unlistened";
  readonly name: string;
  /** The highest allowed ratio to the raw bound. */
  readonly target: number;
  /** Whether the target also applies over sockets. */
  readonly sockets: boolean;
  /** The purpose of the extra cost. */
  readonly why: string;
}

export const WAYS: readonly Way[] = [
  {
    way: "callback",
    name: "ours: onNotification",
    target: 1.2,
    sockets: true,
    why: "Besides the listener, the turn maintains its own record of the thread: text, end and silence.",
  },
  {
    way: "iterator",
    name: "ours: for await",
    target: 1.4,
    sockets: true,
    why: "`for await` needs a promise for each event, before any code of codexwright runs.",
  },
  {
    way: "state",
    name: "ours: state read at every event",
    target: 2,
    sockets: true,
    why: "A listener that reads the state at every event gets a new immutable state each time.",
  },
  {
    way: "unlistened",
    name: "ours: no listener",
    target: 0.5,
    // Over sockets, unpacking a frame is most of the bound, and must happen before anything can be skipped.
    sockets: false,
    why: "Skipped messages must still be read, split into lines and recognised.",
  },
];
