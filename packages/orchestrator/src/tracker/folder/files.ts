import type { BigIntStats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import type { HeldFolder } from "codexwright/internal/node";
import type { Place } from "../../domain/errors.ts";
import { MalformedIssue } from "./front-matter.ts";
import { type IssueRecord, kindProblem, parseIssue, readIssueFile } from "./issue-file.ts";
import { readError } from "./place.ts";

const ENDING = ".md";
/** The longest name of a file, in bytes. */
const LONGEST_NAME = 255;
/** How many files are read at the same time. */
const AT_ONCE = 16;
/** Times of files have steps of up to this length. Within one step, a change may not be visible in the times. */
const STEP_MS = 100;

/** A file as it was read last. */
export type FileState = { readonly stats: BigIntStats } & (
  | { readonly kind: "issue"; readonly record: IssueRecord }
  | { readonly kind: "malformed"; readonly problem: string; readonly place: Place }
);

/** Returns false for texts that cannot be the identifier of a file in the folder, such as paths. */
export function isIdentifier(text: string): boolean {
  return (
    /^[^./\0][^/\0]*$/.test(text) &&
    !/\p{Surrogate}/u.test(text) &&
    Buffer.byteLength(text) + ENDING.length <= LONGEST_NAME
  );
}

export function fileName(identifier: string): string {
  return `${identifier}${ENDING}`;
}

/** The files of the folder, each read again only if its stats have changed. */
export class IssueFiles {
  readonly #warn: (message: string) => void;
  #known = new Map<string, FileState>();
  /** Names that are not UTF-8 and were reported. */
  readonly #reported = new Set<string>();

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  /** Returns all issue files of the folder by their identifiers. Rejects if one cannot be read. */
  async all(folder: HeldFolder, signal: AbortSignal): Promise<ReadonlyMap<string, FileState>> {
    const identifiers = await this.#identifiers(folder);
    const found = await this.some(folder, identifiers, signal);
    this.#known = new Map(found);
    return found;
  }

  /** Returns these files. A file that does not exist is missing in the result. */
  async some(
    folder: HeldFolder,
    identifiers: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, FileState>> {
    const states = new Map<string, FileState | undefined>(identifiers.map((each) => [each, undefined]));
    const queue = states.keys();
    const work = async (): Promise<void> => {
      for (const identifier of queue) {
        signal.throwIfAborted();
        states.set(identifier, await this.#look(folder, identifier));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return new Map([...states].filter((entry): entry is [string, FileState] => entry[1] !== undefined));
  }

  async #identifiers(folder: HeldFolder): Promise<string[]> {
    const identifiers: string[] = [];
    for (const name of await readdir(folder.at("."), { encoding: "buffer" })) {
      const text = name.toString("utf8");
      if (text.startsWith(".") || !text.endsWith(ENDING)) continue;
      if (name.equals(Buffer.from(text))) identifiers.push(text.slice(0, -ENDING.length));
      else this.#reportName(text);
    }
    return identifiers.toSorted();
  }

  async #look(folder: HeldFolder, identifier: string): Promise<FileState | undefined> {
    const name = fileName(identifier);
    const known = this.#known.get(identifier);
    try {
      const stats = await lstat(folder.at(name), { bigint: true });
      if (known && isSame(known.stats, stats) && isSettled(stats)) return known;
      const state = await readState(folder, name, stats);
      if (!known || !isSame(known.stats, state.stats)) this.#report(name, state);
      this.#known.set(identifier, state);
      return state;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") {
        this.#known.delete(identifier);
        return undefined;
      }
      throw readError(`the file ${quoted(name)}`, error);
    }
  }

  #report(name: string, state: FileState): void {
    if (state.kind === "malformed") this.#warn(`${described(name, state)}; it was left out`);
  }

  #reportName(name: string): void {
    if (this.#reported.has(name) || this.#reported.size > 1_000) return;
    this.#reported.add(name);
    this.#warn(`${quoted(name)}: the name is not valid UTF-8; it was left out`);
  }
}

/** Describes a malformed file for people. */
export function described(name: string, { problem, place }: FileState & { kind: "malformed" }): string {
  return `${quoted(name)}, line ${place.line}, column ${place.column}: ${problem}`;
}

/** Quotes a name, which may contain control characters. */
function quoted(name: string): string {
  return /^[\w. -]+$/.test(name) ? name : JSON.stringify(name);
}

async function readState(folder: HeldFolder, name: string, stats: BigIntStats): Promise<FileState> {
  const malformed = (problem: string, place: Place, read = stats): FileState => ({
    kind: "malformed",
    problem,
    place,
    stats: read,
  });
  const problem = kindProblem(stats);
  if (problem !== undefined) return malformed(problem, { line: 1, column: 1 });
  try {
    const read = await readIssueFile(folder, name);
    try {
      return { kind: "issue", record: parseIssue(read.text), stats: read.stats };
    } catch (error) {
      if (error instanceof MalformedIssue) return malformed(error.message, error.place, read.stats);
      throw error;
    }
  } catch (error) {
    if (error instanceof MalformedIssue) return malformed(error.message, error.place);
    const { code = "" } = error as NodeJS.ErrnoException;
    // These say something about this file only. Others, such as EIO and EMFILE, do not.
    if (!["EACCES", "EPERM", "ELOOP", "ENXIO"].includes(code)) throw error;
    return malformed(`cannot be read (${code})`, { line: 1, column: 1 });
  }
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return (
    one.ino === other.ino &&
    one.dev === other.dev &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs &&
    one.mode === other.mode
  );
}

/** Whether a further change would be visible in the times of the file. */
function isSettled({ ctimeMs }: BigIntStats): boolean {
  return Math.abs(Date.now() - Number(ctimeMs)) > STEP_MS;
}
