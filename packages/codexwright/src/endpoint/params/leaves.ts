import { invalidType, invalidValue, Misfit } from "./texts.ts";

/** Checks a value of a leaf type, which has no parts. Throws a {@link Misfit}. */
export type Leaf = (value: unknown) => void;

const INTEGERS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  i32: [-(2 ** 31), 2 ** 31 - 1],
  i64: [-(2 ** 63), 2 ** 63],
  u16: [0, 2 ** 16 - 1],
  u32: [0, 2 ** 32 - 1],
  u64: [0, 2 ** 64],
  u8: [0, 2 ** 8 - 1],
  usize: [0, 2 ** 64],
};

/**
 * Matches paths that are absolute on Unix or on Windows, because an endpoint may represent a server on another system.
 */
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/]|\\\\|~$|~[\\/])/;

/** The leaf types, which have no parts, by their names in params. */
export const LEAVES: Readonly<Record<string, Leaf>> = {
  any: () => {},
  unit(value) {
    const empty = typeof value === "object" && !Array.isArray(value) && Object.keys(value ?? {}).length === 0;
    if (value !== undefined && !empty) throw invalidType(value, "unit");
  },
  string: (value) => void text(value, "a string"),
  path: (value) => void text(value, "path string"),
  boolean(value) {
    if (typeof value !== "boolean") throw invalidType(value, "a boolean");
  },
  f64(value) {
    if (typeof value !== "number") throw invalidType(value, "f64");
  },
  absolutePath(value) {
    if (!ABSOLUTE.test(text(value, "path string"))) {
      throw new Misfit("AbsolutePathBuf deserialized without a base path");
    }
  },
  rootPath(value) {
    const path = text(value, "a string");
    if (!ABSOLUTE.test(path)) throw new Misfit(`path \`${path}\` is not absolute`);
  },
  uuid(value) {
    const id = text(value, "a string");
    if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) throw new Misfit("not a UUID");
  },
  effort(value) {
    if (text(value, "a string") === "") throw new Misfit("reasoning_effort must not be empty");
  },
  ...Object.fromEntries(Object.keys(INTEGERS).map((name) => [name, integer(name)])),
};

function text(value: unknown, expected: string): string {
  if (typeof value !== "string") throw invalidType(value, expected);
  return value;
}

function integer(name: string): Leaf {
  const [least, most] = INTEGERS[name]!;
  return (value) => {
    if (typeof value !== "number" || !Number.isInteger(value)) throw invalidType(value, name);
    if (value < least || value > most) throw invalidValue(value, name);
  };
}
