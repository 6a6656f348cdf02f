import stringWidth from "string-width";

/** How many more rows these lines take, after a narrower terminal has wrapped them. */
export function brokenRows(lines: readonly string[], columns: number): number {
  const rows = lines.map((line) => Math.max(1, Math.ceil(stringWidth(line) / columns)));
  return rows.reduce((sum, row) => sum + row - 1, 0);
}
