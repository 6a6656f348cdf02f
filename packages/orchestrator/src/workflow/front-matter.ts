import type { Place } from "../domain/errors.ts";

/** A WORKFLOW.md in its two parts. */
export interface WorkflowParts {
  /** undefined: there is no front matter. */
  readonly yaml:
    | { readonly text: string; readonly firstLine: number; readonly isTerminated: boolean }
    | undefined;
  /** Trimmed. */
  readonly prompt: string;
  readonly promptStart: Place;
}

/**
 * Splits the text of a WORKFLOW.md. If the first line is `---`, the lines until the next `---` are YAML; all of them, if
 * there is no next one.
 */
export function splitWorkflow(text: string): WorkflowParts {
  const content = text.replace(/^\uFEFF/, "");
  const lines = content.split(/\r\n|\n|\r/);
  if (!isFence(lines[0])) return { yaml: undefined, ...trimmed(lines, 0) };
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  const isTerminated = end !== -1;
  const yaml = {
    text: lines.slice(1, isTerminated ? end : undefined).join("\n"),
    firstLine: 2,
    isTerminated,
  };
  return { yaml, ...trimmed(lines, isTerminated ? end + 1 : lines.length) };
}

function isFence(line: string | undefined): boolean {
  return line !== undefined && /^---[ \t]*$/.test(line);
}

function trimmed(lines: readonly string[], from: number): Pick<WorkflowParts, "prompt" | "promptStart"> {
  const text = lines.slice(from).join("\n");
  const before = text.slice(0, text.length - text.trimStart().length);
  const column = before.length - before.lastIndexOf("\n");
  return {
    prompt: text.trim(),
    promptStart: { line: from + before.split("\n").length, column },
  };
}
