import { readFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { UserInput } from "codexwright/protocol";
import { usageError } from "../shared/command-error.ts";

/** Where a task may come from. */
export interface TaskSource {
  readonly words: readonly string[];
  readonly file?: string | undefined;
  readonly images?: readonly string[] | undefined;
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
  else if (file !== undefined) parts.push(await readFile(path.resolve(source.cwd, file), "utf8"));
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The task and its images as a turn's input. */
export function inputOf(task: string, images: readonly string[], cwd: string): UserInput[] {
  if (task === "") throw usageError("no task was given: write it behind `run`, pipe it in, or use --file");
  return [
    { type: "text", text: task, text_elements: [] },
    ...images.map((image): UserInput =>
      /^(https?|data):/.test(image)
        ? { type: "image", url: image }
        : { type: "localImage", path: path.resolve(cwd, image) },
    ),
  ];
}
