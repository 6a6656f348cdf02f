import { COMPACTED } from "../compactions.ts";
import type { EngineDifference } from "../difference.ts";

/** The known differences of threads. */
export const THREADS: readonly EngineDifference[] = [
  {
    area: "threads",
    codex: "A fork that names no sandbox gets the default of the configuration.",
    engine: "It gets the sandbox of its source.",
    reason: "A sandbox must not change because a thread was resumed or forked.",
    scenarios: ["history.fork-part"],
    path: /^result\.(activePermissionProfile|sandbox)/,
  },
  {
    area: "threads",
    codex: "A thread that was reverted is listed twice.",
    engine: "It is listed once.",
    reason: "It is one thread.",
    scenarios: ["revert.turn"],
    method: /^thread\/list$/,
  },
  {
    area: "threads",
    codex: "A turn goes on if the file of its thread was deleted, although nothing is stored.",
    engine: "The turn fails.",
    reason: "The engine stores each turn before it reports its end.",
    scenarios: ["resume.deleted"],
    method:
      /^(turn\/completed|error|item\/|thread\/(status|readState|tokenUsage)\/|account\/rateLimits\/|\((order|model) )/,
  },
  {
    area: "threads",
    codex: "After a compaction, the usage is an estimate with the instructions of Codex.",
    engine: "It is an estimate with the instructions of the engine.",
    reason: "They are the instructions that the model gets.",
    scenarios: COMPACTED,
    method: /^thread\/tokenUsage\/updated$/,
    path: /tokenUsage\.last\.totalTokens$/,
  },
  {
    area: "threads",
    codex: "A list of the threads with a name has a cursor that points to another thread.",
    engine: "The cursor points to the first thread of the list.",
    reason: "A client that pages with the cursor would miss threads.",
    scenarios: ["list.filters"],
    method: /^thread\/list$/,
    path: /backwardsCursor$/,
  },
  {
    area: "threads",
    codex: "Lists do not say which thread a fork came from.",
    engine: "They do.",
    reason: "`thread/read` says it, too.",
    scenarios: ["fork.whole"],
    path: /forkedFromId$/,
  },
  {
    area: "threads",
    codex:
      "An ephemeral fork that names no sandbox tells the model of the default sandbox, and keeps the session of its source.",
    engine: "It keeps the sandbox, and begins a session of its own.",
    reason: "A sandbox must not change because a thread was forked.",
    scenarios: ["history.fork-part"],
    method: /^\(model (headers|body|input) of /,
  },
  {
    area: "threads",
    codex: "A client that starts a thread with a sandbox that can write marks the project as trusted.",
    engine: "Only the user's configuration says which projects are trusted.",
    reason: "A repository's configuration must not count before the user has said so.",
    scenarios: ["project.trust"],
    method: /^thread\/start/,
  },
  {
    area: "threads",
    codex: "An agent that was resumed counts as one that has not begun, until it gets a task.",
    engine: "It has the state of its last turn.",
    reason: "A model that waited for it would wait in vain.",
    scenarios: ["agents.close"],
    path: /agentsStates\.[^.]+\.(message|status)$/,
  },
];
