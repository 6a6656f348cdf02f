import { PatchError, type PatchChunk, type PatchLine } from "./patch-format.ts";
import { editLines, splitLines, type LineEdit } from "./text-lines.ts";
import { trimmed, trimmedEnd } from "./white-space.ts";

/** Limits the work for a whole patch, so that a patch of many files and chunks cannot keep the server busy. */
export class PatchBudget {
  #comparisons = 20_000_000;
  #characters = 32 * 1024 * 1024;

  /** Counts lines that are compared or prepared. Throws if the patch needs too many. */
  lines(count: number): void {
    this.#comparisons -= count;
    if (this.#comparisons < 0)
      throw new PatchError("The patch needs too many comparisons of lines. Split it.");
  }

  /** Counts the characters of files. Throws if the files of the patch are too large together. */
  characters(count: number): void {
    this.#characters -= count;
    if (this.#characters < 0)
      throw new PatchError("The files of the patch are too large together. Split it.");
  }
}

/** Ways to compare lines, from the strictest to the most lenient. */
const LOOKS: readonly ((line: string) => string)[] = [
  (line) => line,
  trimmedEnd,
  trimmed,
  (line) => plain(trimmed(line)),
];

/** Returns the text with the lines of the chunks replaced. */
export function applyChunks(
  path: string,
  text: string,
  chunks: readonly PatchChunk[],
  budget: PatchBudget,
): string {
  const source = splitLines(text);
  const lines = new Lines(source.lines, budget);
  const edits: LineEdit[] = [];
  let from = 0;
  for (const { anchors, lines: wanted, atEnd } of chunks) {
    for (const anchor of anchors) {
      const found = lines.find([anchor], from, false);
      if (found === -1) throw new PatchError(`Failed to find context '${anchor}' in ${path}`);
      from = found + 1;
    }
    const block = blockOf(wanted);
    if (block.before.length === 0) {
      edits.push({ at: source.lines.length, remove: 0, insert: block.after });
      continue;
    }
    let { before, after } = block;
    let at = lines.find(before, from, atEnd);
    if (at === -1 && before.at(-1) === "") {
      // Models write an empty line for the end of the file, which is not a line.
      before = before.slice(0, -1);
      if (after.at(-1) === "") after = after.slice(0, -1);
      at = lines.find(before, from, atEnd);
    }
    if (at === -1) {
      throw new PatchError(`Failed to find expected lines in ${path}:\n${block.before.join("\n")}`);
    }
    for (const edit of editsOf({ ...block, before, after }, at)) edits.push(edit);
    from = at + before.length;
  }
  return editLines(
    source,
    edits.toSorted((a, b) => a.at - b.at),
  );
}

/** The lines of a chunk before and after the change. */
interface Block {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The places of each line of context in both. */
  readonly context: readonly (readonly [before: number, after: number])[];
}

function blockOf(lines: readonly PatchLine[]): Block {
  const before: string[] = [];
  const after: string[] = [];
  const context: (readonly [number, number])[] = [];
  for (const { mark, text } of lines) {
    if (mark === "context") context.push([before.length, after.length]);
    if (mark !== "added") before.push(text);
    if (mark !== "removed") after.push(text);
  }
  return { before, after, context };
}

/** The edits that replace a block. Lines of context stay as they are in the file, which may differ in white space. */
function editsOf({ before, after, context }: Block, at: number): LineEdit[] {
  const edits: LineEdit[] = [];
  const kept = context.filter(([b, a]) => b < before.length && a < after.length);
  let [fromBefore, fromAfter] = [0, 0];
  for (const [b, a] of [...kept, [before.length, after.length] as const]) {
    if (b > fromBefore || a > fromAfter) {
      edits.push({ at: at + fromBefore, remove: b - fromBefore, insert: after.slice(fromAfter, a) });
    }
    [fromBefore, fromAfter] = [b + 1, a + 1];
  }
  return edits;
}

/** The lines of a file, with an index for each way to compare them. */
class Lines {
  readonly all: readonly string[];
  readonly #budget: PatchBudget;
  readonly #indexes: { readonly lines: readonly string[]; readonly places: Map<string, number[]> }[] = [];

  constructor(all: readonly string[], budget: PatchBudget) {
    this.all = all;
    this.#budget = budget;
  }

  /**
   * Returns the first place of the wanted lines from this line on, or -1. With `atEnd`, only the place at the end of the
   * file counts.
   */
  find(wanted: readonly string[], from: number, atEnd: boolean): number {
    if (wanted.length === 0) return from;
    const first = atEnd ? Math.max(from, this.all.length - wanted.length) : from;
    for (const [level, look] of LOOKS.entries()) {
      const { lines, places } = this.#index(level, look);
      const looked = wanted.map(look);
      this.#budget.lines(looked.length);
      const candidates = places.get(looked[0] ?? "") ?? [];
      for (let n = firstFrom(candidates, first); n < candidates.length; n++) {
        const at = candidates[n] ?? 0;
        let same = 0;
        while (same < looked.length && lines[at + same] === looked[same]) same++;
        this.#budget.lines(same + 1);
        if (same === looked.length) return at;
      }
    }
    return -1;
  }

  #index(
    level: number,
    look: (line: string) => string,
  ): { readonly lines: readonly string[]; readonly places: Map<string, number[]> } {
    const known = this.#indexes[level];
    if (known) return known;
    this.#budget.lines(this.all.length);
    const lines = this.all.map(look);
    const places = new Map<string, number[]>();
    for (const [at, line] of lines.entries()) {
      const list = places.get(line);
      if (list) list.push(at);
      else places.set(line, [at]);
    }
    const made = { lines, places };
    this.#indexes[level] = made;
    return made;
  }
}

/** Returns the position of the first number that is not less than `from`. The numbers are sorted. */
function firstFrom(numbers: readonly number[], from: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Replaces typographic quotes, dashes and spaces, which models write in place of plain ones. */
function plain(line: string): string {
  return line
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u2018-\u201B]/g, "'")
    .replace(/[\u201C-\u201F]/g, '"')
    .replace(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " ");
}
