import path from "node:path";
import type { UserInput } from "codexwright/protocol";
import { CommandError, EXIT, usageError } from "../shared/command-error.ts";
import { readNamed, requireNamed } from "../shared/named-file.ts";
import { MOST_CHARACTERS, SHORTEN } from "../shared/read-text.ts";
import type { Stdin } from "../shared/stdin.ts";

/** The sources of a task. */
export interface TaskSource {
  readonly words: readonly string[];
  readonly file?: string | undefined;
  readonly cwd: string;
  readonly stdin: Stdin;
  /** Called before stdin is read, which may take a long time. */
  readonly ready?: () => Promise<void>;
}

/**
 * Returns the task: the words of the command line, then the text of a file. Piped text follows in its own block, marked
 * in the same way as by `codex exec`. If there is nothing else, the piped text is the whole task. `-` means stdin.
 */
export async function readTask({ words, file, cwd, stdin, ready }: TaskSource): Promise<string> {
  const said = words.join(" ").trim();
  const isAsked = said === "-" || file === "-" || (said === "" && file === undefined && !stdin.isTerminal);
  const named = file === undefined || file === "-" ? "" : await readNamed("--file", file, cwd);
  await ready?.();
  const piped = isAsked || stdin.isPiped() ? await stdin.read() : "";
  if (said === "-") return joined(piped.trim(), named.trim());
  return joined(said, named.trim(), isAsked ? piped.trim() : block(piped));
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

function block(text: string): string {
  if (text.trim() === "") return "";
  return `<stdin>\n${text}${text.endsWith("\n") ? "" : "\n"}</stdin>`;
}

const ADDRESS = /^(https?|data):/;

/** Throws if an image does not exist: the server would silently leave it out. */
export async function requireImages(images: readonly string[], cwd: string): Promise<void> {
  for (const image of images) if (!ADDRESS.test(image)) await requireNamed("--image", image, cwd);
}

/** The task and its images as the input of a turn. */
export function inputOf(task: string, images: readonly string[], cwd: string): UserInput[] {
  if (task === "") throw usageError("no task: add it to the command line, or pipe it in");
  if (isTooLong(task)) {
    const message = `the task has more than ${MOST_CHARACTERS} characters`;
    throw new CommandError("input_too_large", EXIT.usage, message, [SHORTEN]);
  }
  return [
    { type: "text", text: task, text_elements: [] },
    ...images.map((image): UserInput =>
      ADDRESS.test(image)
        ? { type: "image", url: image }
        : { type: "localImage", path: path.resolve(cwd, image) },
    ),
  ];
}

/** The server counts characters, not UTF-16 units. */
function isTooLong(text: string): boolean {
  if (text.length <= MOST_CHARACTERS) return false;
  let count = 0;
  for (const char of text) if (char !== "" && ++count > MOST_CHARACTERS) return true;
  return false;
}
