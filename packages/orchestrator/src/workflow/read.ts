import { createHash } from "node:crypto";
import { constants, open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { WorkflowError } from "../domain/errors.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Workflow } from "../domain/settings.ts";
import { splitWorkflow } from "./front-matter.ts";
import { parseYaml } from "./located.ts";
import { readSettings, type Surroundings } from "./settings.ts";
import { templateProblem } from "./template.ts";

/** A workflow with the text of its file, for the job store. */
export interface WorkflowFile {
  readonly workflow: Workflow;
  readonly text: string;
}

/** The largest file that is read. */
export const MOST_BYTES: number = 1024 * 1024;

/** More would hide the ones that matter. */
const MOST_MESSAGES = 20;

/** Reads and checks a WORKFLOW.md. Throws a `WorkflowError`. */
export async function readWorkflow(file: string, surroundings: Surroundings): Promise<WorkflowFile> {
  const absolute = path.resolve(file);
  const text = await readText(absolute);
  return { workflow: parseWorkflow(text, absolute, surroundings), text };
}

/** Checks the text of a WORKFLOW.md at an absolute path, as the job store keeps it. */
export function parseWorkflow(text: string, file: string, surroundings: Surroundings): Workflow {
  const { yaml, prompt, promptStart } = splitWorkflow(text);
  const root = yaml === undefined ? undefined : parseYaml(yaml.text, yaml.firstLine);
  if (root !== undefined && root.entries === undefined) {
    const { line, column } = root.place;
    throw new WorkflowError(
      "workflow_front_matter_not_a_map",
      `line ${line}, column ${column}: the front matter must be a map`,
      root.place,
    );
  }
  const { settings, problems, warnings } = readSettings(root, path.dirname(file), surroundings);
  const [first] = problems;
  if (first !== undefined) {
    const lines = problems.map(
      ({ place, text: why }) => `line ${place.line}, column ${place.column}: ${why}`,
    );
    throw new WorkflowError("workflow_invalid", bounded(lines).join("\n"), first.place);
  }
  const more = [
    ...(yaml?.isTerminated === false ? ["the front matter has no end: no line `---` follows it"] : []),
    ...[templateProblem(prompt, promptStart)].flatMap((problem) => problem ?? []),
  ];
  return {
    version: versionOf(text),
    path: file,
    settings,
    config: (root?.value ?? {}) as JsonObject,
    promptTemplate: prompt,
    promptStart,
    warnings: bounded([...warnings, ...more]),
  };
}

/** The version of a workflow: a hash of its text. */
export function versionOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Reads the text of the file. Throws `missing_workflow_file` or `workflow_parse_error`. */
export async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file);
  if (bytes.length > MOST_BYTES) {
    throw new WorkflowError("workflow_parse_error", `${file} is larger than ${MOST_BYTES} bytes`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new WorkflowError("workflow_parse_error", `${file} is not UTF-8 text`, undefined, { cause });
  }
}

/** Returns at most one byte more than allowed. */
async function readBytes(file: string): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    // A pipe without a writer must not block.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await handle.stat()).isFile()) throw new Error("it is not a regular file");
    const buffer = Buffer.allocUnsafe(MOST_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) return buffer.subarray(0, length);
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new WorkflowError("missing_workflow_file", `cannot read ${file}: ${why}`, undefined, { cause });
  } finally {
    await handle?.close();
  }
}

function bounded(messages: readonly string[]): readonly string[] {
  const rest = messages.length - MOST_MESSAGES;
  return rest <= 0 ? messages : [...messages.slice(0, MOST_MESSAGES), `and ${rest} more`];
}
