import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compare, DIRECTIONS, methodsOf, type Direction } from "./methods.ts";
import { fieldsOf, type Surface } from "./type-node.ts";

/** One method, as one Codex version offers it. */
export interface MethodSummary {
  readonly stability: "stable" | "experimental";
  /** Param fields that need no experimental opt-in, apart from the opt-in that the method itself may need. */
  readonly fields: readonly string[];
  /** Fields that need the `experimentalApi` capability although the method does not. */
  readonly experimentalFields?: readonly string[];
}

/** All methods of one Codex version, by direction and name. */
export interface VersionSummary {
  readonly version: string;
  readonly methods: Readonly<Record<Direction, Readonly<Record<string, MethodSummary>>>>;
}

/** Compares the output of a version with and without `--experimental`. */
export function summarize(version: string, stable: Surface, experimental: Surface): VersionSummary {
  const directions = Object.keys(DIRECTIONS) as Direction[];
  const entries = directions.map((direction) => [
    direction,
    summarizeDirection(direction, stable, experimental),
  ]);
  return { version, methods: Object.fromEntries(entries) as VersionSummary["methods"] };
}

function summarizeDirection(
  direction: Direction,
  stable: Surface,
  experimental: Surface,
): Record<string, MethodSummary> {
  const stableMethods = new Map(methodsOf(stable, direction).map((method) => [method.name, method]));
  const summary: Record<string, MethodSummary> = {};
  for (const method of methodsOf(experimental, direction)) {
    const fields = method.params ? namesOf(fieldsOf(method.params, experimental)) : [];
    const known = stableMethods.get(method.name);
    if (!known) {
      summary[method.name] = { stability: "experimental", fields };
      continue;
    }
    const stableFields = new Set(known.params ? namesOf(fieldsOf(known.params, stable)) : []);
    const gated = fields.filter((field) => !stableFields.has(field));
    const open = fields.filter((field) => stableFields.has(field));
    summary[method.name] = {
      stability: "stable",
      fields: open,
      ...(gated.length > 0 ? { experimentalFields: gated } : {}),
    };
  }
  return summary;
}

function namesOf(fields: readonly { name: string }[]): string[] {
  return fields.map((field) => field.name).toSorted(compare);
}

/** Prints JSON with one method per line, so that a diff of two versions reads as a list of changes. */
export function printSummary(summary: VersionSummary): string {
  const directions = Object.entries(summary.methods).map(([direction, methods]) => {
    const lines = Object.entries(methods).map(
      ([name, method]) => `    ${JSON.stringify(name)}: ${JSON.stringify(method)}`,
    );
    return `  ${JSON.stringify(direction)}: {\n${lines.join(",\n")}\n  }`;
  });
  return `{\n  "version": ${JSON.stringify(summary.version)},\n${directions.join(",\n")}\n}\n`;
}

/** Reads the committed summaries, oldest version first. */
export async function readHistory(folder: string): Promise<VersionSummary[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".json"));
  const history = await Promise.all(
    files.map(async (file) => parseSummary(await readFile(join(folder, file), "utf8"))),
  );
  return history.toSorted((a, b) => compareVersions(a.version, b.version));
}

function parseSummary(text: string): VersionSummary {
  const { version, ...methods } = JSON.parse(text) as { version: string } & VersionSummary["methods"];
  return { version, methods };
}

/** Compares dotted versions by number. Pre-releases do not occur here. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  for (let at = 0; at < 3; at += 1) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
