import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../scripts/steps.ts";
import type { Surroundings } from "./machine.ts";
import type { Table } from "./report.ts";

/** The tables of one measure. */
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

/** The file of the last run of all measures. */
export const RESULTS_FILE: string = path.join(ROOT, "docs/benchmarks/data.json");

/** Returns them as they were written, so that pages are the same whether they are made now or from the file. */
export function writeResults(results: Results): Results {
  const text = JSON.stringify(results, shortened, 1);
  mkdirSync(path.dirname(RESULTS_FILE), { recursive: true });
  writeFileSync(RESULTS_FILE, `${text}\n`);
  return JSON.parse(text) as Results;
}

/** Five digits are more than any figure is good for. */
function shortened(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(5)) : value;
}
