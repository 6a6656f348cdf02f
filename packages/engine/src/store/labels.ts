import { constants } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { parseRecordJson } from "../core/depth.ts";
import { isObject } from "../core/records/rollout-record.ts";
import type { WireObject } from "../core/wire-object.ts";
import { linesOf, openRegular } from "./rollout-lines.ts";

/** Texts about threads that are not part of their history. */
export interface Labels {
  readonly names: ReadonlyMap<string, string>;
  readonly git: ReadonlyMap<string, WireObject>;
}

/** Longer lines and files are not read. */
const LONGEST_LINE = 64 * 1024;

/** Codex's own list of names, one line for each change. */
function namesFile(home: string): string {
  return path.join(home, "session_index.jsonl");
}

/** Codex keeps these only in its database, so we keep them in a file of our own. */
function gitFile(home: string): string {
  return path.join(home, "codexwright", "git-info.jsonl");
}

export async function readLabels(home: string): Promise<Labels> {
  const names = new Map<string, string>();
  const git = new Map<string, WireObject>();
  for await (const { id, thread_name: name } of entries(namesFile(home))) {
    if (typeof id === "string" && typeof name === "string") names.set(id, name);
  }
  for await (const { id, git_info: info } of entries(gitFile(home))) {
    if (typeof id === "string" && isObject(info)) git.set(id, info);
  }
  return { names, git };
}

export async function writeName(home: string, id: string, name: string): Promise<void> {
  const time = new Date().toISOString();
  await appendLine(namesFile(home), JSON.stringify({ id, thread_name: name, updated_at: time }));
}

export async function writeGitInfo(home: string, id: string, info: WireObject): Promise<void> {
  await appendLine(gitFile(home), JSON.stringify({ id, git_info: info }));
}

async function appendLine(file: string, line: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  const handle = await openRegular(file, flags, 0o600);
  try {
    await handle.appendFile(`${line}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function* entries(file: string): AsyncGenerator<WireObject, void, undefined> {
  const handle = await openRegular(file).catch(() => undefined);
  if (!handle) return;
  try {
    for await (const { text } of linesOf(handle, 0, Number.POSITIVE_INFINITY, LONGEST_LINE)) {
      if (text === undefined || text === "") continue;
      try {
        const value: unknown = parseRecordJson(text);
        if (isObject(value)) yield value;
      } catch {
        // A broken line says nothing.
      }
    }
  } finally {
    await handle.close();
  }
}
