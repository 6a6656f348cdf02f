import type { Place } from "../domain/errors.ts";
import { normalized } from "../domain/issue.ts";
import type { Json } from "../domain/json.ts";
import type { TrackerProfile } from "../domain/tracker.ts";
import type { Located } from "./located.ts";

/** The facts that values and defaults depend on, and where problems are collected. */
export interface Reading {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of WORKFLOW.md, an absolute path. */
  readonly folder: string;
  readonly temp: string;
  readonly home: string;
  /** The adapter of `tracker.kind`, if it is known. */
  readonly profile: TrackerProfile | undefined;
  problem(place: Place, text: string): void;
  warning(text: string): void;
}

/** A type of a key. */
export interface ValueType<T> {
  /** For people: "an integer from 1". */
  readonly name: string;
  /** Returns undefined if the value is not of this type. */
  read(node: Located, reading: Reading, key: string): T | undefined;
}

/** The most that a timer can count. */
const LONGEST_MS = 2_147_483_647;

export function integer(least: number, most: number = Number.MAX_SAFE_INTEGER): ValueType<number> {
  const upTo = most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`;
  return {
    name: `an integer from ${least}${upTo}`,
    read({ value }) {
      const number =
        typeof value === "string" && /^[+-]?\d{1,16}$/.test(value.trim()) ? Number(value) : value;
      return typeof number === "number" && Number.isSafeInteger(number) && number >= least && number <= most
        ? number
        : undefined;
    },
  };
}

export function milliseconds(least: number, most: number = LONGEST_MS): ValueType<number> {
  return { ...integer(least, most), name: `milliseconds from ${least} to ${most}` };
}

/** A limit that is off at 0 and below. */
export const millisecondsOrOff: ValueType<number | null> = {
  name: `milliseconds to ${LONGEST_MS}, off from 0 down`,
  read(node, reading, key) {
    const value = integer(-LONGEST_MS, LONGEST_MS).read(node, reading, key);
    return value === undefined || value > 0 ? value : null;
  },
};

/** `null` has to be written. */
export function integerOrNull(least: number, most?: number): ValueType<number | null> {
  const type = integer(least, most);
  return {
    name: `${type.name}, or null`,
    read: (node, reading, key) => (node.value === null ? null : type.read(node, reading, key)),
  };
}

export const text: ValueType<string> = {
  name: "a text",
  read: ({ value }) => (typeof value === "string" && value.trim() !== "" ? value : undefined),
};

/** A shell script. A blank one counts as missing. */
export const script: ValueType<string | null> = {
  name: "a shell script",
  read({ value }) {
    if (typeof value !== "string") return undefined;
    return value.trim() === "" ? null : value;
  },
};

export function choice<const T extends string>(...options: readonly T[]): ValueType<T> {
  return {
    name: options.map((option) => `\`${option}\``).join(" or "),
    read: ({ value }) => options.find((option) => option === value),
  };
}

/** A list of names. Numbers and booleans are taken as they print. */
export const names: ValueType<readonly string[]> = {
  name: "a list of texts",
  read({ items }) {
    const texts = items?.map(({ value }) => (isScalar(value) ? String(value).trim() : undefined));
    return texts === undefined || texts.includes(undefined) ? undefined : (texts as string[]);
  },
};

/** A list of states with at least one. */
export const states: ValueType<readonly string[]> = {
  name: "a list of states, without blank ones",
  read(node, reading, key) {
    const list = names.read(node, reading, key);
    return list === undefined || list.length === 0 || list.includes("") ? undefined : list;
  },
};

/** Labels in the form in which they are compared. */
export const labels: ValueType<readonly string[]> = {
  name: "a list of labels",
  read(node, reading, key) {
    const list = names.read(node, reading, key);
    if (list?.includes("") === true) {
      reading.warning(`line ${node.place.line}: ${key} has a blank label, which no issue has`);
    }
    return list === undefined ? undefined : [...new Set(list.map((label) => normalized(label)))];
  },
};

/** Limits by normalized state. Other entries are ignored, as SPEC.md says. */
export const limitsByState: ValueType<Readonly<Record<string, number>>> = {
  name: "a map from states to integers from 1",
  read({ entries }, reading, key) {
    if (entries === undefined) return undefined;
    const type = integer(1);
    const limits = [...entries].flatMap(([state, { node, keyPlace }]): [string, number][] => {
      const limit = type.read(node, reading, key);
      if (limit !== undefined) return [[normalized(state), limit]];
      reading.warning(`line ${keyPlace.line}: an entry of ${key} is ignored: it must be ${type.name}`);
      return [];
    });
    return Object.fromEntries(limits);
  },
};

/** A map whose contents belong to Codex. */
export const codexMap: ValueType<Json> = {
  name: "a map",
  read: ({ value, entries }) => (entries === undefined ? undefined : value),
};

/** A value of either type. */
export function either<A, B>(one: ValueType<A>, other: ValueType<B>): ValueType<A | B> {
  return {
    name: `${one.name} or ${other.name}`,
    read: (node, reading, key) => one.read(node, reading, key) ?? other.read(node, reading, key),
  };
}

function isScalar(value: Json): value is string | number | boolean {
  return value !== null && typeof value !== "object";
}
