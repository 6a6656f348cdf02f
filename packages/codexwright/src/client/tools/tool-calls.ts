import type { DynamicToolCallParams, DynamicToolCallResponse } from "../../protocol/index.ts";
import { issueLines, messageOf, validate } from "../schema/schema.ts";
import { CallMemory } from "./call-memory.ts";
import { fullName, namespaceOf } from "./tool-check.ts";
import { failure, told } from "./tool-result.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** What a box of tools may be given. */
export interface ToolBoxOptions {
  /**
   * Hears of tools that threw, ran out of time or gave a result that cannot be passed on. Arguments that do not
   * match and unknown tools are the model's errors and told to it alone.
   */
  readonly onFailure?: ((tool: Tool, error: unknown) => void) | undefined;
}

/** Answers the server's `item/tool/call` by a list of tools. Calls know nothing of each other: they run in parallel. */
export class ToolBox {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #onFailure: NonNullable<ToolBoxOptions["onFailure"]>;
  readonly #memory = new CallMemory<unknown>();

  constructor(tools: readonly Tool[], { onFailure = () => {} }: ToolBoxOptions = {}) {
    this.#tools = new Map(tools.map((tool) => [fullName(tool.name, namespaceOf(tool)?.name), tool]));
    this.#onFailure = onFailure;
  }

  /**
   * Runs one call. Never rejects: whatever goes wrong is told to the model, which can mend it or go on.
   *
   * @param signal aborts when nobody waits for the answer any more; the tool's own signal follows it
   */
  async call(params: DynamicToolCallParams, signal: AbortSignal): Promise<DynamicToolCallResponse> {
    const name = fullName(params.tool, params.namespace);
    const tool = this.#tools.get(name);
    if (!tool) return failure(this.#unknown(name));
    const limit = new CallLimit(tool, signal);
    try {
      return await Promise.race([this.#answer(tool, name, params, limit), limit.reached]);
    } catch (error) {
      if (!signal.aborted) this.#report(tool, error);
      return failure(messageOf(error));
    } finally {
      limit.clear();
    }
  }

  async #answer(
    tool: Tool,
    name: string,
    params: DynamicToolCallParams,
    limit: CallLimit,
  ): Promise<DynamicToolCallResponse> {
    const { threadId, turnId, callId, arguments: args } = params;
    const input = await validate(tool.input, args);
    if (!input.ok) return failure(`The arguments of ${name} are invalid:\n${issueLines(input.issues)}`);
    limit.throwIfReached();
    const context: ToolContext = {
      threadId,
      turnId,
      callId,
      get signal() {
        return limit.signal;
      },
    };
    const { content } = await told(
      tool,
      await this.#memory.once(params, async () => await tool.run(input.value as never, context)),
    );
    return { success: true, contentItems: content };
  }

  #report(tool: Tool, error: unknown): void {
    try {
      this.#onFailure(tool, error);
    } catch {
      // The answer matters more than who hears of the failure.
    }
  }

  #unknown(name: string): string {
    const known = [...this.#tools.keys()];
    return `There is no tool named ${name}. ${known.length === 0 ? "There are no tools." : `The known tools are: ${known.join(", ")}.`}`;
  }
}

/** The end of a call's patience: its tool's time limit, or the caller's signal. */
class CallLimit {
  /** Rejects when the limit is reached, and never otherwise. */
  readonly reached: Promise<never>;
  readonly #outer: AbortSignal;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onAbort = (): void => this.#stop(this.#outer.reason);
  #reject: (reason: unknown) => void = () => {};
  #own: AbortController | undefined;
  #stopped: { readonly reason: unknown } | undefined;

  constructor(tool: Tool, outer: AbortSignal) {
    this.#outer = outer;
    this.reached = new Promise((_, reject) => {
      this.#reject = reject;
    });
    if (outer.aborted) this.#onAbort();
    else outer.addEventListener("abort", this.#onAbort, { once: true });
    const { timeoutMs = 0 } = tool;
    if (timeoutMs > 0) this.#timer = setTimeout(() => this.#stop(timedOut(tool.name, timeoutMs)), timeoutMs);
  }

  /** For the tool alone, so that it does not abort once the call has ended; made when the tool looks at it. */
  get signal(): AbortSignal {
    if (!this.#own) {
      this.#own = new AbortController();
      if (this.#stopped) this.#own.abort(this.#stopped.reason);
    }
    return this.#own.signal;
  }

  throwIfReached(): void {
    if (this.#stopped) throw this.#stopped.reason;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#onAbort);
  }

  #stop(reason: unknown): void {
    this.#stopped ??= { reason };
    this.#own?.abort(reason);
    this.#reject(reason);
  }
}

function timedOut(tool: string, ms: number): DOMException {
  return new DOMException(`${tool} did not finish within ${ms} ms and was cancelled`, "TimeoutError");
}
