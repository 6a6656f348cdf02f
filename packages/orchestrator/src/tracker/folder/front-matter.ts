import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, type Scalar } from "yaml";
import type { Place } from "../../domain/errors.ts";

/** The parser needs time in proportion to the square of the number of keys. */
const LONGEST = 16 * 1_024;

/** A file that is not an issue. */
export class MalformedIssue extends Error {
  readonly place: Place;

  constructor(problem: string, line: number, column: number) {
    super(problem);
    this.place = { line, column };
  }
}

/** The parts of a file. The texts together are the file. */
export interface FileParts {
  /** The first line, with the byte order mark if there is one. */
  readonly head: string;
  readonly yaml: string;
  /** From the closing line on. */
  readonly rest: string;
  /** The text below the front matter. */
  readonly body: string;
}

/** Splits a file into its front matter and its text. */
export function splitFile(text: string): FileParts {
  const head = /^\uFEFF?---[ \t]*\r?\n/.exec(text)?.[0];
  if (head === undefined) throw new MalformedIssue("the first line must be ---", 1, 1);
  // Not a search in the whole text, which may be long.
  const front = text.slice(head.length, head.length + LONGEST);
  const end = /^---[ \t]*(?:\r?\n|$)/m.exec(front);
  if (!end && text.length - head.length > LONGEST)
    throw new MalformedIssue(`the front matter must be shorter than ${LONGEST} characters`, 1, 1);
  if (!end) throw new MalformedIssue("the front matter has no closing ---", 1, 1);
  const yaml = front.slice(0, end.index);
  const rest = text.slice(head.length + yaml.length);
  return { head, yaml, rest, body: rest.slice(end[0].length) };
}

/** The front matter: a map whose values are looked at one by one, so that aliases are never expanded. */
export class FrontMatter {
  readonly #document: Document.Parsed;
  readonly #lines = new LineCounter();

  constructor(yaml: string) {
    this.#document = parse(yaml, this.#lines);
    const [error] = this.#document.errors;
    if (error) {
      const problem = error.message.split("\n", 1)[0] ?? "";
      throw this.malformed(problem, error.pos[0]);
    }
    if (!isMap(this.#document.contents)) throw this.malformed("the front matter must be a map", 0);
  }

  /** The number of keys. */
  get size(): number {
    const { contents } = this.#document;
    return isMap(contents) ? contents.items.length : 0;
  }

  /** Returns the value of a key, if it is neither a list, a map nor an alias. */
  scalar(key: string): Scalar | undefined {
    const node = this.#node(key);
    return isScalar(node) ? node : undefined;
  }

  /** Returns the plain value of a key, or undefined. */
  value(key: string): unknown {
    return this.scalar(key)?.value;
  }

  /** Returns the values of a list. A single value is a list with one value. */
  list(key: string): readonly unknown[] {
    const node = this.#node(key);
    if (isScalar(node)) return node.value === null ? [] : [node.value];
    return isSeq(node) ? node.items.flatMap((item) => (isScalar(item) ? [item.value] : [])) : [];
  }

  /** Returns a required text as it is written. */
  text(key: string): string {
    const node = this.scalar(key);
    const text = node && node.value !== null ? (node.source ?? "").trim() : "";
    if (text !== "") return text;
    throw this.malformed(`${key} must be a text`, node?.range?.[0] ?? 0);
  }

  malformed(problem: string, offset: number): MalformedIssue {
    const { line, col } = this.#lines.linePos(offset);
    // The first line of the file is above the front matter.
    return new MalformedIssue(problem, Math.max(line, 1) + 1, Math.max(col, 1));
  }

  #node(key: string): unknown {
    const { contents } = this.#document;
    if (!isMap(contents)) return undefined;
    return contents.items.find(({ key: name }) => isScalar(name) && name.value === key)?.value;
  }
}

function parse(yaml: string, lineCounter: LineCounter): Document.Parsed {
  try {
    return parseDocument(yaml, { lineCounter, logLevel: "error", prettyErrors: false });
  } catch (error) {
    // The parser calls itself for each level of nesting.
    if (error instanceof RangeError) throw new MalformedIssue("the front matter is nested too deeply", 2, 1);
    throw error;
  }
}
