import type { Requirement } from "./requirement.ts";

/** Recordings of the wire, and their replay. */
export const RECORDING = [
  {
    id: "recording.format",
    statement:
      "A recording is NDJSON with direction and time of every line of every connection, and how each ended.",
  },
  {
    id: "recording.unobtrusive",
    statement: "Recording never changes the wire, loses no tail, and tells failures as typed errors.",
  },
  {
    id: "recording.secrets",
    statement:
      "No secret of a login, an environment, a token refresh or the caller's list reaches a recording.",
  },
  {
    id: "recording.replay",
    statement: "A replayed recording gives a client the same results and the same state, every time.",
  },
  {
    id: "recording.mismatch",
    statement: "A client that leaves its recording gets a typed error with both messages, and never hangs.",
  },
  {
    id: "recording.normalize",
    statement: "Recordings of two runs become equal once ids, times, paths and versions are named.",
  },
  {
    id: "recording.compare",
    statement: "Transcripts are compared as partial orders, and differences are told in words.",
  },
] as const satisfies readonly Requirement[];
