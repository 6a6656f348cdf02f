/** Converts a value to a position in a picture. */
export type Scale = (value: number) => number;

export function linear([low, high]: readonly [number, number], [from, to]: readonly [number, number]): Scale {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

export function logarithmic(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const scale = linear([Math.log(domain[0]), Math.log(domain[1])], range);
  return (value) => scale(Math.log(value));
}

/** The powers of ten that enclose these values, including the first and the last one. */
export function decades(values: readonly number[]): number[] {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.ceil(Math.log10(Math.max(...values)));
  return Array.from({ length: Math.max(high, low + 1) - low + 1 }, (_, n) => 10 ** (low + n));
}

/** About `count` round values, from 0 to at least the largest value. */
export function roundSteps(largest: number, count: number): number[] {
  const rough = largest / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough;
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, n) => n * step);
}

/** Formats a number with three significant digits, or as an integer from 1,000 on. */
export function inShort(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}
