import path from "node:path";
import { cyclesIn } from "./cycles.ts";
import { importsOf, type Import, type SourceFile } from "./imports.ts";
import {
  checkForUsers,
  checkImports,
  unusedRows,
  type Packages,
  type Rule,
  type Violation,
} from "./rooms.ts";
import { ROOM_CYCLES, TYPE_CYCLES, type KnownCycle } from "./known-cycles.ts";
import { PACKAGES } from "./table.ts";

export type { Rule, Violation } from "./rooms.ts";

/** The checked files: the sources of the packages, and the pages and programs that users read. */
export interface Repository {
  readonly sources: readonly SourceFile[];
  readonly forUsers: readonly SourceFile[];
}

/** The rules. Tests of the checks pass other rules. */
export interface Table {
  readonly packages: Packages;
  readonly typeCycles: readonly KnownCycle[];
  readonly roomCycles: readonly KnownCycle[];
}

export const TABLE: Table = { packages: PACKAGES, typeCycles: TYPE_CYCLES, roomCycles: ROOM_CYCLES };

/** Returns all differences between the repository and the table. */
export function check({ sources, forUsers }: Repository, table: Table = TABLE): Violation[] {
  const used = new Set<string>();
  const found = checkImports(sources, table.packages, used);
  const imports = sources.flatMap((source) => importsOf(source));
  return [
    ...found,
    ...unusedRows(table.packages, used),
    ...checkFileCycles(imports, table.typeCycles),
    ...checkRoomCycles(imports, table.roomCycles),
    ...checkForUsers(forUsers),
  ];
}

function checkFileCycles(imports: readonly Import[], known: readonly KnownCycle[]): Violation[] {
  const values = cyclesIn(arrows(imports.filter(({ kind }) => kind !== "type")));
  const all = cyclesIn(arrows(imports));
  const ofTypes = all.filter((cycle) => !values.some((each) => each.join() === cycle.join()));
  return [
    ...values.map((cycle) => ({ rule: "value cycle" as const, what: cycle.join(", ") })),
    ...compare("type cycle", ofTypes, known),
  ];
}

/**
 * Finds cycles between the rooms of one folder. Imports between a room and the files beside it are checked as
 * files.
 */
function checkRoomCycles(imports: readonly Import[], known: readonly KnownCycle[]): Violation[] {
  const between = imports.flatMap(({ file, target = "" }) => {
    const [from, to] = [file.split("/"), target.split("/")];
    const depth = from.findIndex((part, at) => part !== to[at]);
    const areRooms = depth > 0 && depth < from.length - 1 && depth < to.length - 1;
    if (!areRooms) return [];
    return [{ file: from.slice(0, depth + 1).join("/"), target: to.slice(0, depth + 1).join("/") }];
  });
  return compare("room cycle", cyclesIn(arrows(between)), known);
}

function arrows(imports: readonly { file: string; target?: string }[]): Map<string, Set<string>> {
  const map = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    if (target === undefined) continue;
    map.set(file, (map.get(file) ?? new Set<string>()).add(target));
  }
  return map;
}

/** Reports unknown cycles, and known cycles that no longer exist. */
function compare(rule: Rule, cycles: readonly string[][], known: readonly KnownCycle[]): Violation[] {
  const isOne = (cycle: readonly string[], one: KnownCycle): boolean =>
    cycle.every((part) => path.posix.dirname(part) === one.in) &&
    one.parts.toSorted().join() === cycle.map((part) => path.posix.basename(part)).join();
  return [
    ...cycles
      .filter((cycle) => !known.some((one) => isOne(cycle, one)))
      .map((cycle) => ({ rule, what: cycle.join(", ") })),
    ...known
      .filter((one) => !cycles.some((cycle) => isOne(cycle, one)))
      .map((one) => ({ rule: "unused row" as const, what: `${rule} in ${one.in}: ${one.parts.join()}` })),
  ];
}
