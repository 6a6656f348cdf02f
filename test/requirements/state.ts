import type { Requirement } from "./requirement.ts";

export const STATE = [
  {
    id: "state.items",
    statement:
      "Every kind of item and each of its deltas is folded into one live item; item/completed is the truth and unknown kinds pass untouched.",
  },
  {
    id: "state.turns",
    statement:
      "Every turn of a thread is in its state, asked for or not, from its start, its middle or a history, each once and at most fifty.",
  },
  {
    id: "state.incomplete",
    statement:
      "What is open at the end of its turn is closed as incomplete; a later completion still counts.",
  },
  {
    id: "state.usage",
    statement:
      "A turn's usage is the difference of its thread's totals; the context meter shows the last call.",
  },
  {
    id: "state.requests",
    statement: "Requests of the server's are in the state until they are answered, resolved or moot.",
  },
  {
    id: "state.pure",
    statement:
      "The reducer changes nothing in place, agrees with the live fold, and keeps what did not change as the same object.",
  },
  {
    id: "state.foreign",
    statement: "Events of other threads, of unknown names and of bad shapes change nothing and never throw.",
  },
] as const satisfies readonly Requirement[];
