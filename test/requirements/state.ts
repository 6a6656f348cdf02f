import type { Requirement } from "./requirement.ts";

export const STATE = [
  {
    id: "state.items",
    source: "CHECKLIST 16",
    statement:
      "Every kind of item and each of its deltas is folded into one live item; item/completed is the truth and unknown kinds pass untouched.",
  },
  {
    id: "state.turns",
    source: "protocol.md 1.4, 2.5",
    statement:
      "Every turn of a thread is in its state, asked for or not, from its start, its middle or a history, each once and at most fifty.",
  },
  {
    id: "state.incomplete",
    source: "protocol.md 1.4",
    statement:
      "What is open at the end of its turn is closed as incomplete; a later completion still counts.",
  },
  {
    id: "state.usage",
    source: "protocol.md 1.6",
    statement:
      "A turn's usage is the difference of its thread's totals; the context meter shows the last call.",
  },
  {
    id: "state.requests",
    source: "api.md Threads",
    statement: "Requests of the server's are in the state until they are answered, resolved or moot.",
  },
  {
    id: "state.pure",
    source: "api.md Threads",
    statement:
      "The reducer changes nothing in place, agrees with the live fold, and keeps what did not change as the same object.",
  },
  {
    id: "state.foreign",
    source: "peers.md 6",
    statement: "Events of other threads, of unknown names and of bad shapes change nothing and never throw.",
  },
] as const satisfies readonly Requirement[];
