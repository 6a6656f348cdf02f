import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  Parser,
  type YAMLError,
} from "yaml";
import { WorkflowError, type Place } from "../domain/errors.ts";
import type { Json } from "../domain/json.ts";

/** A value of the front matter with its place. */
export interface Located {
  readonly value: Json;
  readonly place: Place;
  /** The keys of a map, each with its own place. */
  readonly entries: ReadonlyMap<string, LocatedEntry> | undefined;
  readonly items: readonly Located[] | undefined;
  /** The number of values in it, those of aliases included. */
  readonly size: number;
  /** The number of levels in it. Aliases can make it deep without nesting in the file. */
  readonly levels: number;
}

export interface LocatedEntry {
  readonly keyPlace: Place;
  readonly node: Located;
}

/** More values than any WORKFLOW.md needs. Aliases can stand for many values in a small file. */
const MOST_VALUES = 10_000;

const DEEPEST = 64;

const TOO_DEEP = `values are nested deeper than ${DEEPEST} levels`;

/** The messages of the YAML parser can contain text of the file, such as secrets. Ours do not. */
const YAML_PROBLEMS: Partial<Record<YAMLError["code"], string>> = {
  BAD_ALIAS: "an alias has no anchor before it",
  BAD_INDENT: "the indentation does not fit the lines above",
  BAD_SCALAR_START: "a text that begins with this character needs quotes",
  BLOCK_AS_IMPLICIT_KEY: "a value must begin on a new line, or needs quotes",
  MISSING_CHAR: "a character such as a quote, a bracket or a colon is missing",
  MULTILINE_IMPLICIT_KEY: "a key must be on one line",
  MULTIPLE_DOCS: "the front matter must be one document",
  NON_STRING_KEY: "a key must be a text",
  TAB_AS_INDENT: "tabs cannot indent",
  TAG_RESOLVE_FAILED: "tags are not supported",
};

/** The YAML parser takes seconds for larger ones, if they are malformed. */
const MOST_CHARACTERS = 64 * 1024;

/** Parses front matter. Returns undefined if it is blank. Throws `workflow_parse_error`, with the place in the file. */
export function parseYaml(text: string, firstLine: number): Located | undefined {
  const start = { line: firstLine, column: 1 };
  if (text.length > MOST_CHARACTERS) {
    throw parseError(`the front matter is longer than ${MOST_CHARACTERS} characters`, start);
  }
  const counter = new LineCounter();
  const placeAt = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    // The counter begins at line 0 if it has not counted.
    return { line: Math.max(line, 1) + firstLine - 1, column: Math.max(col, 1) };
  };
  const tokens = [...new Parser(counter.addNewLine).parse(text)];
  checkTokens(tokens, placeAt);
  const options = {
    prettyErrors: false,
    stringKeys: true,
    // The reader finds them. The composer compares each key with all others, which takes long for many keys.
    uniqueKeys: false,
    resolveKnownTags: false,
  };
  const [document] = new Composer(options).compose(tokens, true, text.length);
  const [problem] = [...(document?.errors ?? []), ...(document?.warnings ?? [])];
  if (problem !== undefined) {
    const why = YAML_PROBLEMS[problem.code] ?? `it is not valid YAML (${problem.code})`;
    throw parseError(why, placeAt(problem.pos[0]));
  }
  const contents = document?.contents ?? null;
  if (contents === null || (isScalar(contents) && contents.value === null)) return undefined;
  return new Reader(placeAt).read(contents);
}

/**
 * Refuses more than one document, and deep nesting. The composer calls itself for each level, and where the stack is
 * almost used up, compiling a regular expression ends the whole process.
 */
function checkTokens(tokens: readonly CST.Token[], placeAt: (offset: number) => Place): void {
  const documents = tokens.filter(({ type }) => type === "document");
  const second = documents[1] ?? tokens.find(({ type }) => type === "doc-end");
  if (second !== undefined) throw parseError("the front matter must be one document", placeAt(second.offset));
  let level: readonly CST.Token[] = tokens;
  for (let depth = 0; level.length > 0; depth++) {
    const [first] = level;
    if (depth > DEEPEST && first !== undefined) {
      throw parseError(TOO_DEEP, placeAt(first.offset));
    }
    level = level.flatMap((token) => partsOf(token));
  }
}

function partsOf(token: CST.Token): readonly CST.Token[] {
  if (token.type === "document") return token.value === undefined ? [] : [token.value];
  if (!("items" in token)) return [];
  return token.items.flatMap(({ key, value }) => [...(key ? [key] : []), ...(value ? [value] : [])]);
}

class Reader {
  readonly #placeAt: (offset: number) => Place;
  /** In the order of the file, so that an alias means the anchor before it. */
  readonly #anchors = new Map<string, Located>();

  constructor(placeAt: (offset: number) => Place) {
    this.#placeAt = placeAt;
  }

  read(node: Node): Located {
    const place = this.#placeOf(node);
    const located = isAlias(node) ? this.#alias(node.source, place) : this.#value(node, place);
    if (located.size > MOST_VALUES) {
      throw parseError(`the front matter has more than ${MOST_VALUES} values`, place);
    }
    if (located.levels > DEEPEST) throw parseError(TOO_DEEP, place);
    if (!isAlias(node) && node.anchor !== undefined) this.#anchors.set(node.anchor, located);
    return located;
  }

  #alias(name: string, place: Place): Located {
    const anchored = this.#anchors.get(name);
    if (anchored === undefined) throw parseError("an alias has no anchor before it", place);
    return { ...anchored, place };
  }

  #value(node: Node, place: Place): Located {
    if (isMap(node)) return this.#map(node.items, place);
    if (isSeq(node)) {
      const items = node.items.map((item) => this.read(item as Node));
      const value = items.map((item) => item.value);
      return { value, place, entries: undefined, items, ...extentOf(items) };
    }
    const value: unknown = isScalar(node) ? node.value : undefined;
    const isJson = value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
    if (!isJson) throw parseError("a value must be a text, a number, a boolean, a list or a map", place);
    return { value: value as Json, place, entries: undefined, items: undefined, ...extentOf([]) };
  }

  #map(pairs: readonly { key: unknown; value: unknown }[], place: Place): Located {
    const entries = new Map<string, LocatedEntry>();
    for (const pair of pairs) {
      const keyPlace = this.#placeOf(pair.key as Node);
      const key = String(isScalar(pair.key) ? pair.key.value : undefined);
      if (entries.has(key)) throw parseError("the same key is written twice", keyPlace);
      const isEmpty = pair.value === null || pair.value === undefined;
      const node = isEmpty ? emptyAt(keyPlace) : this.read(pair.value as Node);
      entries.set(key, { keyPlace, node });
    }
    // Not by assignment: a key can be `__proto__`.
    const value = Object.fromEntries([...entries].map(([key, { node }]) => [key, node.value]));
    const parts = [...entries.values()].map(({ node }) => node);
    return { value, place, entries, items: undefined, ...extentOf(parts) };
  }

  #placeOf(node: Node): Place {
    return this.#placeAt(node.range?.[0] ?? 0);
  }
}

function emptyAt(place: Place): Located {
  return { value: null, place, entries: undefined, items: undefined, ...extentOf([]) };
}

function extentOf(parts: readonly Located[]): Pick<Located, "size" | "levels"> {
  return {
    size: parts.reduce((sum, { size }) => sum + size, 1),
    levels: parts.reduce((most, { levels }) => Math.max(most, levels + 1), 1),
  };
}

function parseError(why: string, place: Place): WorkflowError {
  return new WorkflowError(
    "workflow_parse_error",
    `line ${place.line}, column ${place.column}: ${why}`,
    place,
  );
}
