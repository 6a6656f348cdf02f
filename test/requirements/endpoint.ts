import type { Requirement } from "./requirement.ts";

/** The protocol end of a server. */
export const ENDPOINT = [
  {
    id: "endpoint.handshake",
    source: "issue 5, protocol.md 1.2",
    statement:
      "An endpoint answers initialize as the real server does, refuses what comes before it or twice, and lets a client with a bad name try again.",
  },
  {
    id: "endpoint.wire",
    source: "protocol.md 1.1",
    statement:
      "An endpoint ignores what the real server ignores (bad lines, batches, ids that are none), echoes ids digit by digit, and writes keys in the real order.",
  },
  {
    id: "endpoint.params",
    source: "issue 5, protocol.md 1.3",
    statement:
      "Unknown methods, missing params, missing fields, wrong types and unknown words are refused with the real server's code and message.",
  },
  {
    id: "endpoint.gates",
    source: "issue 5, protocol.md 1.2",
    statement:
      "Experimental methods, fields and values are refused, and experimental notifications and fields kept, from connections that did not opt in.",
  },
  {
    id: "endpoint.opt-out",
    source: "issue 5",
    statement: "A connection does not get the notifications it opted out of, by their exact names.",
  },
  {
    id: "endpoint.subscriptions",
    source: "issue 5, protocol.md 1.4",
    statement:
      "A thread's notifications go to its subscribers, others to every client that has shaken hands.",
  },
  {
    id: "endpoint.requests",
    source: "issue 5, protocol.md 1.8",
    statement:
      "A server request goes to all subscribers under one id; the first answer counts, later ones are ignored, and all are told that it is resolved.",
  },
  {
    id: "endpoint.replay",
    source: "protocol.md 1.5",
    statement:
      "Who subscribes while a request is open gets it under the same id, after the answer; a connection that drops does not lose it.",
  },
  {
    id: "endpoint.overload",
    source: "issue 5, protocol.md 1.10",
    statement:
      "Beyond a bounded queue requests are refused with -32001, none is left without an answer, and other connections notice nothing.",
  },
  {
    id: "endpoint.order",
    source: "protocol.md 1.4",
    statement:
      "Requests about one thread are worked on one after the other, those about different threads at once, and interrupts do not wait.",
  },
  {
    id: "endpoint.shutdown",
    source: "issue 5",
    statement:
      "A graceful shutdown waits for running turns and serves clients until then; by force it ends at once; afterwards nothing is left.",
  },
  {
    id: "endpoint.errors",
    source: "issue 5",
    statement:
      "What a handler throws is answered as it says, or with -32603 that tells nothing of the inside.",
  },
] as const satisfies readonly Requirement[];
