/** A page that runs a turn. The test bundles it for the browser, serves it and clicks its button. */
import { CodexClient } from "codexwright/client";
import { websocket } from "codexwright/websocket";

/** The browser globals that the page uses. The compiler only has the types of Node. */
interface Page {
  readonly location: { readonly hash: string };
  readonly document: {
    readonly body: { append(node: unknown): void };
    createElement(name: string): { id: string; textContent: string; onclick: (() => void) | undefined };
  };
}

const { document, location } = globalThis as unknown as Page;

function show(name: string, id: string, text: string, onclick?: () => void): void {
  const element = document.createElement(name);
  Object.assign(element, { id, textContent: text, onclick });
  document.body.append(element);
}

try {
  const { url, token } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  await using codex = await CodexClient.connect({
    transport: websocket(url ?? "", { token }),
    onApproval: (request) =>
      new Promise((resolve) => {
        const what = request.kind === "command" ? (request.script ?? request.command ?? "") : request.kind;
        show("button", "accept", `Run ${what}`, () => resolve("accept"));
      }),
  });
  const thread = await codex.startThread({ sandbox: "read-only" });
  const turn = thread.turn("Go.");
  for await (const { method, item } of turn) {
    if (method === "item/completed" && item?.type === "commandExecution") show("p", "command", item.status);
  }
  show("p", "answer", (await turn.completed).agentMessage);
} catch (error) {
  const { code, message } = error as { code?: string; message: string };
  show("p", "error", `${code}: ${message}`);
}
