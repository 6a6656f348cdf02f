import type { FuzzyFileSearchResult } from "codexwright/protocol";
import type { Files } from "../ports.ts";

/** No path is longer, so no longer query matches. */
const LONGEST_PATH = 32 * 1024;
/** How many files and folders of all roots are looked at. */
const MOST_LOOKED_AT = 400_000;

/** Finds files and folders whose path contains the characters of the query in order. Best matches come first. */
export async function findFiles(
  files: Files,
  query: string,
  roots: readonly string[],
): Promise<FuzzyFileSearchResult[]> {
  const found: FuzzyFileSearchResult[] = [];
  if (query.length > LONGEST_PATH) return found;
  const wanted = query.toLowerCase();
  let left = MOST_LOOKED_AT;
  for (const root of new Set(roots)) {
    if (left <= 0) break;
    const entries = await files.walk(root);
    left -= entries.length + 1;
    for (const { path: file, name, isDirectory } of entries) {
      const indices = matched(wanted, file.toLowerCase());
      if (!indices) continue;
      found.push({
        root,
        path: file,
        match_type: isDirectory ? "directory" : "file",
        file_name: name,
        score: scoreOf(indices, file),
        indices,
      });
    }
  }
  return found.toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

function matched(query: string, text: string): number[] | undefined {
  const whole = text.indexOf(query);
  if (whole !== -1) return Array.from(query, (_, at) => whole + at);
  const indices: number[] = [];
  for (const character of query) {
    const at = text.indexOf(character, (indices.at(-1) ?? -1) + 1);
    if (at === -1) return undefined;
    indices.push(at);
  }
  return indices;
}

/** Scores a match. Characters score higher at the beginning of a word and when they are adjacent. */
function scoreOf(indices: readonly number[], file: string): number {
  let score = 0;
  let bonus = 0;
  for (const [n, at] of indices.entries()) {
    const together = n > 0 && at === (indices[n - 1] ?? 0) + 1;
    const before = file[at - 1];
    const start = before === undefined || before === "/" ? 9 : /[a-z0-9]/i.test(before) ? 0 : 8;
    bonus = together ? Math.max(bonus, start, 4) : start;
    score += 16 + (n === 0 ? 2 * bonus : bonus);
  }
  return score;
}
