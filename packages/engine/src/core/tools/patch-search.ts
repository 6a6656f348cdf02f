import { PatchError, type PatchChunk } from "./patch-format.ts";

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
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => plain(line.trim()),
];

/** Returns the text with the lines of the chunks replaced. */
export function applyChunks(
  path: string,
  text: string,
  chunks: readonly PatchChunk[],
  budget: PatchBudget,
): string {
  const lines = new Lines(text.replace(/\n$/, "").split("\n"), budget);
  const result: string[] = [];
  let from = 0;
  const replace = (at: number, length: number, after: readonly string[]): void => {
    for (let kept = from; kept < at; kept++) result.push(lines.all[kept] ?? "");
    for (const line of after) result.push(line);
    from = at + length;
  };
  for (const { anchor, before, after } of chunks) {
    if (anchor !== undefined) {
      const found = lines.find([anchor], from);
      if (found === -1) throw new PatchError(`Failed to find context '${anchor}' in ${path}`);
      replace(found + 1, 0, []);
    }
    const at = before.length === 0 ? lines.all.length : lines.find(before, from);
    if (at === -1) throw new PatchError(`Failed to find expected lines in ${path}:\n${before.join("\n")}`);
    replace(at, before.length, after);
  }
  replace(lines.all.length, 0, []);
  return `${result.join("\n")}\n`;
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

  /** Returns the first place of the wanted lines from this line on, or -1. */
  find(wanted: readonly string[], from: number): number {
    for (const [level, look] of LOOKS.entries()) {
      const { lines, places } = this.#index(level, look);
      const looked = wanted.map(look);
      this.#budget.lines(looked.length);
      const candidates = places.get(looked[0] ?? "") ?? [];
      for (let n = firstFrom(candidates, from); n < candidates.length; n++) {
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
