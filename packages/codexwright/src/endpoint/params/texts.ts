import { ResponseError } from "../../rpc/errors.ts";

/** A value that does not fit, with the message of the real server's parser. */
export class Misfit extends ResponseError {
  constructor(text: string) {
    super(-32600, `Invalid request: ${text}`);
  }
}

export function invalidType(value: unknown, expected: string): Misfit {
  return new Misfit(`invalid type: ${describe(value)}, expected ${expected}`);
}

export function invalidValue(value: unknown, expected: string): Misfit {
  return new Misfit(`invalid value: ${describe(value)}, expected ${expected}`);
}

export function missingField(name: string): Misfit {
  return new Misfit(`missing field \`${name}\``);
}

export function unknownVariant(name: string, known: readonly string[]): Misfit {
  return new Misfit(`unknown variant \`${name}\`, ${oneOf(known, "variants")}`);
}

export function unknownField(name: string, known: readonly string[]): Misfit {
  return new Misfit(`unknown field \`${name}\`, ${oneOf(known, "fields")}`);
}

export function invalidLength(length: number, what: string, size: number): Misfit {
  return new Misfit(
    `invalid length ${length}, expected ${what} with ${size} element${size === 1 ? "" : "s"}`,
  );
}

export function tooLong(length: number, size: number): Misfit {
  return new Misfit(`invalid length ${length}, expected ${size} element${size === 1 ? "" : "s"} in sequence`);
}

function oneOf(names: readonly string[], kind: string): string {
  const quoted = names.map((name) => `\`${name}\``);
  if (quoted.length === 0) return `there are no ${kind}`;
  if (quoted.length <= 2) return `expected ${quoted.join(" or ")}`;
  return `expected one of ${quoted.join(", ")}`;
}

function describe(value: unknown): string {
  switch (typeof value) {
    case "boolean":
      return `boolean \`${value}\``;
    case "number":
      return `${Number.isInteger(value) && Math.abs(value) < 1e21 ? "integer" : "floating point"} \`${value}\``;
    case "string":
      return `string ${quote(value)}`;
    default:
      if (Array.isArray(value)) return "sequence";
      return value === null || value === undefined ? "null" : "map";
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\0": "\\0",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

/** Quotes a string like Rust's debug format. */
function quote(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is escaped
  const escaped = text.replaceAll(/["\\\u0000-\u001f\u007f-\u009f]/g, (character) => {
    return ESCAPES[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });
  return `"${escaped}"`;
}
