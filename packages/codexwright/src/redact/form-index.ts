import type { Range } from "./secret-patterns.ts";

/** How many characters of a form it is looked up by. */
const HEAD = 3;
const MARKS = 1 << 16;

/**
 * Finds thousands of texts at once, in time that grows with the text alone for as long as they do not all begin alike.
 * One more text costs its own length: a regular expression of all of them would have to be made anew.
 */
export class FormIndex {
  /** By the first characters of each, the longest first. */
  readonly #byHead = new Map<string, string[]>();
  /** Where a head may begin, by its hash: most places of a text are passed by a look at this. */
  readonly #marks = new Uint8Array(MARKS);
  /** Those that are shorter than a head. */
  readonly #short = new Set<string>();
  /** What a form can begin with, below a head. */
  readonly #beginnings = new Set<string>();
  #longest = 0;

  add(form: string): void {
    this.#longest = Math.max(this.#longest, form.length);
    for (let length = 1; length < Math.min(HEAD, form.length); length++)
      this.#beginnings.add(form.slice(0, length));
    if (form.length < HEAD) return void this.#short.add(form);
    const head = form.slice(0, HEAD);
    const alike = this.#byHead.get(head) ?? [];
    if (alike.includes(form)) return;
    const place = alike.findIndex((other) => other.length < form.length);
    alike.splice(place === -1 ? alike.length : place, 0, form);
    this.#byHead.set(head, alike);
    this.#marks[markAt(form, 0)] = 1;
  }

  /** Where the forms stand in a text. */
  find(text: string): Range[] {
    const found: Range[] = [];
    for (const form of this.#short)
      for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length))
        found.push({ start: at, end: at + form.length });
    if (this.#byHead.size === 0) return found;
    for (let at = 0; at + HEAD <= text.length;) {
      const form = this.#marks[markAt(text, at)] ? this.#formAt(text, at) : undefined;
      if (form !== undefined) found.push({ start: at, end: at + form.length });
      at += form?.length ?? 1;
    }
    return found;
  }

  /** Where the end of a text begins that is the beginning of a form; its length if nowhere. */
  unfinishedAt(text: string): number {
    for (let at = Math.max(0, text.length - this.#longest); at < text.length; at++) {
      if (text.length - at < HEAD) {
        if (this.#beginnings.has(text.slice(at))) return at;
      } else if (this.#marks[markAt(text, at)]) {
        const end = text.slice(at);
        const alike = this.#byHead.get(end.slice(0, HEAD)) ?? [];
        if (alike.some((form) => form.length > end.length && form.startsWith(end))) return at;
      }
    }
    return text.length;
  }

  #formAt(text: string, at: number): string | undefined {
    return this.#byHead.get(text.slice(at, at + HEAD))?.find((form) => text.startsWith(form, at));
  }
}

function markAt(text: string, at: number): number {
  const hash = text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2);
  return hash % MARKS;
}
