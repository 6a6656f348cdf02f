import type { Schema } from "../../schema/index.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import * as is from "../../rpc/options/check.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { createSession } from "../session/session.ts";
import { RunSession } from "../tools/run-session.ts";
import { Connections } from "./connections.ts";
import {
  checkAgentOptions,
  checkRunOptions,
  type AgentOptions,
  type RunArguments,
  type RunSettings,
} from "./options.ts";
import { Run, type OutputOf } from "./run.ts";

/** Runs prompts on Codex. */
export class CodexAgent implements AsyncDisposable {
  readonly #options: AgentOptions;
  readonly #connections: Connections;
  readonly #running = new Set<Run>();
  #disposed = false;

  private constructor(options: AgentOptions) {
    this.#options = options;
    this.#connections = new Connections(options);
  }

  /** Creates an agent. The first run starts the server. If the server is lost, the next run starts another. */
  static async open(options: AgentOptions): Promise<CodexAgent> {
    checkAgentOptions(options);
    return Promise.resolve(new CodexAgent(options));
  }

  /**
   * Starts a run of a prompt. Throws `invalid_argument` for invalid or contradictory options. Every other failure
   * rejects `result` with an `AgentError`.
   */
  run<I extends Schema, O extends Schema | undefined>(
    prompt: Prompt<I, O>,
    ...[options]: RunArguments<I>
  ): Run<OutputOf<O>> {
    if (this.#disposed) throw new InvalidArgumentError("the agent is closed: open another one");
    is.checkArgument<Prompt>("agent.run()", "prompt", prompt, is.methods("render"));
    const settings: RunSettings & { readonly input?: unknown } = options === undefined ? {} : options;
    checkRunOptions(settings);
    const { input = {}, ...run } = settings;
    const started = new Run<OutputOf<O>>({
      runId: crypto.randomUUID(),
      prompt,
      input,
      agent: this.#options,
      run,
      session: RunSession.of(run.session ?? createSession({ slices: [] })),
      connections: this.#connections,
    });
    this.#running.add(started);
    const over = (): void => void this.#running.delete(started);
    started.result.then(over, over);
    return started;
  }

  /** Interrupts all runs and stops the server. */
  async close(): Promise<void> {
    this.#disposed = true;
    await Promise.all(Array.from(this.#running, async (run) => run.interrupt()));
    await this.#connections[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
