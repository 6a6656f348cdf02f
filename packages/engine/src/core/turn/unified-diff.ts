interface Edit {
  readonly mark: " " | "-" | "+";
  readonly line: string;
}

/** Returns the hunks that turn one text into the other, each with up to `context` unchanged lines on either side. */
export function unifiedDiff(before: string, after: string, context: number): string {
  const edits = editsOf(linesOf(before), linesOf(after));
  const changed = edits.flatMap(({ mark }, at) => (mark === " " ? [] : [at]));
  const hunks: string[] = [];
  const counter = new LineCounter(edits);
  for (let at = 0; at < changed.length;) {
    const first = changed[at] ?? 0;
    let last = first;
    // Changes whose context lines touch or overlap share a hunk.
    while (at < changed.length && (changed[at] ?? 0) - last <= context * 2) last = changed[at++] ?? 0;
    hunks.push(counter.hunk(Math.max(0, first - context), Math.min(edits.length, last + context + 1)));
  }
  return hunks.join("");
}

/** Writes hunks in order, and counts the lines before them only once. */
class LineCounter {
  readonly #edits: readonly Edit[];
  #at = 0;
  readonly #lines = { "-": 0, "+": 0 };

  constructor(edits: readonly Edit[]) {
    this.#edits = edits;
  }

  hunk(from: number, to: number): string {
    this.#advance(from);
    const before = { ...this.#lines };
    this.#advance(to);
    const range = (mark: "-" | "+"): string => {
      const lines = this.#lines[mark] - before[mark];
      const start = before[mark] + (lines === 0 ? 0 : 1);
      return lines === 1 ? String(start) : `${start},${lines}`;
    };
    const body = this.#edits.slice(from, to).map(({ mark, line }) => mark + ended(line));
    return `@@ -${range("-")} +${range("+")} @@\n${body.join("")}`;
  }

  #advance(to: number): void {
    for (; this.#at < to; this.#at++) {
      const mark = this.#edits[this.#at]?.mark;
      if (mark !== "+") this.#lines["-"]++;
      if (mark !== "-") this.#lines["+"]++;
    }
  }
}

/** The largest table of the exact search, and the most changed lines for the search that follows. */
const MAX_CELLS = 1_000_000;
const MAX_CHANGED = 1_000;

/** Returns an edit script from one list of lines to the other. It is the shortest one unless very many lines differ. */
function editsOf(a: readonly string[], b: readonly string[]): Edit[] {
  if (a.length * b.length <= MAX_CELLS) return exactEdits(a, b);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const kept = (lines: readonly string[]): Edit[] => lines.map((line) => ({ mark: " ", line }));
  const before = a.slice(head, a.length - tail);
  const after = b.slice(head, b.length - tail);
  const middle =
    before.length * after.length <= MAX_CELLS ? exactEdits(before, after) : greedyEdits(before, after);
  return [...kept(a.slice(0, head)), ...middle, ...kept(a.slice(a.length - tail))];
}

/** Finds the shortest edit script if it has few changes (Myers); otherwise replaces all lines. */
function greedyEdits(a: readonly string[], b: readonly string[]): Edit[] {
  const most = Math.min(MAX_CHANGED, a.length + b.length);
  /** For each number of changes: the furthest line of `a` on each diagonal, from `-changes` on. */
  const rounds: Int32Array[] = [];
  for (let changes = 0; changes <= most; changes++) {
    const last = rounds.at(-1);
    const round = new Int32Array(2 * changes + 1);
    for (let k = -changes; k <= changes; k += 2) {
      let x = furthest(last, changes, k);
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      round[k + changes] = x;
      if (x >= a.length && x - k >= b.length) return traced(a, b, [...rounds, round]);
    }
    rounds.push(round);
  }
  const marked = (lines: readonly string[], mark: "-" | "+"): Edit[] => lines.map((line) => ({ mark, line }));
  return [...marked(a, "-"), ...marked(b, "+")];
}

/** Returns the line at which diagonal `k` begins: one removed or one added line after the previous round. */
function furthest(last: Int32Array | undefined, changes: number, k: number): number {
  if (!last) return 0;
  return isAdded(last, changes, k)
    ? reached(last, changes - 1, k + 1)
    : reached(last, changes - 1, k - 1) + 1;
}

function isAdded(last: Int32Array, changes: number, k: number): boolean {
  if (k === -changes) return true;
  return k !== changes && reached(last, changes - 1, k - 1) < reached(last, changes - 1, k + 1);
}

function reached(round: Int32Array, changes: number, k: number): number {
  return round[k + changes] ?? 0;
}

function traced(a: readonly string[], b: readonly string[], rounds: readonly Int32Array[]): Edit[] {
  const edits: Edit[] = [];
  let x = a.length;
  let y = b.length;
  for (let changes = rounds.length - 1; changes >= 0; changes--) {
    const last = rounds[changes - 1];
    const begin = furthest(last, changes, x - y);
    const added = last !== undefined && isAdded(last, changes, x - y);
    while (x > begin) {
      x--;
      y--;
      edits.push({ mark: " ", line: a[x] ?? "" });
    }
    if (!last) break;
    if (added) edits.push({ mark: "+", line: b[--y] ?? "" });
    else edits.push({ mark: "-", line: a[--x] ?? "" });
  }
  return edits.toReversed();
}

function exactEdits(a: readonly string[], b: readonly string[]): Edit[] {
  const common = longestCommon(a, b);
  const edits: Edit[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      edits.push({ mark: " ", line: a[i] ?? "" });
      i++;
      j++;
    } else if (i < a.length && (j === b.length || (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      edits.push({ mark: "-", line: a[i++] ?? "" });
    } else {
      edits.push({ mark: "+", line: b[j++] ?? "" });
    }
  }
  return edits;
}

/** `table[i][j]` is the length of the longest common subsequence of the lines from i and the lines from j. */
function longestCommon(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const here = table[i] ?? [];
      const below = table[i + 1] ?? [];
      here[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, here[j + 1] ?? 0);
    }
  }
  return table;
}

/** Returns the lines with their newlines, so that the last line differs if only its newline does. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function ended(line: string): string {
  return line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`;
}
