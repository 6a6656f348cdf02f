import path from "node:path";
import { text } from "node:stream/consumers";
import type { UserInput } from "codexwright/protocol";
import { usageError } from "../shared/command-error.ts";
import { readNamed, requireNamed } from "../shared/named-file.ts";

/** Where a task may come from. */
export interface TaskSource {
  readonly words: readonly string[];
  readonly file?: string | undefined;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}

/**
 * The task: the words of the command line, a file's text behind them, or stdin where there is neither and it is no
 * terminal. `-` is stdin.
 */
export async function readTask(source: TaskSource): Promise<string> {
  const { words, file, stdin } = source;
  const said = words.join(" ").trim();
  const fromStdin = said === "-" || (said === "" && file === undefined && stdin.isTTY !== true);
  const parts = [said === "-" ? "" : said];
  if (fromStdin || file === "-") parts.push(await text(stdin));
  else if (file !== undefined) parts.push(await readNamed("--file", file, source.cwd));
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

const ADDRESS = /^(https?|data):/;

/** Refuses images that are not there: the server would leave them out, and the model would not know. */
export async function requireImages(images: readonly string[], cwd: string): Promise<void> {
  for (const image of images) if (!ADDRESS.test(image)) await requireNamed("--image", image, cwd);
}

/** The task and its images as a turn's input. */
export function inputOf(task: string, images: readonly string[], cwd: string): UserInput[] {
  if (task === "") throw usageError("no task was given: write it behind `run`, pipe it in, or use --file");
  return [
    { type: "text", text: task, text_elements: [] },
    ...images.map((image): UserInput =>
      ADDRESS.test(image)
        ? { type: "image", url: image }
        : { type: "localImage", path: path.resolve(cwd, image) },
    ),
  ];
}
