import type { MethodSummary, VersionSummary } from "../protocol/history.ts";
import { compare, DIRECTIONS, type Direction } from "../protocol/methods.ts";
import type { Declaration, Surface } from "../protocol/type-node.ts";

/** Names that were added, removed or changed. */
export interface Changes {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** The differences between the protocols of two Codex versions. */
export interface Differences {
  readonly from: string;
  readonly to: string;
  /** The changes of methods. A method counts as changed if its fields or its stability changed. */
  readonly methods: Readonly<Record<Direction, Changes>>;
  /** The changes of types in the experimental surface, which includes the stable one. Comments are ignored. */
  readonly types: Changes;
}

/** The methods and types of one version. */
export interface Protocol {
  readonly summary: VersionSummary;
  readonly surface: Surface;
}

const KINDS = Object.keys(DIRECTIONS) as Direction[];

/** These four unions list methods. Methods are compared separately. */
const UNIONS: ReadonlySet<string> = new Set(Object.values(DIRECTIONS));

/** Compares two versions. */
export function differencesOf(before: Protocol, after: Protocol): Differences {
  const methods = KINDS.map((kind) => [
    kind,
    changesOf(before.summary.methods[kind], after.summary.methods[kind], methodText),
  ]);
  return {
    from: before.summary.version,
    to: after.summary.version,
    methods: Object.fromEntries(methods) as Differences["methods"],
    types: changesOf(typesOf(before.surface), typesOf(after.surface), typeText),
  };
}

function changesOf<T>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  textOf: (thing: T) => string,
): Changes {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted(compare);
  const added = names.filter((name) => !(name in before));
  const removed = names.filter((name) => !(name in after));
  const changed = names.filter((name) => {
    const [old, now] = [before[name], after[name]];
    return old !== undefined && now !== undefined && textOf(old) !== textOf(now);
  });
  return { added, removed, changed };
}

function typesOf(surface: Surface): Record<string, Declaration> {
  return Object.fromEntries([...surface].filter(([key]) => !UNIONS.has(key)));
}

function methodText({ stability, fields, experimentalFields = [] }: MethodSummary): string {
  return JSON.stringify([stability, fields, experimentalFields]);
}

function typeText({ type }: Declaration): string {
  return JSON.stringify(type, (key, value: unknown) => (key === "doc" ? undefined : value));
}

const TITLES: Readonly<Record<Direction, string>> = {
  clientRequests: "methods",
  clientNotifications: "notifications of the client",
  serverRequests: "server requests",
  serverNotifications: "notifications",
};

/**
 * Prints the differences: one line for each method that was added or removed, one row each for types and
 * changed methods.
 */
export function printDifferences({ from, to, methods, types }: Differences): string {
  const lines = [
    ...KINDS.flatMap((kind) => section(TITLES[kind], methods[kind], false)),
    ...section("types", types, true),
  ];
  return [`Protocol of Codex ${from} -> ${to}`, ...(lines.length > 0 ? lines : ["no difference"])].join("\n");
}

function section(title: string, { added, removed, changed }: Changes, inARow: boolean): string[] {
  if (added.length + removed.length + changed.length === 0) return [];
  const row = (sign: string, names: readonly string[]): string[] =>
    names.length === 0 ? [] : [`  ${sign} ${names.join(", ")}`];
  const list = (sign: string, names: readonly string[]): string[] =>
    inARow ? row(sign, names) : names.map((name) => `  ${sign} ${name}`);
  return [
    `${title}: ${added.length} added, ${removed.length} removed, ${changed.length} changed`,
    ...list("+", added),
    ...list("-", removed),
    ...row("~", changed),
  ];
}
