import type { Requirement } from "./requirement.ts";

export const RPC = [
  {
    id: "rpc.classify",
    source: "protocol.md 1.1",
    statement:
      "Messages are told apart by key presence; ids 0 and strings work, and the two directions' ids may overlap.",
  },
  {
    id: "rpc.framing",
    source: "peers.md 6.1",
    statement: "Lines end at byte 0x0A only; CR is stripped, U+2028/2029 and split UTF-8 arrive intact.",
  },
  {
    id: "rpc.long-line",
    source: "protocol.md 1.12",
    statement: "A line of any length costs time in proportion to its length.",
  },
  {
    id: "rpc.bad-line",
    source: "peers.md 6.1",
    statement: "A line that is not a message is reported and skipped.",
  },
  {
    id: "rpc.in-flight",
    source: "api.md Flow",
    statement:
      "At most maxInFlight requests wait for an answer; long calls hold no slot and interrupts pass the cap.",
  },
  {
    id: "rpc.timeout",
    source: "api.md Flow",
    statement: "Every request has a time limit and says whether it was sent.",
  },
  {
    id: "rpc.abort.reason",
    source: "api.md Flow",
    statement: "The reason of a signal is the cause of the error that its abort leads to, everywhere.",
  },
  { id: "rpc.abort", source: "api.md Flow", statement: "An AbortSignal ends the wait for an answer." },
  {
    id: "rpc.overload",
    source: "api.md Flow",
    statement: "-32001 is retried with backoff within the request's time, then is `overloaded`.",
  },
  {
    id: "rpc.server-requests",
    source: "peers.md 6.2",
    statement:
      "Handlers of server requests run in parallel and off the read loop, and every id is answered once, verbatim.",
  },
  {
    id: "rpc.closed-latch",
    source: "peers.md 6.3",
    statement: "Nothing waits on a dead connection: pending work rejects, later work rejects at once.",
  },
  {
    id: "rpc.queue",
    source: "peers.md 6.5",
    statement:
      "A lagging consumer keeps memory bounded by the text: adjacent deltas are joined, nothing is lost.",
  },
  {
    id: "rpc.tap",
    source: "api.md Testing",
    statement: "A tap sees every line of a channel in both directions.",
  },
  {
    id: "rpc.bad-params",
    source: "api.md Flow",
    statement: "Params that JSON cannot hold are refused before anything is sent.",
  },
] as const satisfies readonly Requirement[];
