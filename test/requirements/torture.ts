import type { Requirement } from "./requirement.ts";

/** What the wire, or whoever writes to it, cannot do to us. */
export const TORTURE = [
  {
    id: "fuzz.framing",
    statement: "No bytes and no cuts of a stream lose a valid line or crash the reader.",
  },
  {
    id: "fuzz.envelope",
    statement: "No message of any shape loses, doubles or reorders a valid one, or leaves a call open.",
  },
  {
    id: "fuzz.reducer",
    statement: "No event of any shape stops the fold of a thread's state or changes another turn.",
  },
  {
    id: "torture.text",
    statement: "Text arrives as it was written: separators of lines and cut characters included.",
  },
  {
    id: "torture.early",
    statement: "Events that come before the answer to turn/start are not lost.",
  },
  {
    id: "torture.approval",
    statement: "Events flow while an approval is open.",
  },
  {
    id: "torture.crash",
    statement: "A server that dies mid-turn ends the turn with a typed error.",
  },
  {
    id: "torture.bad-line",
    statement: "Lines that are no messages are warnings.",
  },
  {
    id: "torture.unknown",
    statement: "What the client does not know passes through.",
  },
  {
    id: "torture.overload",
    statement: "A refusal with -32001 is tried again.",
  },
  {
    id: "torture.long-line",
    statement: "A message of 32 MB arrives.",
  },
  {
    id: "torture.stalled",
    statement: "A stalled consumer loses nothing.",
  },
  {
    id: "torture.stderr",
    statement: "A flood on stderr holds nothing up.",
  },
  {
    id: "fuzz.credentials",
    statement: "No token, header or request of any shape gets in without the secret, or crashes the server.",
  },
] as const satisfies readonly Requirement[];
