/** A set of characters, as sorted ranges that do not touch. */
export type CharSet = readonly (readonly [low: number, high: number])[];

const LAST = 0xff_ff;

export function union(...sets: readonly CharSet[]): CharSet {
  const out: [number, number][] = [];
  for (const [low, high] of sets.flat().toSorted(([a], [b]) => a - b)) {
    const last = out.at(-1);
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else out.push([low, high]);
  }
  return out;
}

export function complement(set: CharSet): CharSet {
  const out: [number, number][] = [];
  let from = 0;
  for (const [low, high] of set) {
    if (low > from) out.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= LAST) out.push([from, LAST]);
  return out;
}

/** Adds the other case of each ASCII letter in the set. */
export function ignoringCase(set: CharSet): CharSet {
  const other = set.flatMap(([low, high]) => [
    ...shifted(low, high, 65, 90, 32),
    ...shifted(low, high, 97, 122, -32),
  ]);
  return union(set, other);
}

function shifted(low: number, high: number, from: number, to: number, by: number): [number, number][] {
  const [start, end] = [Math.max(low, from), Math.min(high, to)];
  return start <= end ? [[start + by, end + by]] : [];
}

export function sizeOf(set: CharSet): number {
  return set.reduce((sum, [low, high]) => sum + high - low + 1, 0);
}

/** Lists the characters of a small set. */
export function charactersOf(set: CharSet): string[] {
  return set.flatMap(([low, high]) =>
    Array.from({ length: high - low + 1 }, (_, at) => String.fromCharCode(low + at)),
  );
}

const digit: CharSet = [[48, 57]];
const word = union(digit, [[65, 90]], [[97, 122]], [[95, 95]]);
/** RE2's `\s` does not include the vertical tab. */
const space: CharSet = [
  [9, 10],
  [12, 13],
  [32, 32],
];

export const CLASSES: Readonly<Record<string, CharSet>> = {
  d: digit,
  D: complement(digit),
  w: word,
  W: complement(word),
  s: space,
  S: complement(space),
};

export const NAMED: Readonly<Record<string, CharSet>> = {
  alnum: union(digit, [[65, 90]], [[97, 122]]),
  alpha: [
    [65, 90],
    [97, 122],
  ],
  digit,
  lower: [[97, 122]],
  upper: [[65, 90]],
  xdigit: union(digit, [[65, 70]], [[97, 102]]),
};
