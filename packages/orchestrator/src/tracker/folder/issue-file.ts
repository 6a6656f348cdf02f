import { constants, type BigIntStats } from "node:fs";
import { open } from "node:fs/promises";
import { type HeldFolder, NO_LINKS } from "codexwright/internal/node";
import { FrontMatter, MalformedIssue, splitFile } from "./front-matter.ts";
import { labelsOf, priorityOf, textOf, timeOf } from "../issue-fields.ts";

/** The largest file that is read. */
export const MOST_BYTES: number = 1 << 20;

const READ = constants.O_RDONLY | NO_LINKS | (constants.O_NONBLOCK ?? 0);

/** An issue as its file has it, without what depends on other files. */
export interface IssueRecord {
  readonly title: string;
  readonly state: string;
  readonly description: string | null;
  readonly priority: number | null;
  readonly labels: readonly string[];
  readonly blockedBy: readonly string[];
  readonly branchName: string | null;
  readonly createdAt: string | null;
}

/** Returns why a file of this kind and size is not an issue, before it is opened. */
export function kindProblem(stats: BigIntStats): string | undefined {
  if (stats.isSymbolicLink()) return "is a link";
  if (!stats.isFile()) return "is not a regular file";
  return stats.size > MOST_BYTES ? `must have at most ${MOST_BYTES} bytes` : undefined;
}

/** Reads a file without following links or waiting for FIFOs. Returns its text and the stats of what was read. */
export async function readIssueFile(
  folder: HeldFolder,
  name: string,
): Promise<{ readonly text: string; readonly stats: BigIntStats }> {
  const file = await open(folder.at(name), READ);
  try {
    const stats = await file.stat({ bigint: true });
    const problem = kindProblem(stats);
    if (problem !== undefined) throw new MalformedIssue(problem, 1, 1);
    // One byte more, to notice a file that grows.
    const buffer = Buffer.allocUnsafe(Number(stats.size) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      ({ bytesRead: read } = await file.read(buffer, length, buffer.length - length, length));
    if (length !== Number(stats.size)) throw new MalformedIssue("is being written", 1, 1);
    return { text: decoded(buffer.subarray(0, length)), stats };
  } finally {
    await file.close();
  }
}

/** Reads the fields. Throws a `MalformedIssue`. */
export function parseIssue(text: string): IssueRecord {
  const { yaml, body } = splitFile(text);
  const front = new FrontMatter(yaml);
  return {
    title: front.text("title"),
    state: front.text("state"),
    description: textOf(body),
    priority: priorityOf(front.value("priority")),
    labels: labelsOf(front.list("labels")),
    blockedBy: [...new Set(front.list("blocked_by").map((each) => textOf(String(each)) ?? ""))].filter(
      Boolean,
    ),
    branchName: textOf(front.value("branch_name")),
    createdAt: timeOf(front.value("created_at")),
  };
}

function decoded(bytes: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new MalformedIssue("is not valid UTF-8", 1, 1);
  }
  const nul = text.indexOf("\0");
  if (nul === -1) return text;
  const lines = text.slice(0, nul).split("\n");
  throw new MalformedIssue("contains NUL", lines.length, (lines.at(-1)?.length ?? 0) + 1);
}
