/** A VS Code extension: a panel that shows a thread of Codex and asks for approvals. */
// #region code
import { CodexClient, type ApprovalRequest, type CodexError, type ThreadState } from "codexwright";
import * as vscode from "vscode";

type ToPage =
  | { readonly type: "items"; readonly items: readonly { readonly kind: string; readonly text: string }[] }
  | { readonly type: "approval" | "settled"; readonly id: number; readonly text: string }
  | { readonly type: "error"; readonly text: string };
type FromPage =
  | { readonly type: "task"; readonly text: string }
  | { readonly type: "decision"; readonly id: number; readonly accepted: boolean };

const clients = new Set<CodexClient>();

export function activate({ subscriptions, extensionUri }: vscode.ExtensionContext): void {
  subscriptions.push(vscode.commands.registerCommand("codexwright.open", () => openPanel(extensionUri)));
}

/** Ends every Codex that the extension started. */
export async function deactivate(): Promise<void> {
  await Promise.all(Array.from(clients, (client) => client.disconnect()));
}

async function openPanel(extensionUri: vscode.Uri): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (folder === undefined || !vscode.workspace.isTrusted) {
    void vscode.window.showErrorMessage("Codex: open a folder that you trust first.");
    return;
  }
  const panel = vscode.window.createWebviewPanel("codexwright", "Codex", vscode.ViewColumn.Beside, {
    enableScripts: true,
    localResourceRoots: [extensionUri],
    retainContextWhenHidden: true,
  });
  const { webview } = panel;
  const show = (message: ToPage): void => void webview.postMessage(message);
  const decisions = new Map<number, (accepted: boolean) => void>();
  let asked = 0;
  const onApproval = async (request: ApprovalRequest): Promise<"accept" | "decline"> => {
    const id = asked++;
    const accepted = new Promise<boolean>((resolve) => {
      decisions.set(id, resolve);
      request.signal.addEventListener("abort", () => resolve(false));
    });
    show({ type: "approval", id, text: subjectOf(request) });
    const decision = (await accepted) ? "accept" : "decline";
    decisions.delete(id);
    show({ type: "settled", id, text: decision });
    return decision;
  };
  const codex = new CodexClient({
    cwd: folder,
    sandbox: "workspace-write",
    approvalPolicy: "on-request",
    onApproval,
  });
  clients.add(codex);
  panel.onDidDispose(() => void codex.disconnect().finally(() => clients.delete(codex)));
  const script = webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "webview.js")).toString();
  const policy = `default-src 'none'; script-src ${webview.cspSource}`;
  webview.html = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">
<body><main></main><form><input autofocus><button>Send</button></form><script src="${script}"></script>`;

  const failed = (error: unknown): void => show({ type: "error", text: (error as CodexError).message });
  const start = async () => {
    await codex.connect();
    const { account, requiresOpenaiAuth } = await codex.account();
    if (requiresOpenaiAuth && account === null) throw new Error("Codex is not logged in: run `codex login`.");
    const thread = await codex.startThread();
    thread.subscribe((state) => show({ type: "items", items: itemsOf(state) }));
    return thread;
  };
  const starting = start();
  starting.catch(failed);
  webview.onDidReceiveMessage((message: FromPage) => {
    if (message.type === "decision") decisions.get(message.id)?.(message.accepted);
    else void starting.then((thread) => thread.send(message.text, { mode: "steer" })).catch(failed);
  });
}

function subjectOf(request: ApprovalRequest): string {
  if (request.kind === "command") return `Run ${request.script ?? request.command}`;
  if (request.kind === "fileChange") return `Change ${request.changes?.map(({ path }) => path).join(", ")}`;
  return request.kind === "network" ? `Reach ${request.host}` : `Call a tool of ${request.serverName}`;
}

function itemsOf({ turns }: ThreadState): { kind: string; text: string }[] {
  return turns.flatMap(({ items }) =>
    items.flatMap(({ item }) => {
      if (item.type === "agentMessage") return { kind: "codex", text: item.text };
      if (item.type === "commandExecution")
        return { kind: "command", text: `${item.command} (${item.status})` };
      if (item.type !== "userMessage") return [];
      return {
        kind: "you",
        text: item.content.map((part) => (part.type === "text" ? part.text : "")).join(""),
      };
    }),
  );
}
// #endregion code
