import { CodexClient } from "codexwright";
import { MemoryThreadStore } from "@codexwright/engine";
import { engine, type EngineOptions } from "@codexwright/engine/node";
import { makeRepository } from "./repository.ts";
import type { Task } from "./task.ts";

/** How one run of a task ended. */
export interface Outcome {
  readonly task: string;
  readonly solved: boolean;
  /** Why the task is not solved. */
  readonly why?: string | undefined;
  /** The tokens of all requests: those that the model read, those of them that were cached, and those that it wrote. */
  readonly tokens: { readonly input: number; readonly cached: number; readonly output: number };
  /** How often the model answered. */
  readonly turns: number;
  readonly ms: number;
}

export interface RunOptions {
  /** Settings in the words of `config.toml`. */
  readonly overrides: readonly string[];
  readonly sandbox: "read-only" | "workspace-write" | "danger-full-access";
  readonly limitMs: number;
  /** Options of the engine, for tests. */
  readonly engine?: EngineOptions;
}

/** Lets the configured model work on a task, and checks the result. */
export async function runTask(task: Task, options: RunOptions): Promise<Outcome> {
  await using repository = await makeRepository(task);
  const begun = performance.now();
  const tokens = { input: 0, cached: 0, output: 0 };
  let turns = 0;
  let failure: string | undefined;
  try {
    await using codex = await CodexClient.connect({
      transport: engine({
        ...options.engine,
        store: new MemoryThreadStore(),
        cwd: repository.folder,
        overrides: options.overrides,
      }),
      sandbox: options.sandbox,
      approvalPolicy: "never",
    });
    const thread = await codex.startThread({ cwd: repository.folder });
    thread.subscribe((_state, { method, params }) => {
      if (method !== "thread/tokenUsage/updated") return;
      turns++;
      tokens.input += params.tokenUsage.last.inputTokens;
      tokens.cached += params.tokenUsage.last.cachedInputTokens;
      tokens.output += params.tokenUsage.last.outputTokens;
    });
    await thread.run(task.prompt, { timeoutMs: options.limitMs });
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  const ms = Math.round(performance.now() - begun);
  const problem = await repository.problem();
  const why = problem === undefined ? undefined : (failure ?? problem);
  return { task: task.name, solved: problem === undefined, why, tokens, turns, ms };
}
