import type { DynamicToolCallOutputContentItem, Unknown } from "../protocol/index.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import * as is from "../rpc/options/check.ts";
import { checkNames, checkOptions, needed, shape, type Table } from "../rpc/options/table.ts";
import type { InferInput, InferOutput, Schema } from "../schema/schema.ts";
import type { ToolOk } from "./ok.ts";
import { toolProblems } from "./tool-check.ts";

/** The second argument of a tool's `run`. */
export interface ToolContext {
  readonly threadId: string;
  readonly turnId: string;
  readonly callId: string;
  /** Aborts when the call is no longer needed: it timed out, the turn ended or the connection closed. */
  readonly signal: AbortSignal;
}

/** Text, image or audio for the model; images and audio are `data:` URLs. */
export type ToolContent = Exclude<DynamicToolCallOutputContentItem, { type: Unknown }>;

/**
 * The result of a tool: text, a list of content items, or any other JSON value, which the model receives as JSON text.
 * For `undefined`, the model receives "OK".
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

/**
 * The side effects of a tool. An agent runs `readonly` tools in parallel, and rolls back `transactional` tools that
 * fail.
 */
export type ToolEffects = "readonly" | "transactional" | "external";

/** A named group of tools with a description for the model. */
export interface ToolNamespace {
  readonly name: string;
  readonly description: string;
}

/** An example of a call to a tool, with its result. Prompts show it to the model. */
export interface ToolExample<Input = unknown, Output = unknown> {
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
}

/**
 * A function that the model can call. Contravariant in its context: a tool that needs more than `ToolContext` cannot be
 * used where only a `ToolContext` is available.
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
  /** Expects input that the schema has validated: call it through a client, not directly. */
  readonly run: (input: never, context: C) => unknown;
}

/** Options of `tool()`. */
export interface ToolOptions<I extends Schema, O extends Schema | undefined, C extends ToolContext> {
  /**
   * 1 to 128 letters, digits, `_` and `-`. Must not be the name of one of the server's own tools, unless the tool is in
   * a namespace.
   */
  readonly name: string;
  /** Describes to the model what the tool does and when to use it. */
  readonly description: string;
  /**
   * The schema of the arguments, which must be an object. The client validates the arguments, because the server passes
   * on whatever the model wrote.
   */
  readonly input: I;
  /**
   * The schema of the result. If it is set, the result is sent as JSON, and is validated before the model receives it.
   */
  readonly output?: O;
  readonly effects?: ToolEffects | undefined;
  /** Groups tools. Needs Codex >= 0.145. A namespace has one description; set it on any one of its tools. */
  readonly namespace?: string | ToolNamespace | undefined;
  /** If true, the model must search for the tool before it can call it. Works only in a namespace. */
  readonly deferLoading?: boolean | undefined;
  /**
   * The timeout of one call. When it is reached, the model receives an error and the signal aborts. 0 or absent means
   * no timeout.
   */
  readonly timeoutMs?: number | undefined;
  /** Returns the text of a result for the model. Default: compact JSON. */
  readonly render?: ((output: O extends Schema ? InferOutput<O> : unknown) => string) | undefined;
  /** Shown in prompts of the agent layer, in the section of the tool. */
  readonly examples?:
    | readonly ToolExample<InferInput<I>, O extends Schema ? InferInput<O> : unknown>[]
    | undefined;
  /** Runs a call. Calls run in parallel. If `run` throws, the model receives the error message as a failure. */
  readonly run: (
    input: InferOutput<I>,
    context: C,
  ) => Awaitable<O extends Schema ? InferInput<O> | ToolOk<InferInput<O>> : ToolResult>;
}

type Awaitable<T> = T | Promise<T>;

/** Names, descriptions, schemas and `run` are not checked here: `toolProblems` checks them together. */
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
 * Defines a tool. The types of `run` come from the schemas.
 *
 * Throws one `invalid_argument` that lists all problems if a server would reject the tool. Name collisions with other
 * tools are checked when a thread starts.
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
