import type { EngineDifference } from "./difference.ts";

/** The known differences of sub-agents. */
export const AGENT_DIFFERENCES: readonly EngineDifference[] = [
  {
    area: "threads",
    codex: "An agent that was resumed counts as one that has not begun, until it gets a task.",
    engine: "It has the state of its last turn.",
    reason: "A model that waited for it would wait in vain.",
    scenarios: ["agents.close"],
    path: /agentsStates\.[^.]+\.(message|status)$/,
  },
  {
    area: "protocol",
    codex: "The item of an agent that could not be made for its model or effort never ends.",
    engine: "It ends as failed.",
    reason: "Clients show an item as running until it ends.",
    scenarios: ["agents.model", "agents.wrong"],
    text: /call_0_[03]/,
  },
  {
    area: "model requests",
    codex:
      "An agent that begins with the conversation of its parent gets no tool calls, and only final answers.",
    engine: "It gets all of it.",
    reason: "An agent must know what its parent has done, and few models mark an answer as final.",
    scenarios: ["agents.fork"],
    method: /^\(model input of thread 2\)$/,
    text: /unexpected/,
  },
];
