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
import type { CompletionCheck } from "./completion.ts";
import { disclosureTools } from "./disclosure.ts";
import { placed } from "./outline.ts";
import { promptOutput } from "./output.ts";
import { collected, Renderer, type Overrides } from "./renderer.ts";
import { section, type Section, type SectionOf } from "./section.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, needed, type Table } from "../../rpc/options/table.ts";

/** The input of a prompt that takes no input. */
type NoInput = Readonly<Record<string, never>>;

/** What `definePrompt()` takes. */
export interface PromptOptions<I extends Schema, O extends Schema | undefined> {
  /** As in `team/review`: parts of a-z, 0-9, `.`, `_` and `-` with `/` between. Sessions store by it. */
  readonly id: string;
  /** For events and messages; the id unless given. */
  readonly name?: string | undefined;
  readonly input?: I;
  /** Of the final answer. Lists and plain values work, too. */
  readonly output?: O;
  /** Or a function that makes them: its `section` knows the input, so that sections need no annotations. */
  readonly sections:
    | readonly Section<InferOutput<I>>[]
    | ((section: SectionOf<InferOutput<I>>) => readonly Section<InferOutput<I>>[]);
  /** Asked when the model thinks it is done. */
  readonly completion?: CompletionCheck | undefined;
  readonly policies?: readonly ToolPolicy[] | undefined;
  readonly afterTool?: readonly AfterTool[] | undefined;
  readonly resources?: readonly Provider[] | undefined;
}

/** The options of a section that never went through `section()` have no `children`, for example. */
const SECTIONS: is.Check<readonly Section<never>[]> = {
  expects: "an array of what section() returns",
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
  completion: is.func,
  policies: is.listOf(is.methods<ToolPolicy>("check")),
  afterTool: is.listOf(is.func),
  resources: is.listOf(is.object),
};

/** What a rendering may be given. */
export interface RenderOptions {
  readonly session?: SessionReader | undefined;
  /** By path; goes before the session's word and the section's own. */
  readonly visibility?: Overrides | undefined;
}

const RENDER: Table<RenderOptions> = {
  session: is.methods<SessionReader>("get"),
  visibility: is.recordOf(VISIBILITY),
};

/** A section that is shown. */
export interface OutlineEntry {
  readonly path: string;
  readonly number: string;
  readonly visibility: Visibility;
}

/** A prompt with its input put in. */
export interface RenderedPrompt {
  readonly text: string;
  /** Those of the sections that are shown whole, and those by which the others can be seen. */
  readonly tools: readonly AgentTool[];
  readonly policies: readonly ToolPolicy[];
  readonly skills: readonly string[];
  readonly outline: readonly OutlineEntry[];
}

/** A prompt: sections over a typed input, and how the answer is read. */
export interface Prompt<I extends Schema = Schema, O extends Schema | undefined = Schema | undefined> {
  readonly id: string;
  readonly name: string;
  readonly input: I;
  readonly output: O;
  /** How the final answer is asked for and read; undefined where the prompt has no `output`. */
  readonly answer: StrictOutput<O extends Schema ? InferOutput<O> : undefined> | undefined;
  readonly completion: CompletionCheck | undefined;
  readonly afterTool: readonly AfterTool[];
  readonly resources: readonly Provider[];
  /** Pure and synchronous. Throws `invalid_argument` for an input that does not match. */
  render(input: InferInput<I>, options?: RenderOptions): RenderedPrompt;
}

/** Defines a prompt; throws `invalid_argument`, with every problem at once. */
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
    completion,
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
