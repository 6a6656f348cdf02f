import { fullName, namespaceOf } from "../../tools/tool-check.ts";
import { failure, toToolResult, type CheckedToolResult } from "../../tools/tool-result.ts";
import type { ToolContent } from "../../tools/tool.ts";
import type { DynamicToolCallParams, DynamicToolCallResponse } from "../../protocol/index.ts";
import { CLOCK, GRACE_MS, settledWithin, systemClock, type Clock } from "../clock.ts";
import type { BudgetMeter, Deadline } from "../limits.ts";
import { ExpansionSignal, type ExpansionRequest } from "../prompt/expansion.ts";
import type { Resources } from "../resources/resources.ts";
import type { Session, SessionAccess } from "../session/session.ts";
import type { AfterTool } from "./after-tool.ts";
import { checkedArguments, invalidArguments, parsedArguments } from "./arguments.ts";
import type { AgentTool, AgentToolContext } from "./context.ts";
import { ToolFailure } from "./failure.ts";
import { checkRules, type CallRules } from "./call-rules.ts";
import { runIsolated, type CallScope, type Isolation } from "./isolated-call.ts";
import { excerpt, type ToolInvoked } from "./tool-invoked.ts";
import { pastOf, type Past } from "./past.ts";
import type { ToolPolicy, ToolRecord } from "./policy.ts";
import { Refusal, refusalOf } from "./refusal.ts";
import { RunSession } from "./run-session.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, needed, type Table } from "../../rpc/options/table.ts";

/** Options of `new ToolRunner()`. */
export interface ToolRunnerOptions {
  readonly tools: readonly AgentTool[];
  /** To make the calls part of an outer tool call, pass the `session` of the outer tool's context. */
  readonly session: Session | SessionAccess | RunSession;
  readonly resources: Resources;
  readonly policies?: readonly ToolPolicy[] | undefined;
  readonly afterTool?: readonly AfterTool[] | undefined;
  readonly deadline?: Deadline | undefined;
  readonly budget?: BudgetMeter | undefined;
  readonly runId?: string | undefined;
  /** The finished calls of the run, in order. The runner appends to it. */
  readonly history?: ToolRecord[] | undefined;
  readonly clock?: Clock | undefined;
  /** How long an abandoned call may block the next transactional calls. Default 5,000. */
  readonly graceMs?: number | undefined;
  /** Called when a tool, policy or hook threw, and when the server will truncate a result. */
  readonly onWarning?: ((message: string, error?: unknown) => void) | undefined;
  /** Called with log messages of tools. */
  readonly onLog?: ((tool: string, message: string, data: unknown) => void) | undefined;
}

const OPTIONS: Table<ToolRunnerOptions> = {
  tools: needed(is.listOf(is.object)),
  session: needed(is.object),
  resources: needed(is.methods<Resources>("get", "call")),
  policies: is.listOf(is.methods<ToolPolicy>("check")),
  afterTool: is.listOf(is.func),
  deadline: is.object,
  budget: is.object,
  runId: is.text,
  history: is.listOf(is.object),
  clock: CLOCK,
  graceMs: is.milliseconds,
  onWarning: is.func,
  onLog: is.func,
};

/** The result of a call. */
export interface ToolOutcome {
  /** The answer to `item/tool/call`. */
  readonly reply: DynamicToolCallResponse;
  readonly event: ToolInvoked;
  /** The model's request to expand sections. Set only for the first call that makes such a request. */
  readonly expansion?: ExpansionRequest | undefined;
}

interface Call {
  readonly params: DynamicToolCallParams;
  readonly name: string;
  readonly input: unknown;
}

/** The server truncates results to about this many characters before the model gets them. */
const LONGEST_RESULT = 12_000;

/**
 * Runs the tool calls of a run. Validates the arguments, checks policies, runs conflicting calls one after another, and
 * rolls back calls that fail.
 */
export class ToolRunner {
  readonly #options: ToolRunnerOptions;
  readonly #tools: ReadonlyMap<string, AgentTool>;
  readonly #history: ToolRecord[];
  readonly #stragglers = new Set<Promise<void>>();
  readonly #calls = new Set<Promise<ToolOutcome>>();
  readonly #clock: Clock;
  readonly #isolation: Isolation;
  readonly #rules: CallRules;
  #expansion: ExpansionRequest | undefined;

  constructor(options: ToolRunnerOptions) {
    checkOptions("new ToolRunner()", options, OPTIONS);
    const { resources, clock = systemClock, graceMs = GRACE_MS, policies = [], deadline, budget } = options;
    const session = options.session instanceof RunSession ? options.session : RunSession.of(options.session);
    this.#options = options;
    this.#history = options.history ?? [];
    this.#clock = clock;
    this.#tools = new Map(options.tools.map((tool) => [fullName(tool.name, namespaceOf(tool)?.name), tool]));
    this.#rules = { session, policies, deadline, budget, warn: this.#warn };
    const onStraggler = (over: Promise<void>): void => {
      this.#stragglers.add(over);
      void over.finally(() => this.#stragglers.delete(over));
    };
    this.#isolation = { session, resources, clock, graceMs, warn: this.#warn, onStraggler };
  }

  /** The sections that the model asked to expand, if it did. */
  get expansion(): ExpansionRequest | undefined {
    return this.#expansion;
  }

  /** True if the tool declares that it changes nothing. */
  isReadonly(name: string): boolean {
    return this.#tools.get(name)?.effects === "readonly";
  }

  /** Runs one call. Never rejects: failures are reported to the model and in the event. */
  async call(params: DynamicToolCallParams, signal: AbortSignal): Promise<ToolOutcome> {
    const call = this.#call(params, signal);
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Resolves when all calls are answered and no abandoned call still holds its session or resources. */
  async settled(): Promise<void> {
    // An abandoned call is answered only after its rollback, and a rollback may never end.
    const { graceMs, clock } = this.#isolation;
    if (this.#calls.size > 0) await settledWithin(Promise.all(this.#calls), graceMs, clock);
    while (this.#stragglers.size > 0) await Promise.all(this.#stragglers);
  }

  async #call(params: DynamicToolCallParams, signal: AbortSignal): Promise<ToolOutcome> {
    const name = fullName(params.tool, params.namespace);
    const parsed = parsedArguments(params.arguments);
    const input = parsed.ok ? parsed.value : params.arguments;
    const started = this.#clock.now();
    const event = (result: Pick<ToolInvoked, "ok" | "error" | "output">): ToolInvoked => ({
      type: "tool.invoked",
      origin: "app",
      name,
      callId: params.callId,
      params: input,
      ...result,
      durationMs: this.#clock.now() - started,
    });
    try {
      if (!parsed.ok) throw new Refusal("validation", invalidArguments(parsed.issues));
      const { content, expansion } = await this.#run({ params, name, input }, signal);
      return {
        reply: { success: true, contentItems: content },
        event: event({ ok: true, output: excerpt(textOf(content)) }),
        ...(expansion && { expansion }),
      };
    } catch (error) {
      const { kind, message } = refusalOf(error);
      if (kind === "exception") this.#warn(`the tool ${name} threw`, error);
      this.#history.push({ tool: name, input, ok: false });
      return {
        reply: failure(message),
        event: event({ ok: false, error: { kind, message }, output: excerpt(message) }),
      };
    }
  }

  async #run(
    call: Call,
    signal: AbortSignal,
  ): Promise<{ content: ToolContent[]; expansion?: ExpansionRequest | undefined }> {
    const tool = this.#tools.get(call.name);
    if (!tool) throw new Refusal("unknown-tool", this.#unknown(call.name));
    const { effects = "transactional", timeoutMs } = tool;
    const tags = { runId: this.#options.runId, callId: call.params.callId };
    const asked = { name: call.name, effects, timeoutMs };
    let past: Past = () => [];
    const result = await runIsolated(this.#isolation, asked, tags, signal, {
      run: async (own) => this.#work(tool, call, own),
      committed: () => {
        this.#history.push({ tool: call.name, input: call.input, ok: true });
        past = pastOf(this.#history);
      },
    });
    if (result instanceof ExpansionSignal) return this.#expand(result);
    const content = [...result.content, ...(await this.#after(call, result.value, past))];
    const { length } = textOf(content);
    if (length > LONGEST_RESULT) {
      this.#warn(
        `the result of ${call.name} has ${length} characters: the server truncates it before the model gets it`,
      );
    }
    return { content };
  }

  async #work(tool: AgentTool, call: Call, own: CallScope): Promise<CheckedToolResult | ExpansionSignal> {
    const { deadline, budget, onLog } = this.#options;
    const checked = await checkedArguments(tool, call.input);
    if (!checked.ok) throw new Refusal("validation", invalidArguments(checked.issues));
    await checkRules(this.#rules, call.name, checked.value, pastOf(this.#history));
    own.signal.throwIfAborted();
    const { threadId, turnId, callId } = call.params;
    const context: AgentToolContext = {
      ...own,
      threadId,
      turnId,
      callId,
      deadline,
      budget,
      fail: (message) => {
        throw new ToolFailure(message);
      },
      log: (message, data) => safely(() => onLog?.(call.name, message, data)),
    };
    try {
      return await toToolResult(tool, await tool.run(checked.value as never, context));
    } catch (error) {
      if (error instanceof ExpansionSignal) return error;
      throw error;
    }
  }

  async #after(call: Call, output: unknown, past: Past): Promise<ToolContent[]> {
    const { afterTool = [], deadline, budget } = this.#options;
    const { session } = this.#isolation;
    const { name: tool, input } = call;
    const texts: ToolContent[] = [];
    for (const hook of afterTool) {
      try {
        const text = await hook({
          tool,
          input,
          output,
          get history() {
            return past();
          },
          session,
          deadline,
          budget,
        });
        if (text !== undefined) texts.push({ type: "inputText", text });
      } catch (error) {
        this.#warn(`a hook after ${tool} threw`, error);
      }
    }
    return texts;
  }

  #expand({ request, reply }: ExpansionSignal): { content: ToolContent[]; expansion?: ExpansionRequest } {
    const first = this.#expansion === undefined;
    this.#expansion ??= request;
    return { content: [{ type: "inputText", text: reply }], ...(first && { expansion: request }) };
  }

  readonly #warn = (message: string, error?: unknown): void =>
    safely(() => this.#options.onWarning?.(message, error));

  #unknown(name: string): string {
    const known = [...this.#tools.keys()];
    return `There is no tool named ${name}. ${known.length === 0 ? "There are no tools." : `The known tools are: ${known.join(", ")}.`}`;
  }
}

/** Calls an observer. An observer that throws cannot fail a call. */
function safely(run: () => void): void {
  try {
    run();
  } catch {
    // Errors of observers are ignored.
  }
}

function textOf(content: readonly ToolContent[]): string {
  return content.flatMap((item) => (item.type === "inputText" ? [item.text] : [])).join("\n");
}
