import type { EngineDifference } from "../difference.ts";

/** The known differences of approvals. */
export const APPROVALS: readonly EngineDifference[] = [
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
    codex: "The model receives a message when the user accepts a rule.",
    engine: "It receives none.",
    reason: "The command runs either way, and the next one that the rule allows runs without a question.",
    scenarios: ["asked.amendment"],
    method: /^\(model input of /,
  },
  {
    area: "approvals",
    codex: "The automatic reviewer is a sub-agent with tools and a thread of its own.",
    engine: "It is one request without tools.",
    reason: "The reviewer is not finished.",
    scenarios: ["approval.auto-allow", "approval.auto-deny"],
    // The second thread is that of the reviewer.
    method: /^\(model (headers|body|tool (exec_command|write_stdin|view_image)|input) of thread 2\)$/,
    gap: true,
  },
];
