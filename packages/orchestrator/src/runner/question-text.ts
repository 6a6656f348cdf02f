import type { ApprovalRequest, ElicitationRequest, PermissionsRequest, UserInputRequest } from "codexwright";

/** A question is shown in lists. Its params have the whole request. */
const LONGEST = 2000;

/** The text of an approval for people. */
export function approvalText(request: ApprovalRequest): string {
  const reason = request.reason === undefined ? "" : ` The reason given is: ${request.reason}`;
  return cut(`${subjectOf(request)}${reason}`);
}

function subjectOf(request: ApprovalRequest): string {
  switch (request.kind) {
    case "command":
      return `May the agent run this command? ${request.script ?? request.command ?? "(the server did not name it)"}`;
    case "network":
      return `May the agent connect to ${request.host}?`;
    case "fileChange": {
      const files = request.changes?.map(({ path }) => path).join(", ") ?? request.grantRoot;
      return `May the agent change these files? ${files ?? "(the server did not name them)"}`;
    }
    default:
      return request.message;
  }
}

export function permissionsText(request: PermissionsRequest): string {
  const reason = request.reason === null ? "" : ` The reason given is: ${request.reason}`;
  return cut(`The agent asks for more permissions: ${JSON.stringify(request.permissions)}.${reason}`);
}

export function inputText({ questions }: UserInputRequest): string {
  const lines = questions.map(({ question, options }) => {
    const labels = options?.map(({ label }) => label).join(" / ");
    return labels === undefined || labels === "" ? question : `${question} (${labels})`;
  });
  return cut(lines.join("\n"));
}

export function elicitationText(request: ElicitationRequest): string {
  const asked = "message" in request ? request.message : `something of the kind ${request.mode}`;
  return cut(`The MCP server ${request.serverName} asks: ${asked}`);
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
