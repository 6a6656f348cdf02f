import type { WireObject } from "../wire-object.ts";

/** The arguments of a model's call are wrong. The message is for the model. */
export class ArgumentsError extends Error {}

const KINDS = {
  string: { expected: "a string", is: (value: unknown): value is string => typeof value === "string" },
  boolean: { expected: "a boolean", is: (value: unknown): value is boolean => typeof value === "boolean" },
  count: {
    expected: "a whole number that is not negative",
    is: (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0,
  },
  strings: {
    expected: "a list of strings",
    is: (value: unknown): value is string[] =>
      Array.isArray(value) && value.every((each) => typeof each === "string"),
  },
} as const;

type Kind = keyof typeof KINDS;
type Value<K extends Kind> = K extends "string"
  ? string
  : K extends "boolean"
    ? boolean
    : K extends "count"
      ? number
      : string[];

/** Returns an optional argument. `null` counts as missing. */
export function optional<K extends Kind>(args: WireObject, name: string, kind: K): Value<K> | undefined {
  const value = args[name];
  if (value === undefined || value === null) return undefined;
  const { expected, is } = KINDS[kind];
  if (is(value)) return value as Value<K>;
  throw new ArgumentsError(`invalid type: \`${name}\` must be ${expected}`);
}

export function required<K extends Kind>(args: WireObject, name: string, kind: K): Value<K> {
  const value = optional(args, name, kind);
  if (value === undefined) throw new ArgumentsError(`missing field \`${name}\``);
  return value;
}

/** Returns an argument that must be one of these words. */
export function oneOf<T extends string>(args: WireObject, name: string, words: readonly T[]): T | undefined {
  const value = optional(args, name, "string");
  if (value === undefined) return undefined;
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  throw new ArgumentsError(
    `unknown variant, \`${name}\` must be one of ${words.map((word) => `\`${word}\``).join(", ")}`,
  );
}
