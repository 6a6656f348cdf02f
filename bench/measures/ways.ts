/** The least a client can do with a message. */
export const RAW = "raw: cut, JSON.parse, count";

/** Not even that: what is left to do where everything is skipped. */
export const READ = "raw: read, nothing else";

/** A way of ours to follow a thread. */
export interface Way {
  readonly way: "callback" | "iterator" | "state" | "unlistened";
  readonly name: string;
  /** The most it may cost of the raw bound. */
  readonly target: number;
  /** Whether that is aimed at over sockets too. */
  readonly sockets: boolean;
  /** What the cost is for, where it is more. */
  readonly why: string;
}

export const WAYS: readonly Way[] = [
  {
    way: "callback",
    name: "ours: onNotification",
    target: 1.2,
    sockets: true,
    why: "Beside the listener the turn keeps its own account of the thread: its text, its end, its silence.",
  },
  {
    way: "iterator",
    name: "ours: for await",
    target: 1.4,
    sockets: true,
    why: "A promise for each event is what `for await` costs before anything of ours is run.",
  },
  {
    way: "state",
    name: "ours: state read at every event",
    target: 2,
    sockets: true,
    why: "Whoever looks at every event gets a state of its own each time, which is never changed afterwards.",
  },
  {
    way: "unlistened",
    name: "ours: nobody listens",
    target: 0.5,
    // Taking a frame out of a socket is the larger part of the bound there, and must be done before anything is skipped.
    sockets: false,
    why: "What is skipped must still be read, cut into lines and recognised.",
  },
];
