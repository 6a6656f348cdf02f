interface Edit {
  readonly mark: " " | "-" | "+";
  readonly line: string;
}

/** Returns the hunks that turn one text into the other, each with up to `context` unchanged lines on either side. */
export function unifiedDiff(before: string, after: string, context: number): string {
  const edits = editsOf(linesOf(before), linesOf(after));
  const changed = edits.flatMap(({ mark }, at) => (mark === " " ? [] : [at]));
  let text = "";
  for (let at = 0; at < changed.length;) {
    const first = changed[at] ?? 0;
    let last = first;
    // Changes whose context lines touch or overlap share a hunk.
    while (at < changed.length && (changed[at] ?? 0) - last <= context * 2) last = changed[at++] ?? 0;
    text += hunk(edits, Math.max(0, first - context), Math.min(edits.length, last + context + 1));
  }
  return text;
}

function hunk(edits: readonly Edit[], from: number, to: number): string {
  const count = (start: number, end: number, mark: "-" | "+"): number =>
    edits.slice(start, end).filter((edit) => edit.mark === " " || edit.mark === mark).length;
  const range = (mark: "-" | "+"): string => {
    const lines = count(from, to, mark);
    const start = count(0, from, mark) + (lines === 0 ? 0 : 1);
    return lines === 1 ? String(start) : `${start},${lines}`;
  };
  const body = edits.slice(from, to).map(({ mark, line }) => `${mark}${line}\n`);
  return `@@ -${range("-")} +${range("+")} @@\n${body.join("")}`;
}

/** Returns the shortest edit script from one list of lines to the other. */
function editsOf(a: readonly string[], b: readonly string[]): Edit[] {
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

function linesOf(text: string): string[] {
  if (text === "") return [];
  return text.replace(/\n$/, "").split("\n");
}
