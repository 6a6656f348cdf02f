/** Decides what Codex may do: a rule for each kind of request, and a person for the rest. */
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import {
  CodexClient,
  type ApprovalDecision,
  type ApprovalRequest,
  type CodexError,
  type CommandApproval,
  type protocol,
} from "codexwright";

// #region decide
const HARMLESS = new Set(["git status", "touch todo.txt"]); // Compare whole scripts, never a part of one.

const isNote = ({ path, kind }: protocol.FileUpdateChange): boolean =>
  kind.type === "add" && path === resolve("notes.md");

async function decide(request: ApprovalRequest): Promise<ApprovalDecision> {
  switch (request.kind) {
    case "command": // askTerminal is defined in "Close outdated questions".
      return HARMLESS.has(request.script ?? "") ? "acceptForSession" : await askTerminal(request);
    case "fileChange":
      return request.changes?.every(isNote) ? "accept" : "decline";
    case "network":
      return request.host === "registry.npmjs.org" ? "acceptForSession" : "decline";
    case "mcpTool":
      return request.serverName === "docs" ? "acceptAlways" : "decline";
    default:
      return "decline";
  }
}
// #endregion decide

// #region ask
async function askTerminal({ command, reason, signal }: CommandApproval): Promise<"accept" | "decline"> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`Run ${command}? (${reason}) [y/N] `, { signal });
    return answer === "y" ? "accept" : "decline";
  } finally {
    terminal.close();
  }
}
// #endregion ask

// #region connect
await using codex = await CodexClient.connect({
  onApproval: decide,
  onUserInput: ({ questions }) =>
    Object.fromEntries(questions.map(({ id, options }) => [id, options?.[0]?.label ?? "You choose."])),
  // By default Codex offers its model the question tool in plan mode only. This flag always offers it.
  config: { features: { default_mode_request_user_input: true } },
});
const thread = await codex.startThread({ approvalPolicy: "on-request", sandbox: "read-only" });
const { items } = await thread.run("Ask for a colour, write it to notes.md, touch todo.txt, clean up.");
for (const item of items) if ("status" in item) console.log(item.type, item.status);
// #endregion connect

// #region session
await thread.run("Touch todo.txt again."); // Not asked: it was accepted for the session.
// #endregion session

// #region withdraw
const turn = thread.turn("Remove everything.");
const stop = thread.subscribe(({ pendingRequests }) => {
  if (pendingRequests.length > 0) void turn.interrupt();
});
console.log(await turn.completed.catch(({ code }: CodexError) => `\n${code}: the question is closed`));
stop();
// #endregion withdraw
