/** An agent that triages tickets. Its tools change a session; a tool that fails changes nothing. */
import { CodexClient } from "codexwright";
import {
  CodexAgent,
  createSession,
  definePrompt,
  event,
  log,
  requires,
  section,
  Session,
  slice,
  tool,
  type AgentToolContext,
} from "codexwright/agent";
import { z } from "zod";

// #region slices
const Assigned = event("tickets/assigned", z.object({ id: z.string(), team: z.string() }));

const Teams = slice("teams", {
  schema: z.record(z.string(), z.array(z.string())),
  initial: { web: [], billing: [] },
  on: (on) => [on(Assigned, (teams, { id, team }) => ({ ...teams, [team]: [...(teams[team] ?? []), id] }))],
});

const Refused = log("refused", z.object({ id: z.string(), why: z.string() }));

const session = createSession({ slices: [Teams, Refused] });
// #endregion slices

// #region tools
const TICKETS: Readonly<Record<string, string>> = {
  "T-1": "The login page is blank.",
  "T-2": "I was charged twice.",
  "T-3": "The invoice page is blank.",
};

const lookUp = tool({
  name: "look_up_ticket",
  description: "Shows a ticket.",
  input: z.object({ id: z.string() }),
  effects: "readonly", // may run in parallel
  run: ({ id }, ctx: AgentToolContext) => TICKETS[id] ?? ctx.fail(`there is no ticket ${id}`),
});

const assign = tool({
  name: "assign_ticket",
  description: "Assigns a ticket to a team: web or billing.",
  input: z.object({ id: z.string(), team: z.string() }),
  effects: "transactional", // one at a time; changes of a failed call are rolled back
  run({ id, team }, { session: state, fail }: AgentToolContext) {
    state.dispatch(Assigned({ id, team }));
    const tickets = state.get(Teams)[team] ?? [];
    if (tickets.length > 2) {
      state.dispatch(Refused.append({ id, why: `${team} is full` }));
      fail(`${team} has ${tickets.length - 1} tickets already and takes no more`);
    }
    return { team, tickets };
  },
});
// #endregion tools

// #region prompt
const triage = definePrompt({
  id: "examples/triage",
  input: z.object({ ids: z.array(z.string()) }),
  sections: [
    section({
      key: "task",
      title: "Task",
      body: (input: { ids: string[] }) => `Assign these tickets: ${input.ids.join(", ")}.`,
      tools: [lookUp, assign],
    }),
    section({
      key: "load",
      title: "Load",
      // The body sees the session's state at the time of rendering.
      body: (_, state) =>
        Object.entries(state.get(Teams))
          .map(([team, ids]) => `${team}: ${ids.length}`)
          .join(", "),
    }),
  ],
  policies: [requires("assign_ticket", ["look_up_ticket"])],
});
// #endregion prompt

// #region run
await using agent = await CodexAgent.open({ connect: () => CodexClient.connect() });
const run = agent.run(triage, { input: { ids: ["T-1", "T-2", "T-3"] }, session });
for await (const told of run) {
  if (told.type === "tool.invoked") console.log(told.name, told.ok ? "ok" : told.error?.message);
}
console.log(JSON.stringify(session.get(Teams)), session.get(Refused).length);
// #endregion run

// #region reuse
const stored = JSON.stringify(session);
const later = Session.parse(stored, { slices: [Teams, Refused] });
const more = agent.run(triage, { input: { ids: ["T-9"] }, session: later, reuseThread: true });
const { text, threadId } = await more.result;
console.log(text, threadId === (await run.result).threadId ? "on the same thread" : "on a new thread");
// #endregion reuse

// #region history
const before = later.snapshot();
later.dispatch(Assigned({ id: "T-4", team: "web" }));
later.restore(before);
console.log(later.get(Teams)["web"]?.includes("T-4"), later.journal.at(-1)?.event.type);
const replayed = Session.replay(later.journal, { slices: [Teams, Refused] });
console.log(JSON.stringify(replayed.get(Teams)) === JSON.stringify(later.get(Teams)));
// #endregion history
