import path from "node:path";
import { CodexClient, type Thread } from "codexwright";
import type { ThreadItem } from "codexwright/protocol";
import {
  realAppServer,
  scriptedModel,
  type ModelRequest,
  type RealAppServer,
  type ScriptedModel,
} from "@codexwright/testing";
import { Repository } from "./repository.ts";
import { script, type Script } from "./script.ts";

/** Completed items, and commands that needed an approval. */
export interface Heard {
  readonly items: ThreadItem[];
  readonly commands: string[];
}

/** A repository in the workspace of a world, a model with its script, and a thread that moves between servers. */
export class Task implements AsyncDisposable {
  readonly model: ScriptedModel;
  readonly script: Script;
  readonly repository: Repository;
  readonly #world: RealAppServer;
  #codex: CodexClient | undefined;
  #thread: Thread | undefined;
  #heard: Heard = { items: [], commands: [] };

  private constructor(model: ScriptedModel, world: RealAppServer, told: Script) {
    const { clientOptions, workspace } = world;
    this.model = model;
    this.script = told;
    this.#world = world;
    this.repository = new Repository(workspace, { ...process.env, ...clientOptions.env });
  }

  static async open(): Promise<Task> {
    let told: Script | undefined;
    const model = await scriptedModel((request) => {
      const step = told?.steps[request.index];
      return typeof step === "function" ? step(request) : step;
    });
    const world = await realAppServer({ model, approvalPolicy: "on-request", sandbox: "workspace-write" });
    told = script(path.join(world.workspace, "sum.mjs"));
    return new Task(model, world, told);
  }

  get root(): string {
    return this.#world.root;
  }

  get codex(): CodexClient {
    if (!this.#codex) throw new Error("no client is connected");
    return this.#codex;
  }

  get thread(): Thread {
    if (!this.#thread) throw new Error("no thread has started");
    return this.#thread;
  }

  /** Connects a client with a server of its own, which goes on with the thread if there is one. */
  async connect(server: { readonly codexPath?: string }): Promise<void> {
    const codex = await CodexClient.connect({ ...this.#world.clientOptions, ...server });
    this.#codex = codex;
    codex.onNotification("item/completed", ({ item }) => void this.#heard.items.push(item));
    codex.onServerRequest("item/commandExecution/requestApproval", ({ command }) => {
      this.#heard.commands.push(command ?? "");
      return { decision: "accept" };
    });
    this.#thread = this.#thread ? await codex.resumeThread(this.#thread.id) : await codex.startThread();
  }

  /** Everything that clients have received since the last call. */
  heard(): Heard {
    const heard = this.#heard;
    this.#heard = { items: [], commands: [] };
    return heard;
  }

  /** A request of the model, counted from the beginning of a part of the script. */
  request(part: keyof Script["beginsAt"], step: number): ModelRequest | undefined {
    return this.model.requests[this.script.beginsAt[part] + step];
  }

  /** The last output of a tool in a request. */
  outputAt(part: keyof Script["beginsAt"], step: number): string {
    const input = this.request(part, step)?.input ?? [];
    const last = input.findLast((item) => item["type"] === "function_call_output");
    return JSON.stringify(last?.["output"] ?? "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#codex?.disconnect();
    await this.#world.close();
    await this.model.close();
  }
}
