import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../scripts/steps.ts";
import type { Surroundings } from "./machine.ts";
import type { Table } from "./report.ts";

/** What one measure contributes. */
export interface Section {
  /** The name of the measure on the command line. */
  readonly name: string;
  readonly heading: string;
  readonly about: string;
  readonly tables: readonly Table[];
}

/** A run of all measures: the page, its tables and its plots are made of this. */
export interface Results extends Surroundings {
  /** One sample of each only. */
  readonly quick: boolean;
  readonly sections: readonly Section[];
}

const FILE = path.join(ROOT, "docs/benchmarks/data.json");

export function writeResults(results: Results): void {
  mkdirSync(path.dirname(FILE), { recursive: true });
  writeFileSync(FILE, `${JSON.stringify(results, shortened, 1)}\n`);
}

export function readResults(): Results {
  return JSON.parse(readFileSync(FILE, "utf8")) as Results;
}

/** Five digits are more than any figure is good for. */
function shortened(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(5)) : value;
}
