import type { Range } from "../range.ts";

/** A decoded text, with a map from each position in it to the position in the source text. */
export class Mapped {
  readonly text: string;
  /** Positions in the decoded text at which the distance to the source changes. */
  readonly #from: readonly number[];
  readonly #source: readonly number[];

  constructor(text: string, from: readonly number[], source: readonly number[]) {
    this.text = text;
    this.#from = from;
    this.#source = source;
  }

  /** Returns the part of the source that a part of the decoded text was decoded from. */
  toSource({ start, end }: Range): Range {
    return { start: this.#at(start), end: this.#at(end - 1, 1) };
  }

  #at(place: number, after = 0): number {
    let [low, high] = [0, this.#from.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#from[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    // An escaped character ends where the next part begins.
    const next = place + after === this.#from[low + 1] ? low + 1 : low;
    return (this.#source[next] ?? 0) + place + after - (this.#from[next] ?? 0);
  }
}

/** Decodes every escape that a pattern finds. Returns undefined if there is none. */
export function mapEscapes(
  text: string,
  escapes: RegExp,
  decode: (escape: string) => string,
): Mapped | undefined {
  const parts: string[] = [];
  const from: number[] = [0];
  const source: number[] = [0];
  let [at, length] = [0, 0];
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    const plain = decode(escape);
    parts.push(text.slice(at, index), plain);
    length += index - at;
    from.push(length, length + plain.length);
    length += plain.length;
    at = index + escape.length;
    source.push(index, at);
  }
  if (at === 0) return undefined;
  parts.push(text.slice(at));
  return new Mapped(parts.join(""), from, source);
}
