import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  realAppServer,
  scriptedModel,
  type ModelRequest,
  type ModelResponse,
  type ScriptedModel,
} from "@codexwright/testing";
import {
  command,
  start,
  type CommandOptions,
  type RunningCommand,
} from "../../../cli/test/support/command.ts";

/** A model call of an agent. */
export interface Seen {
  readonly request: ModelRequest;
  /** The issue that the first prompt of the thread names. */
  readonly issue: string;
  /** How many tool calls of this thread have been answered. */
  readonly calls: number;
  /** The user messages of the thread, oldest first. */
  readonly prompts: readonly string[];
}

/** The answers of the model to the agent of an issue. */
export type Agent = (seen: Seen) => ModelResponse | Promise<ModelResponse>;

export interface UpIssue {
  readonly state?: string;
  readonly blockedBy?: readonly string[];
  readonly agent: Agent;
}

export interface UpOptions {
  /** More front matter of WORKFLOW.md. */
  readonly settings?: string;
  /** More TOML for Codex. */
  readonly config?: string;
  /** `codex.command`; default: the real Codex. */
  readonly codex?: string;
}

/** A project with WORKFLOW.md, a folder of issues, the real Codex, and a model whose answers the test writes. */
export class UpWorld implements AsyncDisposable {
  readonly folder: string;
  readonly model: ScriptedModel;
  /** The model calls of all agents, in their order. */
  readonly seen: Seen[] = [];
  readonly #server: Awaited<ReturnType<typeof realAppServer>>;
  readonly #running: RunningCommand[] = [];

  private constructor(
    model: ScriptedModel,
    server: Awaited<ReturnType<typeof realAppServer>>,
    heard: (listen: (seen: Seen) => void) => void,
  ) {
    this.model = model;
    this.#server = server;
    this.folder = path.join(server.root, "project");
    heard((seen) => void this.seen.push(seen));
  }

  static async open(
    issues: Readonly<Record<string, UpIssue>>,
    { settings = "", config = "", codex }: UpOptions = {},
  ): Promise<UpWorld> {
    let listener: (seen: Seen) => void = () => {};
    const model = await scriptedModel(async (request) => {
      const prompts = promptsOf(request);
      const issue = /You work on (\S+):/.exec(prompts.join("\n"))?.[1] ?? "";
      const seen = { request, issue, prompts, calls: Object.keys(request.toolOutputs).length };
      listener(seen);
      return await issues[issue]?.agent(seen);
    });
    const server = await realAppServer({ model, config });
    const world = new UpWorld(model, server, (listen) => (listener = listen));
    await mkdir(path.join(world.folder, "issues"), { recursive: true });
    for (const [name, { state = "todo", blockedBy = [] }] of Object.entries(issues)) {
      const front = `title: Task ${name}\nstate: ${state}\nblocked_by: [${blockedBy.join(", ")}]`;
      await writeFile(world.#issue(name), `---\n${front}\n---\nDo it.\n`);
    }
    await writeFile(path.join(world.folder, "WORKFLOW.md"), workflow(settings, codex));
    return world;
  }

  /** Starts `codexwright fleet <args>`. */
  start(args: readonly string[], options: CommandOptions = {}): RunningCommand {
    const running = start(["fleet", ...args], this.#options(options));
    this.#running.push(running);
    return running;
  }

  async run(args: readonly string[], options: CommandOptions = {}): ReturnType<typeof command> {
    return await command(["fleet", ...args], this.#options(options));
  }

  async stateOf(issue: string): Promise<string> {
    return /^state: *"?(.*?)"?$/m.exec(await readFile(this.#issue(issue), "utf8"))?.[1] ?? "";
  }

  async textOf(issue: string): Promise<string> {
    return await readFile(this.#issue(issue), "utf8");
  }

  async workspaces(): Promise<readonly string[]> {
    const names = await readdir(path.join(this.folder, "workspaces")).catch(() => []);
    return names.filter((name) => !name.startsWith("."));
  }

  workspace(issue: string): string {
    return path.join(this.folder, "workspaces", issue);
  }

  get env(): Readonly<Record<string, string | undefined>> {
    return this.#server.clientOptions.env;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const running of this.#running) running.kill("SIGKILL");
    await Promise.all(this.#running.map(async ({ done }) => await done));
    await this.#server.close();
    await this.model.close();
  }

  #issue(name: string): string {
    return path.join(this.folder, "issues", `${name}.md`);
  }

  #options(options: CommandOptions): CommandOptions {
    const { codexPath } = this.#server.clientOptions;
    return {
      cwd: this.folder,
      ...options,
      env: { ...this.env, ...(codexPath && { CODEX_PATH: codexPath }), ...options.env },
    };
  }
}

function workflow(settings: string, codex: string | undefined): string {
  const server = codex === undefined ? "" : `  command: ${JSON.stringify(codex)}\n`;
  return `---
tracker:
  kind: folder
  provider: { path: issues }
workspace: { root: workspaces }
polling: { interval_ms: 1000 }
codex:
${server}  read_timeout_ms: 60000
  thread_sandbox: danger-full-access
${settings}---
You work on {{ issue.identifier }}: {{ issue.title }}
`;
}

function promptsOf({ input }: ModelRequest): string[] {
  return input
    .filter(({ type, role }) => type === "message" && role === "user")
    .map(({ content }) => JSON.stringify(content));
}
