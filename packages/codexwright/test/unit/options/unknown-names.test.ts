import * as fc from "fast-check";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { failure, MORE_CALLS, NOT_CHECKED, openWorld } from "./calls.ts";
import { objectParameters, type ObjectParameter } from "./public-calls.ts";

const FAKE = { against: "fake", timeoutMs: 120_000 } as const;

const parameters = objectParameters();

/**
 * Matches parameters for options: by the parameter's name, by the name of its type, or because the call destructures
 * the parameter.
 */
const OPTIONS = /\((?:options|call|params|filter|target|tokens|metadata|budget|size|__\d)\)$/;
const OPTIONS_TYPE = /(?:Options|Params|Settings|Filter)$/;

function isOptions({ id, types, names }: ObjectParameter): boolean {
  if (names.length === 0 || /^new \w+Error\(/.test(id)) return false;
  return OPTIONS.test(id) || types.some((type) => OPTIONS_TYPE.test(type));
}

/** Edit distance of two names, computed by another algorithm than the library's. */
function distance(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const known = new Map<string, number>();
  const from = (i: number, j: number): number => {
    if (i === a.length || j === b.length) return a.length - i + b.length - j;
    const key = `${i},${j}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const least =
      a[i] === b[j] ? from(i + 1, j + 1) : 1 + Math.min(from(i + 1, j), from(i, j + 1), from(i + 1, j + 1));
    known.set(key, least);
    return least;
  };
  return from(0, 0);
}

/**
 * Misspellings of a name: a letter missing, added, wrong or swapped, another case, a missing suffix, and snake case.
 */
const MISSPELLINGS: readonly ((name: string, at: number) => string)[] = [
  (name, at) => name.slice(0, at) + name.slice(at + 1),
  (name, at) => `${name.slice(0, at)}x${name.slice(at)}`,
  (name, at) => `${name.slice(0, at)}q${name.slice(at + 1)}`,
  (name, at) => name.slice(0, at) + (name[at + 1] ?? "") + (name[at] ?? "") + name.slice(at + 2),
  (name) => name.toUpperCase(),
  (name) => name.replace(/(?:Ms|Options|s)$/, ""),
  (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
];

function namesOf(id: string): readonly string[] {
  return MORE_CALLS[id] ?? parameters.find((each) => each.id === id)?.names ?? [];
}

verifies(
  "options.everywhere",
  "the table of this test lists every public call that takes options",
  async () => {
    await using world = await openWorld();
    const expected = [...parameters.filter(isOptions).map(({ id }) => id), ...Object.keys(MORE_CALLS)];
    const listed = [...Object.keys(world.rows), ...Object.keys(NOT_CHECKED)];
    expect(expected.length).toBeGreaterThan(100);
    expect(listed.toSorted()).toEqual(expected.toSorted());
  },
);

verifies(
  "options.everywhere",
  "rejects a misspelt name with invalid_argument, suggests the nearest valid name, and sends nothing",
  async () => {
    await using world = await openWorld();
    const before = world.sent();
    const wrong: string[] = [];
    for (const [id, row] of Object.entries(world.rows)) {
      const names = namesOf(id);
      const property = fc.asyncProperty(
        fc.constantFrom(...names),
        fc.nat(30),
        fc.constantFrom(...MISSPELLINGS),
        async (name, at, misspell) => {
          const misspelt = misspell(name, at % name.length);
          if (names.includes(misspelt) || misspelt === "" || misspelt === "__proto__") return;
          const { code, message = "" } = await failure(row, { ...row.valid, [misspelt]: row.valid });
          const path = (row.prefix ?? "") + misspelt;
          const nearest = /the nearest is "(?:\w+\.)*(\w+)"/.exec(message)?.[1] ?? "";
          const [a, b, c] = [misspelt, name, nearest].map((each) => each.toLowerCase()) as [
            string,
            string,
            string,
          ];
          const good =
            code === "invalid_argument" &&
            message.includes(JSON.stringify(path)) &&
            names.includes(nearest) &&
            (distance(a, c) <= distance(a, b) || a.includes(c) || c.includes(a));
          if (!good) wrong.push(`${id} { ${misspelt} }: ${String(code)} ${message}`);
        },
      );
      await fc.assert(property, { seed: 7, numRuns: 12 });
    }
    expect(wrong).toEqual([]);
    expect(world.sent()).toBe(before);
  },
  FAKE,
);

verifies(
  "options.everywhere",
  "rejects any other name with invalid_argument, whatever its value, unless the value is undefined",
  async () => {
    await using world = await openWorld();
    const before = world.sent();
    const wrong: string[] = [];
    for (const [id, row] of Object.entries(world.rows)) {
      const names = namesOf(id);
      const property = fc.asyncProperty(
        fc.oneof(
          fc.string({ minLength: 1, maxLength: 20 }),
          fc.constantFrom("constructor", "toString", "hasOwn"),
        ),
        fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string(), fc.constant({})),
        async (name, value) => {
          if (names.includes(name) || name === "__proto__") return;
          const { code, message = "" } = await failure(row, { ...row.valid, [name]: value });
          if (code !== "invalid_argument" || !/the nearest is "/.test(message)) {
            wrong.push(`${id} { ${name} }: ${String(code)} ${message}`);
          }
        },
      );
      await fc.assert(property, { seed: 11, numRuns: 8 });
    }
    expect(wrong).toEqual([]);
    expect(world.sent()).toBe(before);
  },
  FAKE,
);
