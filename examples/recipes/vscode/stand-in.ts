/** Stands in for VS Code: the few functions that the extension calls, and a panel whose page is played by the caller. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { rolldown } from "rolldown";

/** A message between the extension and its page. */
export interface Message {
  readonly type: string;
  readonly id?: number;
  readonly text?: string;
  readonly accepted?: boolean;
  readonly items?: readonly { readonly kind: string; readonly text: string }[];
}

interface Extension {
  activate(context: object): void;
  deactivate(): Promise<void>;
}

export async function vscodeStandIn(source: string, folder: string | undefined) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "vscode-")));
  const messages: Message[] = [];
  const errors: string[] = [];
  const commands = new Map<string, () => Promise<void>>();
  const waiting = new Set<() => void>();
  let receive: (message: Message) => void = () => {};
  let dispose: () => void = () => {};
  const webview = {
    html: "",
    cspSource: "https://csp.example",
    asWebviewUri: (uri: unknown) => uri,
    postMessage: async (message: Message) => {
      messages.push(message);
      for (const check of waiting) check();
      return true;
    },
    onDidReceiveMessage: (listener: (message: Message) => void) => (receive = listener),
  };
  const api = {
    commands: { registerCommand: (name: string, run: () => Promise<void>) => commands.set(name, run) },
    window: {
      createWebviewPanel: () => ({ webview, onDidDispose: (listener: () => void) => (dispose = listener) }),
      showErrorMessage: async (text: string) => void errors.push(text),
    },
    workspace: {
      isTrusted: true,
      workspaceFolders: folder === undefined ? undefined : [{ uri: { fsPath: folder } }],
    },
    ViewColumn: { Beside: -2 },
    Uri: { joinPath: (base: string, name: string) => `${base}/${name}` },
  };

  // Bundles the extension like its script "build".
  await using bundle = await rolldown({ input: source, platform: "node", external: ["vscode"] });
  const file = path.join(root, "dist/extension.cjs");
  await bundle.write({ file, format: "cjs", codeSplitting: false });
  // VS Code supplies the module `vscode` to extensions. Here it is an ordinary module.
  mkdirSync(path.join(root, "node_modules/vscode"), { recursive: true });
  const stub = path.join(root, "node_modules/vscode/index.js");
  writeFileSync(stub, "module.exports = {};");
  const require = createRequire(file);
  Object.assign(require("vscode") as object, api);
  const extension = require(file) as Extension;
  extension.activate({ subscriptions: [], extensionUri: "extension:" });

  return {
    webview,
    messages,
    errors,
    run: (command: string) => commands.get(command)?.(),
    /** Sends a message as the page would. */
    send: (message: Message) => receive(message),
    closePanel: () => dispose(),
    async until(is: (message: Message) => boolean): Promise<Message> {
      for (;;) {
        const found = messages.find(is);
        if (found) return found;
        await new Promise<void>((resolve) => {
          const check = (): void => {
            waiting.delete(check);
            resolve();
          };
          waiting.add(check);
        });
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await extension.deactivate();
      rmSync(root, { recursive: true });
    },
  };
}
