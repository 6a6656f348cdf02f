import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { memoryPair } from "codexwright/rpc";
import {
  EngineServer,
  type EngineServerOptions,
  type ModelEvent,
  type ModelRequest,
} from "@codexwright/engine";
import { nodeShell } from "@codexwright/engine/node";
import { LineClient } from "@codexwright/test-support/line-client";
import { call, completed, message, modelOf, optionsOf, type Answer } from "../../unit/ports.ts";

export type Item = Readonly<Record<string, unknown>>;

/** A tool call, or a function that makes it from the request. */
export type Step = ToolStep | ((request: ModelRequest) => ToolStep);

export interface ToolStep {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export function exec(cmd: string, args: Readonly<Record<string, unknown>> = {}): ToolStep {
  return { name: "exec_command", args: { cmd, login: false, ...args } };
}

/** A write to the session that the last output names. */
export function write(chars: string, args: Readonly<Record<string, unknown>> = {}): Step {
  return (request) => ({ name: "write_stdin", args: { session_id: sessionIn(request), chars, ...args } });
}

/** Returns the id of the last session that the model learned of. */
export function sessionIn(request: ModelRequest): number {
  const texts = outputsOf(request).join("\n");
  return Number(
    texts
      .match(/session ID (\d+)/g)
      ?.at(-1)
      ?.replace(/\D/g, ""),
  );
}

export function outputsOf({ input }: ModelRequest): string[] {
  return input.filter(({ type }) => type === "function_call_output").map(({ output }) => String(output));
}

/** An engine with real shell, in a folder of its own, with a client of raw lines. */
export interface World extends AsyncDisposable {
  readonly folder: string;
  readonly client: LineClient;
  readonly server: EngineServer;
  readonly threadId: string;
  readonly requests: readonly ModelRequest[];
  /** Starts a turn and resolves with its id. */
  start(): Promise<string>;
  /** Runs a turn to its end, and returns the outputs that the model received. */
  turn(): Promise<string[]>;
  /** The items of commands that completed. */
  completedCommands(): Item[];
  /** Resolves with the `count`-th completed command. */
  command(count?: number): Promise<Item>;
}

/** The steps are calls: one response each, or several in a list. Then the model says "done", and so in later turns. */
export async function world(
  steps: readonly (Step | readonly Step[])[],
  options: Partial<EngineServerOptions> = {},
): Promise<World> {
  const folder = await mkdtemp(path.join(await realpath(tmpdir()), "codexwright-exec-"));
  const answers = steps.map((step, at): Answer => {
    return async function* (request): AsyncGenerator<ModelEvent> {
      await Promise.resolve();
      const calls = [step].flat() as readonly Step[];
      for (const [n, each] of calls.entries()) {
        const { name, args } = typeof each === "function" ? each(request) : each;
        yield call(`c${at}-${n}`, name, args);
      }
      yield completed;
    };
  });
  const done: Answer = [...message("m", "done"), completed];
  const model = modelOf(...answers, ...Array.from({ length: 8 }, () => done));
  const env = { ...process.env, HOME: folder, BASH_ENV: undefined };
  const server = new EngineServer(
    optionsOf(model, {
      shell: nodeShell({ env, program: "/bin/bash" }),
      cwd: folder,
      home: path.join(folder, ".codex"),
      config: { model: "own-model", sandboxMode: "danger-full-access", approvalPolicy: "never" },
      ...options,
    }),
  );
  const [near, far] = memoryPair();
  server.accept(far);
  const client = new LineClient(near);
  await client.hello({ capabilities: { experimentalApi: true } });
  client.write({ method: "initialized" });
  const { result } = await client.ask("thread/start", {});
  const threadId = (result as { thread: { id: string } }).thread.id;
  let turns = 0;
  const completedCommands = (): Item[] =>
    client.messages.flatMap(({ method, params }) => {
      const { item } = (params ?? {}) as { item?: Item };
      return method === "item/completed" && item?.["type"] === "commandExecution" ? [item] : [];
    });
  const start = async (): Promise<string> => {
    turns++;
    const input = [{ type: "text", text: "go" }];
    const answer = await client.ask("turn/start", { threadId, input });
    return (answer.result as { turn: { id: string } }).turn.id;
  };
  return {
    folder,
    client,
    server,
    threadId,
    requests: model.requests,
    start,
    async turn() {
      await start();
      await client.told("turn/completed", turns);
      return outputsOf(model.requests.at(-1)!);
    },
    completedCommands,
    async command(count = 1) {
      await client.until(() => completedCommands().length >= count);
      return completedCommands()[count - 1] ?? {};
    },
    async [Symbol.asyncDispose]() {
      await client.hangUp();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The events of one item, as short words. */
export function eventsOf(client: LineClient, itemId: string): string[] {
  return client.messages.flatMap(({ method, params }) => {
    const { item, itemId: id, delta, stdin } = (params ?? {}) as Item & { item?: Item };
    if ((item?.["id"] ?? id) !== itemId || method === undefined) return [];
    const name = method.replace(/^item\/(commandExecution\/)?/, "");
    return [
      `${name}${typeof delta === "string" ? ` ${delta}` : ""}${typeof stdin === "string" ? ` ${stdin}` : ""}`,
    ];
  });
}
