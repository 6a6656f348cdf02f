import { jsonSchema } from "../../schema/json-schema.ts";
import type { StrictOutput } from "../../schema/output.ts";
import {
  issueLines,
  schemaProblem,
  validateNow,
  type InferInput,
  type InferOutput,
  type Schema,
} from "../../schema/schema.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import type { Provider } from "../resources/resource.ts";
import { VISIBILITY, type Visibility } from "../session/built-in.ts";
import { createSession, type SessionReader } from "../session/session.ts";
import type { AfterTool } from "../tools/after-tool.ts";
import type { AgentTool } from "../tools/context.ts";
import type { ToolPolicy } from "../tools/policy.ts";
import { checkPrompt } from "./check.ts";
import {
  COMPLETION,
  completionOf,
  type Completion,
  type CompletionCheck,
  type CompletionOptions,
} from "./completion.ts";
import { disclosureTools } from "./disclosure.ts";
import { placed } from "./outline.ts";
import { promptOutput } from "./output.ts";
import { collected, Renderer, type Overrides } from "./renderer.ts";
import { section, type Section, type SectionOf } from "./section.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, needed, type Table } from "../../rpc/options/table.ts";

/** The input schema of a prompt without input. */
type NoInput = Readonly<Record<string, never>>;

/** Options of `definePrompt()`. */
export interface PromptOptions<I extends Schema, O extends Schema | undefined> {
  /**
   * For example `team/review`: parts of a-z, 0-9, `.`, `_` and `-`, separated by `/`. Sessions store data under this
   * id.
   */
  readonly id: string;
  /** Used in events and messages. Default: the id. */
  readonly name?: string | undefined;
  readonly input?: I;
  /** Schema of the final answer. May also describe an array or a plain value. */
  readonly output?: O;
  /**
   * The sections, or a function that creates them. The `section` argument of that function knows the input type, so
   * sections need no type annotations.
   */
  readonly sections:
    | readonly Section<InferOutput<I>>[]
    | ((section: SectionOf<InferOutput<I>>) => readonly Section<InferOutput<I>>[]);
  /** Called when the model ends its turn, to check that the work is done. May have its own limit. */
  readonly completion?: CompletionCheck | CompletionOptions | undefined;
  readonly policies?: readonly ToolPolicy[] | undefined;
  readonly afterTool?: readonly AfterTool[] | undefined;
  readonly resources?: readonly Provider[] | undefined;
}

/** Rejects plain option objects that were not passed through `section()`, because they may lack `children`. */
const SECTIONS: is.Check<readonly Section<never>[]> = {
  expects: "an array of sections created with section()",
  fits: (value) =>
    Array.isArray(value) &&
    value.every((each: { children?: unknown } | null | undefined) => Array.isArray(each?.children)),
};

type AnyPrompt = PromptOptions<Schema, Schema | undefined>;

const PROMPT: Table<AnyPrompt> = {
  id: needed(is.text),
  name: is.text,
  input: is.anything,
  output: is.anything,
  sections: needed(is.either(SECTIONS, is.func)),
  completion: COMPLETION,
  policies: is.listOf(is.methods<ToolPolicy>("check")),
  afterTool: is.listOf(is.func),
  resources: is.listOf(is.object),
};

/** Options of `prompt.render()`. */
export interface RenderOptions {
  readonly session?: SessionReader | undefined;
  /** Visibility by section path. Takes precedence over the session and the section's own setting. */
  readonly visibility?: Overrides | undefined;
}

const RENDER: Table<RenderOptions> = {
  session: is.methods<SessionReader>("get"),
  visibility: is.recordOf(VISIBILITY),
};

/** A section that is shown in the prompt. */
export interface OutlineEntry {
  readonly path: string;
  readonly number: string;
  readonly visibility: Visibility;
}

/** A prompt rendered for one input. */
export interface RenderedPrompt {
  readonly text: string;
  /** The tools of all sections that are shown in full, and the tools to view summarised sections. */
  readonly tools: readonly AgentTool[];
  readonly policies: readonly ToolPolicy[];
  readonly skills: readonly string[];
  readonly outline: readonly OutlineEntry[];
}

/** A prompt: sections with a typed input, and the schema of the answer. */
export interface Prompt<I extends Schema = Schema, O extends Schema | undefined = Schema | undefined> {
  readonly id: string;
  readonly name: string;
  readonly input: I;
  readonly output: O;
  /**
   * The schema that the final answer is requested with, and the parser of that answer. Undefined if the prompt has no
   * `output`.
   */
  readonly answer: StrictOutput<O extends Schema ? InferOutput<O> : undefined> | undefined;
  readonly completion: Completion | undefined;
  readonly afterTool: readonly AfterTool[];
  readonly resources: readonly Provider[];
  /** Renders the prompt. Pure and synchronous. Throws `invalid_argument` if the input does not match the schema. */
  render(input: InferInput<I>, options?: RenderOptions): RenderedPrompt;
}

/** Defines a prompt. Throws one `invalid_argument` that lists all problems. */
export function definePrompt<I extends Schema = Schema<NoInput>, O extends Schema | undefined = undefined>(
  options: PromptOptions<I, O>,
): Prompt<I, O> {
  checkOptions("definePrompt()", options as object as AnyPrompt, PROMPT);
  const { id, name = id, completion, policies = [], afterTool = [], resources = [] } = options;
  const sections = typeof options.sections === "function" ? options.sections(section) : options.sections;
  is.checkArgument("definePrompt()", "sections", sections, SECTIONS);
  const input = options.input ?? (NO_INPUT as Schema as I);
  const problem = schemaProblem(`input of prompt ${JSON.stringify(id)}`, input);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  const roots = placed(sections);
  checkPrompt(id, roots, policies);
  const answer = options.output && promptOutput(options.output);
  const parse = (value: unknown): InferOutput<I> => {
    const what = `input of prompt ${JSON.stringify(id)}`;
    const checked = validateNow(what, input, value);
    if (checked.ok) return checked.value;
    throw new InvalidArgumentError(`${what} is invalid:\n${issueLines(checked.issues)}`);
  };
  return Object.freeze({
    id,
    name,
    input,
    output: options.output as O,
    answer: answer as Prompt<I, O>["answer"],
    completion: completion && completionOf(completion),
    afterTool,
    resources,
    render(value: InferInput<I>, given: RenderOptions = {}) {
      checkOptions("prompt.render()", given, RENDER);
      const { session = createSession({ slices: [] }), visibility = {} } = given;
      const renderer = new Renderer(roots, id, parse(value), session, visibility);
      const shown = renderer.shown();
      const own = collected(shown);
      return {
        text: renderer.text(),
        tools: [...own.tools, ...disclosureTools(renderer, shown)],
        policies: [...policies, ...own.policies],
        skills: own.skills,
        outline: shown.map(({ node, visibility: seen }) => ({
          path: node.path,
          number: node.number,
          visibility: seen,
        })),
      };
    },
  });
}

const NO_INPUT: Schema<NoInput> = jsonSchema<NoInput>({
  type: "object",
  additionalProperties: false,
});
