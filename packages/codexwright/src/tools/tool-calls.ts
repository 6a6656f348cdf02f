import type { DynamicToolCallParams, DynamicToolCallResponse } from "../protocol/index.ts";
import { withSignal, type Withdrawable } from "../rpc/withdrawable.ts";
import { issueLines, messageOf, validate } from "../schema/schema.ts";
import { CallLimit } from "./call-limit.ts";
import { CallMemory } from "./call-memory.ts";
import { fullName, namespaceOf } from "./tool-check.ts";
import { failure, toToolResult } from "./tool-result.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** Options of {@link ToolBox}. */
export interface ToolBoxOptions {
  /**
   * Called when a tool throws, times out or returns an invalid result. Invalid arguments and unknown tools are errors
   * of the model and are reported only to the model.
   */
  readonly onFailure?: ((tool: Tool, error: unknown) => void) | undefined;
}

/**
 * Answers the server's `item/tool/call` requests by running tools from a list. Calls are independent and run in
 * parallel.
 */
export class ToolBox {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #onFailure: NonNullable<ToolBoxOptions["onFailure"]>;
  readonly #memory = new CallMemory<unknown>();

  constructor(tools: readonly Tool[], { onFailure = () => {} }: ToolBoxOptions = {}) {
    this.#tools = new Map(tools.map((tool) => [fullName(tool.name, namespaceOf(tool)?.name), tool]));
    this.#onFailure = onFailure;
  }

  /**
   * Runs one call. Never rejects: every error is returned to the model, so that the model can correct the call or
   * continue.
   *
   * @param request the call; if it is withdrawn, the signal of the tool aborts
   */
  async call(params: DynamicToolCallParams, request: Withdrawable): Promise<DynamicToolCallResponse> {
    const name = fullName(params.tool, params.namespace);
    const tool = this.#tools.get(name);
    if (!tool) return failure(this.#unknown(name));
    const limit = new CallLimit(tool, request);
    try {
      return await Promise.race([this.#answer(tool, name, params, limit), limit.reached]);
    } catch (error) {
      if (!request.signal.aborted) this.#report(tool, error);
      return failure(messageOf(error));
    } finally {
      limit[Symbol.dispose]();
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
    const context: ToolContext = withSignal({ threadId, turnId, callId }, limit);
    const { content } = await toToolResult(
      tool,
      await this.#memory.once(params, async () => await tool.run(input.value as never, context)),
    );
    return { success: true, contentItems: content };
  }

  #report(tool: Tool, error: unknown): void {
    try {
      this.#onFailure(tool, error);
    } catch {
      // A failing `onFailure` must not prevent the answer.
    }
  }

  #unknown(name: string): string {
    const known = [...this.#tools.keys()];
    return `There is no tool named ${name}. ${known.length === 0 ? "There are no tools." : `The known tools are: ${known.join(", ")}.`}`;
  }
}
