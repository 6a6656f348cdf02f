import type { DynamicToolCallOutputContentItem, Unknown } from "../protocol/index.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import * as is from "../rpc/options/check.ts";
import { checkNames, checkOptions, needed, shape, type Table } from "../rpc/options/table.ts";
import type { InferInput, InferOutput, Schema } from "../schema/schema.ts";
import type { ToolOk } from "./ok.ts";
import { toolProblems } from "./tool-check.ts";

/** What a tool is told besides its input. */
export interface ToolContext {
  readonly threadId: string;
  readonly turnId: string;
  readonly callId: string;
  /** Aborts when the call is no longer waited for: its time is up, the turn ended, the connection closed. */
  readonly signal: AbortSignal;
}

/** Text, image or audio for the model; images and audio are `data:` URLs. */
export type ToolContent = Exclude<DynamicToolCallOutputContentItem, { type: Unknown }>;

/**
 * What a tool may return: text, a list of content items, or any other value that JSON can hold, which the
 * model gets as JSON text. For `undefined` the model gets "OK".
 */
export type ToolResult =
  | string
  | number
  | boolean
  | object
  | readonly ToolContent[]
  | null
  | undefined
  | void;

/** What a tool does to the world: the agent layer runs `readonly` ones in parallel and rolls `transactional` ones back. */
export type ToolEffects = "readonly" | "transactional" | "external";

/** A group of tools under a name of its own, told to the model with a description. */
export interface ToolNamespace {
  readonly name: string;
  readonly description: string;
}

/** One call of a tool and what it gives, as prompts show it to the model. */
export interface ToolExample<Input = unknown, Output = unknown> {
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
}

/**
 * A function the model can call. Contravariant in its context: a tool that needs more than `ToolContext` is
 * not accepted where only that is given.
 */
export interface Tool<in C extends ToolContext = ToolContext> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  readonly output?: Schema | undefined;
  readonly effects?: ToolEffects | undefined;
  readonly namespace?: string | ToolNamespace | undefined;
  readonly deferLoading?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  readonly render?: ((output: never) => string) | undefined;
  readonly examples?: readonly ToolExample[] | undefined;
  /** Takes what `input` has validated: call it through a client, not by hand. */
  readonly run: (input: never, context: C) => unknown;
}

/** What `tool()` takes. */
export interface ToolOptions<I extends Schema, O extends Schema | undefined, C extends ToolContext> {
  /** Letters, digits, `_` and `-`, up to 128; not the name of one of the server's own tools unless in a namespace. */
  readonly name: string;
  /** Tells the model what the tool does and when to use it. */
  readonly description: string;
  /** Of the arguments: an object. Validated here, because the server passes on whatever the model wrote. */
  readonly input: I;
  /** Of the result, which then is JSON and validated before the model gets it. */
  readonly output?: O;
  readonly effects?: ToolEffects | undefined;
  /** Groups tools; Codex >= 0.145. One description a namespace: give it with any one of its tools. */
  readonly namespace?: string | ToolNamespace | undefined;
  /** The model has to search for the tool before it can call it; only in a namespace. */
  readonly deferLoading?: boolean | undefined;
  /** For one call; then the model is told so and the signal aborts. 0 or absent = no limit. */
  readonly timeoutMs?: number | undefined;
  /** The text that the model gets for a result; compact JSON unless given. */
  readonly render?: ((output: O extends Schema ? InferOutput<O> : unknown) => string) | undefined;
  /** Shown in prompts of the agent layer, in the section that has the tool. */
  readonly examples?:
    | readonly ToolExample<InferInput<I>, O extends Schema ? InferInput<O> : unknown>[]
    | undefined;
  /** Calls run in parallel. What it throws is told to the model by its message, as a failure. */
  readonly run: (
    input: InferOutput<I>,
    context: C,
  ) => Awaitable<O extends Schema ? InferInput<O> | ToolOk<InferInput<O>> : ToolResult>;
}

type Awaitable<T> = T | Promise<T>;

/** Names, descriptions, schemas and `run` are checked together, by `toolProblems`. */
const TOOL: Table<Tool<never>> = {
  name: needed(is.anything),
  description: needed(is.anything),
  input: needed(is.anything),
  output: is.anything,
  effects: is.oneOf("readonly", "transactional", "external"),
  namespace: is.either(
    is.text,
    shape<ToolNamespace>({ name: needed(is.text), description: needed(is.text) }),
  ),
  deferLoading: is.flag,
  timeoutMs: is.milliseconds,
  render: is.func,
  examples: is.listOf(
    shape<ToolExample>({ description: needed(is.text), input: is.anything, output: is.anything }),
  ),
  run: needed(is.func),
};

/**
 * Defines a tool; the types of `run` come from the schemas.
 *
 * Throws `invalid_argument`, with every problem at once, for what no server would take. Whether the name
 * collides with other tools is checked when a thread is started.
 */
export function tool<
  I extends Schema,
  O extends Schema | undefined = undefined,
  C extends ToolContext = ToolContext,
>(options: ToolOptions<I, O, C>): Tool<C> {
  checkNames<Tool<never>>("tool()", options, TOOL);
  const problems = toolProblems(options);
  if (problems.length > 0) throw new InvalidArgumentError(problems.join("\n"));
  checkOptions<Tool<never>>("tool()", options, TOOL);
  return Object.freeze({ ...options });
}
