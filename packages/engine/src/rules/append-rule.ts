import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import { RulesError } from "./errors.ts";
import { parseRules } from "./parse-rules.ts";

const NAME = "default.rules";
const MAX_BYTES = 512 * 1024;
const FLAGS =
  constants.O_RDWR |
  constants.O_CREAT |
  constants.O_APPEND |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** Appends of this process, one after the other. */
let appending: Promise<void> = Promise.resolve();

/**
 * Appends a rule that allows these words to `default.rules`. The line is one append, so servers that share the file
 * lose no rule of each other. Rejects if the file is a link, is not a regular file, or cannot be parsed.
 */
export function appendRule(folder: string, words: readonly string[]): Promise<void> {
  const appended = appending.then(() => append(folder, words));
  appending = appended.catch(() => {});
  return appended;
}

async function append(folder: string, words: readonly string[]): Promise<void> {
  const file = path.join(folder, NAME);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await open(file, FLAGS, 0o600);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new RulesError(file, 1, "not a regular file");
    if (stats.size > MAX_BYTES) throw new RulesError(file, 1, `larger than ${MAX_BYTES} bytes`);
    const bytes = Buffer.alloc(stats.size);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    const text = bytes.toString("utf8", 0, bytesRead);
    // A rule after a syntax error has no effect.
    parseRules(text, file);
    const line = lineOf(words);
    if (text.split("\n").includes(line)) return;
    const added = Buffer.from(`${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
    const { bytesWritten } = await handle.write(added);
    if (bytesWritten < added.length) {
      // A part of a line would break the file.
      await handle.truncate(stats.size);
      throw new RulesError(file, 1, "the disk is full");
    }
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** The line of a rule, in the same form as Codex writes it. */
export function lineOf(words: readonly string[]): string {
  // `JSON.stringify` escapes what is not valid UTF-16, in a form that Starlark reads, too.
  const list = words.map((word) => JSON.stringify(word)).join(", ");
  return `prefix_rule(pattern=[${list}], decision="allow")`;
}
