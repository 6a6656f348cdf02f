import type { Requirement } from "./requirement.ts";

export const RPC = [
  {
    id: "rpc.classify",
    statement:
      "Messages are told apart by key presence; ids 0 and strings work, and the two directions' ids may overlap.",
  },
  {
    id: "rpc.framing",
    statement: "Lines end at byte 0x0A only; CR is stripped, U+2028/2029 and split UTF-8 arrive intact.",
  },
  {
    id: "rpc.long-line",
    statement: "A line of any length costs time in proportion to its length.",
  },
  {
    id: "rpc.bad-line",
    statement: "A line that is not a message is reported and skipped.",
  },
  {
    id: "rpc.in-flight",
    statement:
      "At most maxInFlight requests wait for an answer; long calls hold no slot and interrupts pass the cap.",
  },
  {
    id: "rpc.timeout",
    statement: "Every request has a time limit and says whether it was sent.",
  },
  {
    id: "rpc.abort.reason",
    statement: "The reason of a signal is the cause of the error that its abort leads to, everywhere.",
  },
  { id: "rpc.abort", statement: "An AbortSignal ends the wait for an answer." },
  {
    id: "rpc.overload",
    statement: "-32001 is retried with backoff within the request's time, then is `overloaded`.",
  },
  {
    id: "rpc.server-requests",
    statement:
      "Handlers of server requests run in parallel and off the read loop, and every id is answered once, verbatim.",
  },
  {
    id: "rpc.closed-latch",
    statement: "Nothing waits on a dead connection: pending work rejects, later work rejects at once.",
  },
  {
    id: "rpc.queue",
    statement:
      "A lagging consumer keeps memory bounded by the text: adjacent deltas are joined, nothing is lost.",
  },
  {
    id: "rpc.tap",
    statement: "A tap sees every line of a channel in both directions.",
  },
  {
    id: "rpc.bad-params",
    statement: "Params that JSON cannot hold are refused before anything is sent.",
  },
] as const satisfies readonly Requirement[];
