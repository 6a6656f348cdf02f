import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { installPeer } from "../../bench/peers/install.ts";
import { ADAPTER } from "../../bench/peers/list.ts";
import type { Program } from "./servers.ts";

interface Update {
  readonly sessionUpdate: string;
  readonly messageId?: string;
  readonly title?: string;
  readonly toolCallId?: string;
  readonly status?: string;
  readonly content?: { readonly text?: string };
}
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly update?: Update;
    readonly toolCall?: { readonly title: string };
    readonly options?: readonly { readonly optionId: string; readonly kind: string }[];
  };
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

/** The messages of a turn that the adapter sent to its editor. */
export interface AcpTold {
  /** The permission requests of the adapter, with their options. */
  readonly asked: readonly { readonly title: string | undefined; readonly options: readonly string[] }[];
  /** Tools by title, with their last status. */
  readonly tools: Readonly<Record<string, string>>;
  readonly text: string;
  readonly stopReason: unknown;
}

interface AcpOptions {
  /** Blocks of the prompt after its text. */
  readonly attached?: readonly object[];
  /** The MCP servers of the editor. */
  readonly mcpServers?: readonly object[];
}

/** Runs one turn as an editor that allows everything once. @param mode the id of the adapter's mode */
export async function acpTurn(
  { codexPath, cwd }: Program,
  mode: string,
  { attached = [], mcpServers = [] }: AcpOptions = {},
): Promise<AcpTold> {
  const folder = await installPeer(ADAPTER);
  const home = path.join(cwd, "..", "adapter-home");
  mkdirSync(home, { recursive: true });
  const program = path.join(folder, "node_modules", ADAPTER.package, "dist/index.js");
  const child = spawn("node", [program], {
    cwd,
    env: {
      ...process.env,
      CODEX_PATH: codexPath,
      CODEX_HOME: home,
      HOME: home,
      NO_BROWSER: "1",
      INITIAL_AGENT_MODE: mode,
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exited = once(child, "exit");
  try {
    const editor = new Editor(child);
    await editor.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await editor.request("session/new", { cwd, mcpServers });
    const prompt = [{ type: "text", text: "go" }, ...attached];
    const { stopReason } = await editor.request("session/prompt", { sessionId, prompt });
    return { ...editor.told(), stopReason };
  } finally {
    child.kill();
    await exited;
  }
}

class Editor {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #asked: AcpTold["asked"][number][] = [];
  readonly #titles = new Map<string, string>();
  readonly #tools: Record<string, string> = {};
  readonly #waiting = new Map<number, { resolve(value: Message): void; reject(error: Error): void }>();
  #text = "";
  #next = 0;

  constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#child = child;
    createInterface(child.stdout).on("line", (line) => this.#read(JSON.parse(line) as Message));
    child.once("exit", (code) => {
      for (const waiting of this.#waiting.values()) {
        waiting.reject(new Error(`the adapter exited with ${code}`));
      }
    });
  }

  async request(method: string, params: object): Promise<Readonly<Record<string, unknown>>> {
    const id = this.#next++;
    const answer = new Promise<Message>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#write({ id, method, params });
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  told(): Omit<AcpTold, "stopReason"> {
    return { asked: this.#asked, tools: this.#tools, text: this.#text };
  }

  #read(message: Message): void {
    const { id, method, params } = message;
    if (method === undefined) return this.#waiting.get(id ?? -1)?.resolve(message);
    if (id !== undefined) return this.#allow(id, params);
    if (params?.update) this.#update(params.update);
  }

  #allow(id: number, params: Message["params"]): void {
    const options = params?.options ?? [];
    this.#asked.push({ title: params?.toolCall?.title, options: options.map(({ optionId }) => optionId) });
    const allow = options.find(({ kind }) => kind === "allow_once");
    this.#write({ id, result: { outcome: { outcome: "selected", optionId: allow?.optionId } } });
  }

  #update(update: Update): void {
    const { sessionUpdate, toolCallId = "", title, status, messageId, content } = update;
    if (sessionUpdate === "tool_call") this.#titles.set(toolCallId, title ?? "");
    if (sessionUpdate.startsWith("tool_call") && status !== undefined) {
      this.#tools[this.#titles.get(toolCallId) ?? toolCallId] = status;
    }
    // Warnings of the server arrive as messages without an id.
    if (sessionUpdate === "agent_message_chunk" && messageId !== undefined) this.#text += content?.text ?? "";
  }

  #write(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}
