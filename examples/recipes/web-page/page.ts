// #region code
import { CodexClient, type ApprovalRequest, type CodexError, type Thread } from "codexwright/client";
import { websocket } from "codexwright/websocket";

/** Adds a line. Texts of the model are set as text, never as HTML. */
function show(kind: string, text: string): HTMLElement {
  const line = document.createElement("p");
  Object.assign(line, { className: kind, textContent: text });
  line.style.whiteSpace = "pre-wrap";
  document.querySelector("main")?.append(line);
  return line;
}

async function ask(request: ApprovalRequest): Promise<"accept" | "decline"> {
  const what = request.kind === "command" ? (request.script ?? request.command) : request.kind;
  const line = show("approval", `Allow ${what}? `);
  const decision = await new Promise<"accept" | "decline">((resolve) => {
    for (const choice of ["accept", "decline"] as const) {
      const onclick = (): void => resolve(choice);
      line.append(Object.assign(document.createElement("button"), { textContent: choice, onclick }));
    }
    // Aborts when the turn ends, or when another client has answered.
    request.signal.addEventListener("abort", () => resolve("decline"));
  });
  line.remove();
  return decision;
}

async function runTurn(thread: Thread, task: string): Promise<void> {
  show("you", task);
  const lines = new Map<string, HTMLElement>();
  const turn = thread.turn(task);
  for await (const { method, params, item } of turn) {
    if (method === "item/started" && item?.type === "agentMessage") lines.set(item.id, show("codex", ""));
    if (method === "item/agentMessage/delta") lines.get(params.itemId)?.append(params.delta);
    if (method === "item/completed" && item?.type === "commandExecution")
      show("command", `${item.command} (${item.status})\n${item.aggregatedOutput ?? ""}`.trimEnd());
  }
  await turn.completed;
}

const failed = ({ code, message }: CodexError): unknown => show("error", `${code}: ${message}`);

async function open(): Promise<void> {
  const { url = "", token = "" } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const codex = await CodexClient.connect({ transport: websocket(url, { token }), onApproval: ask });
  const { account, requiresOpenaiAuth } = await codex.account();
  if (requiresOpenaiAuth && account === null) show("error", "Codex is not logged in: run `codex login`.");
  const thread = await codex.startThread({ sandbox: "workspace-write", approvalPolicy: "on-request" });
  const form = document.querySelector("form");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    runTurn(thread, form.querySelector("input")?.value ?? "").catch(failed);
    form.reset();
  });
  form?.querySelector("button")?.removeAttribute("disabled");
}

open().catch(failed);
// #endregion code
