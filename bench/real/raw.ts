import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Party, PartyThread } from "./party.ts";
import type { World } from "./world.ts";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly params?: { readonly threadId?: string; readonly item?: { type: string; text: string } };
}

interface Call {
  resolve(result: unknown): void;
  reject(error: Error): void;
  readonly body: object;
}

interface RunningTurn {
  text: string;
  readonly onText: (() => void) | undefined;
  resolve(text: string): void;
  reject(error: Error): void;
}

const OVERLOADED = -32001;

/**
 * A client that can be written in an hour: a process, lines of JSON, two maps. It has no checks and no time
 * limits.
 */
export class Raw implements Party {
  readonly #world: World;
  readonly #calls = new Map<number, Call>();
  readonly #turns = new Map<string, RunningTurn>();
  #child: ChildProcess | undefined;
  #nextId = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** The process id of the server. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async connect(): Promise<void> {
    const { codexPath, before = [], cwd, env } = this.#world;
    const child = spawn(codexPath, [...before, "app-server"], {
      cwd,
      env,
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#child = child;
    let carry = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (carry + text).split("\n");
      carry = lines.pop() ?? "";
      for (const line of lines) this.#take(JSON.parse(line) as Message);
    });
    child.on("exit", () => {
      for (const turn of this.#turns.values()) turn.reject(new Error("the server is gone"));
      this.#turns.clear();
    });
    const clientInfo = { name: "raw", version: "0" };
    await this.#call("initialize", { clientInfo, capabilities: { experimentalApi: true } });
    this.#write({ method: "initialized", params: {} });
  }

  async startThread(): Promise<PartyThread> {
    const started = await this.#call("thread/start", { sandbox: "workspace-write", approvalPolicy: "never" });
    const { id: threadId } = (started as { thread: { id: string } }).thread;
    return {
      run: (input, onText) => this.#run(threadId, input, onText),
      back: async (lost) => {
        await lost.catch(() => {});
        await this.connect();
        await this.#call("thread/resume", { threadId, excludeTurns: true, sandbox: "workspace-write" });
      },
    };
  }

  async request(): Promise<void> {
    await this.#call("thread/loaded/list", {});
  }

  /** Sends any request. */
  async ask(method: string, params: object): Promise<unknown> {
    return await this.#call(method, params);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    child?.stdin?.end();
    if (child && child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }

  async #run(threadId: string, input: string, onText?: () => void): Promise<string> {
    const text = new Promise<string>((resolve, reject) =>
      this.#turns.set(threadId, { text: "", onText, resolve, reject }),
    );
    const started = this.#call("turn/start", { threadId, input: [{ type: "text", text: input }] });
    const [answer] = await Promise.all([text, started]);
    return answer;
  }

  #take(message: Message): void {
    const { id, method, params } = message;
    if (method === undefined) return this.#answered(message);
    if (id !== undefined) return this.#write({ id, error: { code: -32601, message: "not supported" } });
    const turn = this.#turns.get(params?.threadId ?? "");
    if (!turn) return;
    if (method === "item/agentMessage/delta") turn.onText?.();
    else if (method === "item/completed" && params?.item?.type === "agentMessage")
      turn.text = params.item.text;
    else if (method === "turn/completed") {
      this.#turns.delete(params?.threadId ?? "");
      turn.resolve(turn.text);
    }
  }

  #answered({ id = -1, result, error }: Message): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (!call) return;
    if (!error) call.resolve(result);
    // The server's queue is full. Send the rejected request again after other messages.
    else if (error.code === OVERLOADED) setImmediate(() => this.#send(call));
    else call.reject(new Error(error.message));
  }

  #call(method: string, params: object): Promise<unknown> {
    return new Promise((resolve, reject) => this.#send({ resolve, reject, body: { method, params } }));
  }

  #send(call: Call): void {
    const id = this.#nextId++;
    this.#calls.set(id, call);
    this.#write({ id, ...call.body });
  }

  #write(message: object): void {
    this.#child?.stdin?.write(`${JSON.stringify(message)}\n`);
  }
}
