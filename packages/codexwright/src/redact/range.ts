/** A part of a text, from `start` up to but not including `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Sorts ranges and joins those that overlap. If overlapping ranges were removed one by one, part of a secret
 * could be left over.
 */
export function merged(ranges: readonly Range[]): Range[] {
  if (ranges.length < 2) return [...ranges];
  const out: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = out.at(-1);
    if (last && range.start < last.end)
      out[out.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else out.push(range);
  }
  return out;
}

export function replaceRanges(
  text: string,
  ranges: readonly Range[],
  replacement: (part: string) => string,
): string {
  if (ranges.length === 0) return text;
  let out = "";
  let from = 0;
  for (const { start, end } of ranges) {
    out += text.slice(from, start) + replacement(text.slice(start, end));
    from = end;
  }
  return out + text.slice(from);
}
