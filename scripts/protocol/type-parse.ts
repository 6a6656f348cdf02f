import type { Field, TypeNode } from "./type-node.ts";

const TOKEN = /\s+|(\/\*\*[\s\S]*?\*\/)|("(?:[^"\\]|\\.)*")|([A-Za-z_$][\w$]*)|(-?\d+)|([{}()[\]<>,;:?|&])/y;

/**
 * Parses one TypeScript type as Codex's generator writes it.
 *
 * Supports exactly the forms that occur there (no functions, no conditionals) and throws on anything else, so that we
 * notice a new upstream form instead of misreading it.
 */
export function parseType(text: string): TypeNode {
  const parser = new Parser(tokenize(text));
  const type = parser.union();
  parser.end();
  return type;
}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw new Error(`Cannot read type at: ${text.slice(at, at + 60)}`);
    if (match[0].trim() !== "") tokens.push(match[0]);
  }
  return tokens;
}

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  end(): void {
    if (this.#at !== this.#tokens.length) throw new Error(`Trailing type text: ${this.#rest()}`);
  }

  union(): TypeNode {
    this.#take("|");
    const types = [this.#intersection()];
    while (this.#take("|")) types.push(this.#intersection());
    return types.length === 1 ? types[0]! : { kind: "union", types };
  }

  #intersection(): TypeNode {
    this.#take("&");
    const types = [this.#postfix()];
    while (this.#take("&")) types.push(this.#postfix());
    return types.length === 1 ? types[0]! : { kind: "intersection", types };
  }

  #postfix(): TypeNode {
    let type = this.#primary();
    while (this.#peek() === "[" && this.#tokens[this.#at + 1] === "]") {
      this.#at += 2;
      type = { kind: "ref", name: "Array", args: [type] };
    }
    return type;
  }

  #primary(): TypeNode {
    const doc = this.#doc();
    const token = this.#next();
    const type = this.#primaryOf(token);
    return doc === undefined ? type : { ...type, doc };
  }

  #primaryOf(token: string): TypeNode {
    if (token === "{") return this.#object();
    if (token === "(") {
      const type = this.union();
      this.#expect(")");
      return type;
    }
    if (token === "[") return { kind: "tuple", types: this.#list("]") };
    if (token.startsWith('"') || /^-?\d/.test(token)) return { kind: "literal", text: token };
    if (/^[A-Za-z_$]/.test(token)) {
      return { kind: "ref", name: token, args: this.#take("<") ? this.#list(">") : [] };
    }
    throw new Error(`Unexpected "${token}" before: ${this.#rest()}`);
  }

  #list(close: string): TypeNode[] {
    const types: TypeNode[] = [];
    while (!this.#take(close)) {
      types.push(this.union());
      if (!this.#take(",") && this.#peek() !== close) throw new Error(`Bad list before: ${this.#rest()}`);
    }
    return types;
  }

  #object(): TypeNode {
    const fields: Field[] = [];
    let index: TypeNode | undefined;
    for (;;) {
      const doc = this.#doc();
      if (this.#take("}")) break;
      if (this.#take("[")) {
        this.#next();
        if (!this.#take("in")) this.#expect(":");
        const key = this.union();
        this.#expect("]");
        const optional = this.#take("?");
        this.#expect(":");
        index = { kind: "map", key, value: this.union(), optional };
      } else {
        fields.push(this.#field(doc));
      }
      if (!this.#take(",")) this.#take(";");
    }
    if (index && fields.length > 0) throw new Error("An object with both fields and an index signature");
    return index ?? { kind: "object", fields };
  }

  #field(doc: string | undefined): Field {
    const token = this.#next();
    const name = token.startsWith('"') ? (JSON.parse(token) as string) : token;
    const optional = this.#take("?");
    this.#expect(":");
    const type = this.union();
    return doc === undefined ? { name, optional, type } : { name, optional, type, doc };
  }

  #doc(): string | undefined {
    let doc: string | undefined;
    while (this.#peek()?.startsWith("/**")) doc = docText(this.#next());
    return doc;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #take(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at += 1;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw new Error(`Expected "${token}" before: ${this.#rest()}`);
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Error("Unexpected end of type");
    this.#at += 1;
    return token;
  }

  #rest(): string {
    return this.#tokens.slice(this.#at, this.#at + 12).join(" ");
  }
}

/** The text of a doc comment, without its stars. */
export function docText(comment: string): string {
  return comment
    .slice(3, -2)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim();
}
