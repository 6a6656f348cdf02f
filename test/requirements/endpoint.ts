import type { Requirement } from "./requirement.ts";

/** The protocol end of a server. */
export const ENDPOINT = [
  {
    id: "endpoint.handshake",
    statement:
      "An endpoint answers initialize as the real server does, refuses what comes before it or twice, and lets a client with a bad name try again.",
  },
  {
    id: "endpoint.wire",
    statement:
      "An endpoint ignores what the real server ignores (bad lines, batches, ids that are none), echoes ids digit by digit, and writes keys in the real order.",
  },
  {
    id: "endpoint.params",
    statement:
      "Unknown methods, missing params, missing fields, wrong types and unknown words are refused with the real server's code and message.",
  },
  {
    id: "endpoint.gates",
    statement:
      "Experimental methods, fields and values are refused, and experimental notifications and fields kept, from connections that did not opt in.",
  },
  {
    id: "endpoint.opt-out",
    statement: "A connection does not get the notifications it opted out of, by their exact names.",
  },
  {
    id: "endpoint.subscriptions",
    statement:
      "A thread's notifications go to its subscribers, others to every client that has shaken hands.",
  },
  {
    id: "endpoint.requests",
    statement:
      "A server request goes to all subscribers under one id; the first answer counts, later ones are ignored, and all are told that it is resolved.",
  },
  {
    id: "endpoint.replay",
    statement:
      "Who subscribes while a request is open gets it under the same id, after the answer; a connection that drops does not lose it.",
  },
  {
    id: "endpoint.overload",
    statement:
      "Beyond a bounded queue requests are refused with -32001, none is left without an answer, and other connections notice nothing.",
  },
  {
    id: "endpoint.order",
    statement:
      "Requests about one thread are worked on one after the other, those about different threads at once, and interrupts do not wait.",
  },
  {
    id: "endpoint.shutdown",
    statement:
      "A graceful shutdown waits for running turns and serves clients until then; by force it ends at once; afterwards nothing is left.",
  },
  {
    id: "endpoint.errors",
    statement:
      "What a handler throws is answered as it says, or with -32603 that tells nothing of the inside.",
  },
] as const satisfies readonly Requirement[];
