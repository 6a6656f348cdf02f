import type { Requirement } from "./requirement.ts";

/** Of what tool calls share: sessions, resources, and the calls of runs that tools start. */
export const AGENT_SESSIONS = [
  {
    id: "agent.session.commit",
    statement:
      "A transactional call is committed when it succeeds, all at once: until then only the call sees its changes, and readers, observers, the journal and the stored session do not.",
  },
  {
    id: "agent.session.undo",
    statement:
      "A failed call takes back its own changes and nothing else: the application's changes in the meantime stay, and so do entries of logs.",
  },
  {
    id: "agent.nested.session",
    statement:
      "A tool can start a run on its session and wait for it: that run is one like any other, sees what is committed, and never waits for the tool's call.",
  },
  {
    id: "agent.nested.part",
    statement:
      "A run on the session of a tool's context takes part in the call: it sees the call's changes, and its own are committed or rolled back with them.",
  },
  {
    id: "agent.nested.refused",
    statement: "A call that could wait for ever for a resource is refused, and the error names the way out.",
  },
  {
    id: "agent.nested.told",
    statement:
      "A call that waits for 60 seconds for one that is not known to wait for it goes on waiting, and its run reports a warning with the names of both calls.",
  },
  {
    id: "agent.resources.stuck",
    statement:
      "A call that was given up does not hold up other calls for ever, also if its resources do not end their rollback or their disposal.",
  },
  {
    id: "agent.tools.growth",
    statement: "The cost of parallel calls of a run grows with their number and not with its square.",
  },
  {
    id: "agent.resources.shared",
    statement:
      "Calls of all runs that change the same resource object run one after the other, in their order, so no rollback takes back what another call has committed.",
  },
] as const satisfies readonly Requirement[];
