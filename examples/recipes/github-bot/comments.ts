import path from "node:path";
import type { ReviewFinding } from "codexwright";

/** A comment of a review, as the API of GitHub takes it. */
export interface Comment {
  readonly path: string;
  readonly line: number;
  readonly side: "RIGHT";
  readonly body: string;
}

/** A finding can name any number of lines. Only this many of them are checked. */
const MOST_LINES = 1000;

/**
 * The findings on lines that the diff shows: GitHub rejects a review with a comment on any other line.
 *
 * @param dir the folder that was reviewed
 */
export function commentsOn(findings: readonly ReviewFinding[], dir: string, diff: string): Comment[] {
  const shown = shownLines(diff);
  return findings.flatMap(({ file, lines, title, body }) => {
    const name = path.relative(dir, path.resolve(dir, file ?? ""));
    const { start = 0, end = 0 } = lines ?? {};
    for (let line = start; line <= Math.min(end, start + MOST_LINES); line++) {
      if (!shown.has(`${name}:${line}`)) continue;
      return [{ path: name, line, side: "RIGHT" as const, body: `**${title}**\n\n${body}` }];
    }
    return [];
  });
}

/** `file:line` of each line of the new version that a diff shows. */
function shownLines(diff: string): Set<string> {
  const shown = new Set<string>();
  let file: string | undefined;
  for (const line of diff.split("\n")) {
    if (line.startsWith("diff --git ")) file = undefined;
    else if (file === undefined && line.startsWith("+++ b/")) file = line.slice(6).replace(/\t$/, "");
    const [, start, count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (start === undefined || file === undefined) continue;
    for (let at = 0; at < Number(count); at++) shown.add(`${file}:${Number(start) + at}`);
  }
  return shown;
}
