import type { ListedDifference } from "@codexwright/test-support/differential/listed";

/** A difference from Codex on purpose. The page docs/engine-differences.md lists them. */
export interface OnPurpose extends ListedDifference {
  readonly area: "protocol" | "model requests" | "commands" | "approvals" | "patches" | "threads" | "errors";
  /** The behaviour of Codex, and that of the engine. */
  readonly codex: string;
  readonly engine: string;
}

/** The intended differences from Codex. The suite fails if one of them no longer appears. */
export const DIFFERENCES: readonly OnPurpose[] = [
  {
    area: "protocol",
    codex: "The error for an unknown method names all methods of Codex.",
    engine: "It names the methods of the engine.",
    reason: "Clients read this list to learn which methods a server has.",
    method: /^(codexwright\/methods|no\/such\/method)$/,
    path: /^error\.message$/,
  },
  {
    area: "model requests",
    codex: "Requests carry headers and metadata of Codex's own service.",
    engine: "Requests carry the ids of thread and session, and no metadata.",
    reason: "Other providers do not know these headers, and no part of the engine needs them.",
    method: /^\(model (headers|body) /,
    path: /^params\.(x-codex-.*|client_metadata)$/,
  },
  {
    area: "model requests",
    codex: "The model is offered tools for goals, and web search by the provider.",
    engine: "It is not offered these tools.",
    reason: "Goals are not part of the engine, and a provider that is not OpenAI has no web search.",
    method: /^\(model tool (get_goal|create_goal|update_goal|web_search) of /,
  },
  {
    area: "model requests",
    codex: "The base instructions are the first developer message.",
    engine: "They are the member `instructions` of the request.",
    reason:
      "Every server with a Responses API knows this member, and it keeps the conversation free of them.",
    method: /^\(model base instructions of /,
  },
  {
    area: "model requests",
    codex: "Five tools for sub-agents, with all their arguments.",
    engine: "A smaller set of tools for sub-agents.",
    reason: "Sub-agents are not finished in the engine.",
    method: /^\(model tool multi_agent_v1 of /,
  },
  {
    area: "model requests",
    codex:
      "The model is offered apply_patch, update_plan and request_permissions if the model or the configuration asks for them.",
    engine: "They are always on offer.",
    reason: "Models other than OpenAI's need a function to call.",
    method: /^\(model tool (apply_patch|update_plan|request_permissions) of /,
  },
  {
    area: "model requests",
    codex: "The model is offered view_image, whose output is an image.",
    engine: "It is not offered this tool.",
    reason: "The tool is not finished in the engine.",
    method: /^\(model tool view_image of /,
  },
  {
    area: "model requests",
    codex: "The model is offered view_image, whose output is an image.",
    engine: "A call of this tool is answered as a call of an unknown tool.",
    reason: "The tool is not finished in the engine.",
    scenarios: ["image.viewed"],
  },
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
    area: "commands",
    codex: "A command that Ctrl-C ends in a terminal has exit code 1.",
    engine: "It has exit code 130, as in a shell.",
    reason: "Programs and models know this code.",
    scenarios: ["command.interrupt-key"],
    path: /exitCode$/,
  },
  {
    area: "protocol",
    codex: "An interrupt right after the start reaches the turn at any point.",
    engine: "Likewise.",
    reason: "Runs of Codex differ among themselves.",
    scenarios: ["interrupt.early"],
    races: true,
  },
  {
    area: "protocol",
    codex: "How many requests of a burst are rejected depends on the machine.",
    engine: "Likewise.",
    reason: "Runs of Codex differ among themselves.",
    scenarios: ["wire.overload"],
    races: true,
  },
  {
    area: "protocol",
    codex: "The approval of a lost client is sent again before or after the status of the thread is read.",
    engine: "Likewise.",
    reason: "Runs of Codex differ among themselves.",
    scenarios: ["clients.drop"],
    method: /^thread\/read$/,
    races: true,
  },
  {
    area: "approvals",
    codex: "It offers a rule for the first command of a script, and for interpreters.",
    engine: "It offers a rule only for a single command that is not an interpreter.",
    reason:
      "A rule for a part of a script does not allow the script, and one for an interpreter allows everything.",
    method: /^item\/commandExecution\/requestApproval$/,
    path: /^params\.(availableDecisions|proposedExecpolicyAmendment)/,
  },
  {
    area: "approvals",
    codex: "The model is told when the user accepts a rule.",
    engine: "It is not told.",
    reason: "The command runs either way, and the next one that the rule allows runs without a question.",
    scenarios: ["asked.amendment"],
    method: /^\(model input of /,
  },
  {
    area: "commands",
    codex: "A command that cannot be started has no process id.",
    engine: "Its started item has one.",
    reason: "The item is announced before the command is started.",
    scenarios: ["command.workdir"],
    path: /processId$/,
  },
  {
    area: "commands",
    codex: "Commands have the variable CODEX_APPLY_PATCH_PRESERVE_LINE_ENDINGS.",
    engine: "They do not have it.",
    reason: "Only Codex's own apply_patch program reads it.",
    scenarios: ["command.env"],
    path: /aggregatedOutput$/,
  },
];
