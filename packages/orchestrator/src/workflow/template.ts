import { Context, Liquid, toValueSync, type Emitter, type Template } from "liquidjs";
import type { RetryKind } from "../domain/claim.ts";
import { WorkflowError, type Place } from "../domain/errors.ts";
import type { Issue } from "../domain/issue.ts";
import type { Workflow } from "../domain/settings.ts";
import { withoutLongTexts } from "./long-texts.ts";

/** The variables of a prompt template. All of them are passed always, because an absent one is an error. */
export interface PromptInput {
  readonly issue: Issue;
  /** null for the first run. */
  readonly attempt: number | null;
  readonly retry_kind: RetryKind | null;
  readonly last_error: string | null;
  /** Whether the workspace of the run before is still there. */
  readonly workspace_kept: boolean;
}

const DEFAULT_PROMPT = "You are working on an issue from the configured tracker.";

/** Some malformed templates take time that grows with the square of their length. */
const LONGEST_TEMPLATE = 256 * 1024;

/** Below the limit of Codex for the input of a turn, 1 MiB. */
const LONGEST_PROMPT = 1_000_000;

const engine = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  // Templates come from here, and there are none: `include` and its like cannot read files.
  templates: {},
  parseLimit: LONGEST_TEMPLATE,
  memoryLimit: 50_000_000,
  renderLimit: 5000,
});

/** Renders the prompt of a run. Throws `template_parse_error` or `template_render_error`, with the place in the file. */
export function renderPrompt(
  workflow: Pick<Workflow, "promptTemplate" | "promptStart">,
  input: PromptInput,
): string {
  const { promptTemplate, promptStart } = workflow;
  if (promptTemplate === "") return DEFAULT_PROMPT;
  const templates = parse(promptTemplate, promptStart);
  try {
    const scope = withoutLongTexts({ ...input });
    const output = new BoundedOutput();
    const context = new Context(scope, engine.options, { sync: true }, { liquid: engine });
    toValueSync(engine.renderer.renderTemplates(templates, context, output));
    return output.buffer;
  } catch (error) {
    throw templateError("template_render_error", error, promptStart);
  }
}

/** The problem of a template that cannot be parsed. It fails runs, but not the workflow. */
export function templateProblem(template: string, start: Place): string | undefined {
  try {
    parse(template, start);
    return undefined;
  } catch (error) {
    return error instanceof WorkflowError ? error.message : String(error);
  }
}

function parse(template: string, start: Place): Template[] {
  if (template.length > LONGEST_TEMPLATE) {
    const why = `the prompt is longer than ${LONGEST_TEMPLATE} characters`;
    throw templateError("template_parse_error", new Error(why), start);
  }
  try {
    return engine.parse(template);
  } catch (error) {
    // The parser knows the filters, but SPEC.md calls an unknown one an error of rendering.
    const isFilter = error instanceof Error && error.message.includes("undefined filter");
    throw templateError(isFilter ? "template_render_error" : "template_parse_error", error, start);
  }
}

class BoundedOutput implements Emitter {
  buffer = "";

  write(part: unknown): void {
    const text = printed(part);
    if (this.buffer.length + text.length > LONGEST_PROMPT) {
      throw new Error(`the prompt is longer than ${LONGEST_PROMPT} characters`);
    }
    this.buffer += text;
  }
}

/** As Liquid prints values. A map is a mistake of the template. */
function printed(value: unknown): string {
  if (Array.isArray(value)) return value.map(printed).join("");
  if (value === null || value === undefined) return "";
  if (["string", "number", "boolean"].includes(typeof value)) return `${value as string | number | boolean}`;
  throw new Error("a map cannot be printed; name one of its fields");
}

interface LiquidFailure {
  readonly message: string;
  readonly originalError?: Error;
  readonly token?: { getPosition(): number[] };
}

function templateError(
  code: "template_parse_error" | "template_render_error",
  cause: unknown,
  start: Place,
): WorkflowError {
  const failure = cause as Partial<LiquidFailure>;
  const [line = 1, column = 1] = failure.token?.getPosition() ?? [];
  const place = {
    line: start.line + line - 1,
    column: line === 1 ? start.column + column - 1 : column,
  };
  // The message of the engine ends with a place in the template, which is not the one in the file.
  const why = (failure.originalError?.message ?? failure.message ?? String(cause))
    .replace(/, line:\d+, col:\d+$/, "")
    .slice(0, 300);
  return new WorkflowError(code, `line ${place.line}, column ${place.column}: the prompt: ${why}`, place, {
    cause,
  });
}
