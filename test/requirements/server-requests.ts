import type { Requirement } from "./requirement.ts";

export const SERVER_REQUESTS = [
  {
    id: "requests.command",
    statement:
      "A command's approval reaches onApproval with what the server suggests, and takes every decision: accept, acceptForSession, an execpolicy amendment, decline, cancel.",
  },
  {
    id: "requests.network",
    statement: "A host's approval is a kind of its own and can be answered by a network policy amendment.",
  },
  {
    id: "requests.file-change",
    statement: "A patch's approval reaches onApproval with its changes.",
  },
  {
    id: "requests.mcp-tool",
    statement:
      "An MCP tool's approval reaches onApproval, whether it is asked by elicitation or by question, and can be remembered.",
  },
  {
    id: "requests.permissions",
    statement: "onPermissions grants a part of what was asked for, for the turn or the session.",
  },
  {
    id: "requests.user-input",
    statement:
      'onUserInput answers questions by their ids; without it none is answered, with "decline" the model is told that nobody is there.',
  },
  {
    id: "requests.elicitation",
    statement: "onElicitation answers what MCP servers ask: accept with content, decline, cancel.",
  },
  {
    id: "requests.legacy",
    statement: "The approvals of v1 conversations are the same requests, answered in their own words.",
  },
  {
    id: "requests.tokens",
    statement:
      "Token refresh, attestation and the time are answered by their options; without one the first two are errors.",
  },
  {
    id: "requests.nonsense",
    statement:
      "A handler that throws or returns nonsense counts as a refusal and raises a warning without secrets.",
  },
  {
    id: "requests.fail",
    statement:
      'onApproval and onUserInput "fail" end the turn with approval_required and input_required, carrying the request.',
  },
  {
    id: "requests.handler",
    statement:
      "serverRequestHandler answers requests by handlers of its own as a client would, so that a layer can have some for each thread.",
  },
  {
    id: "requests.resolved",
    statement: "A request that is resolved elsewhere aborts its signal, and a late answer is dropped.",
  },
] as const satisfies readonly Requirement[];
