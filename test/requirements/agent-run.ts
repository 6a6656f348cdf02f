import type { Requirement } from "./requirement.ts";

/** Of runs. `R` numbers are those of spec 000; agent.md says how they read against the real server. */
export const AGENT_RUN = [
  {
    id: "agent.R1",
    statement:
      "Events say that they come from codex_app_server, and the server is started as `codex app-server`.",
  },
  {
    id: "agent.R2",
    statement: "The library composes prompts and runs tools; only Codex speaks to the model.",
  },
  {
    id: "agent.R3",
    statement: "A run tells prompt.rendered, tool.invoked and prompt.executed.",
  },
  {
    id: "agent.R29",
    statement: "Tools are given to the server as dynamic tools.",
  },
  {
    id: "agent.R41",
    statement: "A call of our own tool is told once, though the server shows it as an item, too.",
  },
  {
    id: "agent.R70",
    statement: "Events of bridged tools carry the name of the adapter.",
  },
  {
    id: "agent.R77",
    statement: "prompt.rendered is told after rendering and before the turn starts, once a rendering.",
  },
  {
    id: "agent.R90",
    statement: "prompt.executed is told exactly once, with the usage, and the result has text and output.",
  },
  {
    id: "agent.R108",
    statement: "Every bridged call and every native command and file change is a tool.invoked.",
  },
  {
    id: "agent.R109",
    statement: "prompt.executed includes the usage.",
  },
  {
    id: "agent.R110",
    statement: "Usage is counted as input, output and total tokens.",
  },
  {
    id: "agent.R4",
    statement: "A run needs the Codex program and this library, and no other server.",
  },
  {
    id: "agent.R5",
    statement: "A Codex that is not there is an error of the run that names it, not of the import.",
  },
  { id: "agent.R10", statement: "The handshake has a time limit." },
  { id: "agent.R11", statement: "The approval policy is `never` unless given." },
  { id: "agent.R12", statement: "The sandbox can be chosen." },
  { id: "agent.R13", statement: "The way to log in can be chosen." },
  { id: "agent.R14", statement: "Threads are not reused unless asked for." },
  { id: "agent.R15", statement: "MCP servers can be given." },
  { id: "agent.R16", statement: "Threads can be ephemeral." },
  {
    id: "agent.R19",
    statement: "Approval policies are the server's; one that it no longer takes is refused first.",
  },
  {
    id: "agent.R20",
    statement: "Under `never` nothing is asked, and tools of MCP servers are approved beforehand.",
  },
  { id: "agent.R21", statement: "The sandbox is sent with thread/start." },
  { id: "agent.R22", statement: "A turn does not override the sandbox." },
  { id: "agent.R23", statement: "One logs in by API key or by tokens." },
  { id: "agent.R24", statement: "Without a way to log in, nothing of it is sent." },
  {
    id: "agent.R25",
    statement: "Model, effort, summary and personality are the server's choice unless given.",
  },
  { id: "agent.R28", statement: "What becomes of a thread is told to the session." },
  { id: "agent.R31", statement: "A deadline interrupts the turn." },
  { id: "agent.R32", statement: "A budget is measured by the server's own counts." },
  { id: "agent.R33", statement: "A command is a tool.invoked with its success." },
  { id: "agent.R34", statement: "A file change is a tool.invoked with its success." },
  { id: "agent.R35", statement: "A call of an MCP tool is a tool.invoked." },
  { id: "agent.R36", statement: "A web search is a tool.invoked." },
  { id: "agent.R38", statement: "The agent's message is the text of the answer." },
  { id: "agent.R39", statement: "Reasoning is told, and is no answer." },
  { id: "agent.R40", statement: "Only the v2 notifications count." },
  {
    id: "agent.R42",
    statement: "The session keeps the thread of a prompt's last run.",
  },
  {
    id: "agent.R43",
    statement:
      "A thread is resumed only where folder, workspace, tools, model, sandbox and policy are the same.",
  },
  {
    id: "agent.R44",
    statement: "Where a thread does not fit or cannot be resumed, a new one takes its place.",
  },
  { id: "agent.R45", statement: "thread/resume names the stored thread." },
  { id: "agent.R56", statement: "Requests have rising ids and no jsonrpc member." },
  {
    id: "agent.R57",
    statement: "Requests of the server's, the one with id 0 too, are answered under their id.",
  },
  {
    id: "agent.R58",
    statement: "Every request of the server's is answered while the turn runs.",
  },
  { id: "agent.R59", statement: "A declared output is sent as outputSchema." },
  {
    id: "agent.R60",
    statement:
      "The final answer is read by the output's schema; a missing or invalid one fails in phase response.",
  },
  {
    id: "agent.workspace.files",
    statement:
      "A run with a workspace provides its files as the resource `Files`, unless that is provided otherwise.",
  },
  {
    id: "agent.prompt.sections",
    statement: "A prompt may make its sections by a function whose `section` knows the input.",
  },
  {
    id: "agent.deadline.words",
    statement:
      "A deadline that passes names how long it was and what was running: a tool, the turn, or a wait.",
  },
  {
    id: "agent.abort.reason",
    statement: "The reason of a signal is the cause of the error of the run that it ends.",
  },
  { id: "agent.R61", statement: "No tool is used to get the output." },
  { id: "agent.R64", statement: "dynamicTools are sent under the experimental API." },
  { id: "agent.R71", statement: "MCP servers are configured with thread/start." },
  {
    id: "agent.R72",
    statement: "A tool of an MCP server and one of ours may have the same name.",
  },
  {
    id: "agent.R74",
    statement: "A budget has a meter of its own, or one that several runs share.",
  },
  { id: "agent.R75", statement: "The run's deadline is that of its tools, too." },
  {
    id: "agent.R76",
    statement: "An expired deadline fails in phase request before anything is started.",
  },
  { id: "agent.R78", statement: "The server is a process with pipes of our own." },
  { id: "agent.R79", statement: "initialize is followed by initialized." },
  { id: "agent.R80", statement: "The server takes no second initialize." },
  { id: "agent.R81", statement: "An API key is sent after the handshake." },
  {
    id: "agent.R82",
    statement: "Tokens that have run out are renewed when the server asks.",
  },
  { id: "agent.R83", statement: "thread/start has what was set and no nulls." },
  { id: "agent.R84", statement: "turn/start has the rendered text as its input." },
  {
    id: "agent.R85",
    statement: "The run reads until turn/completed and answers what it does not know with an error.",
  },
  {
    id: "agent.R86",
    statement: "Of several messages the last final one is the answer, not all of them joined.",
  },
  {
    id: "agent.R87",
    statement: "Runs that share a server hear only of their own thread.",
  },
  {
    id: "agent.R88",
    statement: "Without a callback, `never` accepts and every other policy declines.",
  },
  { id: "agent.R89", statement: "Failed and declined items are no success." },
  {
    id: "agent.R91",
    statement: "On a deadline the turn is interrupted once, its end awaited, and the run fails as such.",
  },
  {
    id: "agent.R107",
    statement: "What goes wrong with notes about a run does not end it.",
  },
  {
    id: "agent.R111",
    statement: "A run's usage is the growth of its threads' totals.",
  },
  { id: "agent.R112", statement: "Runs work on a fake server." },
  { id: "agent.R116", statement: "The usages of the spec work." },
  {
    id: "agent.run.iteration",
    statement: "Any number of readers get all events; a failure ends them after the last one.",
  },
  {
    id: "agent.run.spawn",
    statement: "One server serves all runs, or each has its own; one that dies is replaced for the next run.",
  },
  {
    id: "agent.run.stop",
    statement: "A signal, an interrupt and disposal end a run, also while it is set up.",
  },
  { id: "agent.run.steer", statement: "A running turn can be steered." },
  {
    id: "agent.run.setup-deadline",
    statement: "The deadline bounds the set-up, by an injectable clock.",
  },
  {
    id: "agent.run.sub-agents",
    statement: "Sub-agents count against the budget, and end with the run.",
  },
  {
    id: "agent.run.completion",
    statement: "A completion check sends the model on until it is content, or gives up.",
  },
  {
    id: "agent.run.repair",
    statement: "An invalid answer can be asked for again, with what is wrong.",
  },
  {
    id: "agent.run.retry",
    statement: "A turn that failed for what may pass can be run again, where nothing was done in it.",
  },
  {
    id: "agent.run.skills",
    statement: "Skills of a section are offered to the model.",
  },
  {
    id: "agent.run.expansion",
    statement:
      "Sections that the model opens are rendered whole on a new thread, without another model call.",
  },
  { id: "agent.run.approvals", statement: "Approvals are decided and told." },
  {
    id: "agent.run.workspace",
    statement: "A run in a workspace tells its diff, can be taken back, and writes nothing outside.",
  },
  {
    id: "agent.transcript",
    statement: "A transcript is a pure projection of events to JSON lines.",
  },
  {
    id: "agent.bundle",
    statement: "A bundle holds what is known of a run, and no secret.",
  },
] as const satisfies readonly Requirement[];

/** Requirements of spec 000 that are kept in another form, or not at all, and why. */
export const AGENT_ELSEWHERE: Readonly<Record<string, string>> = {
  R6: "translated: `codexPath` of the client",
  R7: "translated: `cwd` of client, agent and run; absolute, and it must exist",
  R8: "translated: `env` of the client",
  R9: "translated: the client's `stderr` event and `stderrTail` of errors",
  R17: "translated: `clientName` of the client",
  R18: "translated: `clientVersion` of the client",
  R26: "translated: not in the types, and refused at run time",
  R47: "translated: `Workspace.create` of `codexwright/workspace`",
  R49: "translated: `workspace.dir`",
  R55: "the client's own interface: `CodexClient`",
  R113: "live tests never skip: the real server is a dependency of the repository",
  R115: "non-goals of the spec",
};
