import type { Requirement } from "./requirement.ts";

/** Of the agent layer. `R` numbers are those of spec 000; agent.md says how they read against the real server. */
export const AGENT = [
  {
    id: "agent.session.events",
    statement:
      "Events are validated when they are made and change the slices that react to them, all or none.",
  },
  {
    id: "agent.session.snapshot",
    statement: "Snapshots share structure: going back gives identical references at no cost, and logs stay.",
  },
  {
    id: "agent.session.replay",
    statement: "Replaying the journal gives the state exactly, rollbacks included.",
  },
  {
    id: "agent.session.json",
    statement: "A session goes through JSON and back, with versions, migrations and validation.",
  },
  {
    id: "agent.session.observers",
    statement: "What an observer throws breaks neither the dispatch nor other observers.",
  },
  {
    id: "agent.R37",
    statement: "A call of a bridged tool is a `tool.invoked` event.",
  },
  {
    id: "agent.R65",
    statement: "A tool call runs in-process and is answered with its result as content items.",
  },
  {
    id: "agent.R66",
    statement: "An unknown tool is answered as failed and crashes nothing.",
  },
  {
    id: "agent.R67",
    statement: "Arguments may be an object or the text of one.",
  },
  {
    id: "agent.R68",
    statement: "A failing tool is rolled back: session and resources are what they were.",
  },
  {
    id: "agent.R69",
    statement: "Before a tool runs, deadline and budget are checked.",
  },
  {
    id: "agent.R92",
    statement: "Errors of a run have a phase: request, response, tool or budget.",
  },
  {
    id: "agent.R93",
    statement: "contextWindowExceeded is of the response.",
  },
  {
    id: "agent.R94",
    statement: "usageLimitExceeded is of the budget.",
  },
  {
    id: "agent.R95",
    statement: "httpConnectionFailed is of the request.",
  },
  {
    id: "agent.R96",
    statement: "unauthorized is of the request.",
  },
  {
    id: "agent.R97",
    statement: "badRequest is of the request.",
  },
  {
    id: "agent.R98",
    statement: "sandboxError is of a tool.",
  },
  {
    id: "agent.R99",
    statement: "responseTooManyFailedAttempts is of the request.",
  },
  {
    id: "agent.R100",
    statement: "responseStreamConnectionFailed is of the request.",
  },
  {
    id: "agent.R101",
    statement: "responseStreamDisconnected is of the request.",
  },
  {
    id: "agent.R102",
    statement: "threadRollbackFailed is of the response.",
  },
  {
    id: "agent.R103",
    statement: "internalServerError is of the response.",
  },
  {
    id: "agent.R104",
    statement: "modelCap is of the budget.",
  },
  {
    id: "agent.R105",
    statement: "Every other error is of the response.",
  },
  {
    id: "agent.limits",
    statement: "Deadlines and budgets are measured exactly, by an injectable clock and over several sources.",
  },
  {
    id: "agent.tools.validation",
    statement: "Arguments are validated, unknown keys too, and the model is told what is wrong and where.",
  },
  {
    id: "agent.tools.failure",
    statement: "There is one channel of failure, throwing, and an event with its kind in every case.",
  },
  {
    id: "agent.tools.results",
    statement: "Results are text, JSON, rendered text or content, with messages, images, or hidden.",
  },
  {
    id: "agent.tools.namespace",
    statement: "Tools in namespaces are told apart.",
  },
  {
    id: "agent.tools.context",
    statement: "A tool is given its call, session, resources and limits, and can fail and log.",
  },
  {
    id: "agent.tools.parallel",
    statement:
      "Tools that write run one at a time in the order of their calls, readonly ones overlap, and no rollback takes a sibling's effects.",
  },
  {
    id: "agent.tools.effects",
    statement: "External tools are not rolled back, readonly ones cannot write.",
  },
  {
    id: "agent.tools.abort",
    statement:
      "A call that is given up is answered and rolled back; what its tool does later changes nothing.",
  },
  {
    id: "agent.tools.policies",
    statement: "Policies decide before a call, and deny when they fail.",
  },
  {
    id: "agent.tools.after",
    statement: "Hooks add text after calls that succeeded, and cannot break them.",
  },
  {
    id: "agent.resources",
    statement: "Resources open lazily in their scopes and are disposed of in reverse order.",
  },
  {
    id: "agent.resources.rollback",
    statement: "Snapshotable resources take part in rollbacks.",
  },
  {
    id: "agent.resources.memory-fs",
    statement: "A file system in memory has snapshots that copy nothing.",
  },
  {
    id: "agent.R27",
    statement: "A prompt of sections is rendered to the text of a turn.",
  },
  {
    id: "agent.R30",
    statement: "A declared output becomes a strict JSON Schema, and the answer is read by it.",
  },
  {
    id: "agent.R62",
    statement: "Outputs may be lists.",
  },
  {
    id: "agent.R63",
    statement:
      "A tool's spec is its name, description and schema; what the server would refuse or drop is refused first.",
  },
  {
    id: "agent.R73",
    statement:
      "A request to expand sections is answered as a success and kept for whoever runs the prompt; the first wins.",
  },
  {
    id: "agent.prompt.headings",
    statement: "Headings have static numbers, levels and paths.",
  },
  {
    id: "agent.prompt.enabled",
    statement: "Sections that are not enabled are left out with everything in them, by input and session.",
  },
  {
    id: "agent.prompt.input",
    statement: "A prompt's input is validated; failures name their section.",
  },
  {
    id: "agent.prompt.md",
    statement: "The md tag dedents and never reinterprets values.",
  },
  {
    id: "agent.prompt.examples",
    statement: "Examples of tools are shown in their section.",
  },
  {
    id: "agent.prompt.checks",
    statement: "Prompts and sections are checked when they are defined.",
  },
  {
    id: "agent.prompt.collected",
    statement: "Tools, policies and skills come from enabled sections that are shown whole.",
  },
  {
    id: "agent.prompt.completion",
    statement: "A completion check says what is missing.",
  },
  {
    id: "agent.tools.reserved",
    statement: "Reserved names are refused, unless in a namespace.",
  },
  {
    id: "agent.disclosure.summary",
    statement: "A summarised section shows its summary and how to see the rest.",
  },
  {
    id: "agent.disclosure.tools",
    statement: "open_sections and read_section are offered when a section needs them.",
  },
  {
    id: "agent.disclosure.visibility",
    statement: "Visibility is decided by override, session, then section.",
  },
  {
    id: "agent.disclosure.open",
    statement: "open_sections asks for an expansion, or says why not.",
  },
  {
    id: "agent.disclosure.read",
    statement: "read_section shows a section whole and changes nothing.",
  },
  {
    id: "agent.R46",
    statement: "A workspace's fingerprint depends on its settings only, in whatever order.",
  },
  {
    id: "agent.R48",
    statement: "Mounts are copied into a folder of their own.",
  },
  {
    id: "agent.R50",
    statement: "A workspace renders itself into a prompt.",
  },
  {
    id: "agent.R51",
    statement: "A workspace is removed when it is disposed of, or could not be made.",
  },
  {
    id: "agent.R52",
    statement: "A workspace has a fingerprint.",
  },
  {
    id: "agent.R53",
    statement: "Mounts have targets, globs and byte budgets, and tell what was copied.",
  },
  {
    id: "agent.R54",
    statement: "The wording of a workspace names no provider.",
  },
  {
    id: "agent.R114",
    statement: "A workspace is confined: allowed roots, targets, links.",
  },
  {
    id: "agent.workspace.globs",
    statement: "Globs include and exclude files of a mount.",
  },
  {
    id: "agent.workspace.budget",
    statement: "Byte budgets hold for each mount and for all.",
  },
  {
    id: "agent.workspace.roots",
    statement: "Only allowed roots are read; none is refused unless said otherwise.",
  },
  {
    id: "agent.workspace.symlinks",
    statement:
      "Symbolic links are found out before they are resolved; skipped, or followed inside of the mount only.",
  },
  {
    id: "agent.workspace.worktree",
    statement: "A git worktree can be a workspace; the user's files, index and references stay as they are.",
  },
  {
    id: "workspace.changes",
    statement:
      "`hasChanges` tells whether a repository has changes to review, and rejects unknown names and folders without a repository.",
  },
  {
    id: "agent.workspace.checkpoints",
    statement:
      "Checkpoints of a workspace tell a diff and can be gone back to, outside of the user's repository.",
  },
  {
    id: "agent.resources.overlay-fs",
    statement: "A folder of the host takes part in rollbacks, which touch only what was written through it.",
  },
  {
    id: "agent.R106",
    statement: "An error of a run tells what the server said and the last of its stderr.",
  },
] as const satisfies readonly Requirement[];
