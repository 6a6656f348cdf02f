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

/** The results of a run of all measures. The page, its tables and its plots are made from them. */
export interface Results extends Surroundings {
  /** Whether the run took only one sample of each subject. */
  readonly quick: boolean;
  readonly sections: readonly Section[];
}

/** The file of the last run of all measures. */
export const RESULTS_FILE: string = path.join(ROOT, "docs/benchmarks/data.json");

/**
 * Writes the results to their file. Returns them with the rounded figures of the file, so that pages made now
 * and pages made later from the file are the same.
 */
export function writeResults(results: Results): Results {
  const text = JSON.stringify(results, shortened, 1);
  mkdirSync(path.dirname(RESULTS_FILE), { recursive: true });
  writeFileSync(RESULTS_FILE, `${text}\n`);
  return JSON.parse(text) as Results;
}

/** No figure is accurate to more than five digits. */
function shortened(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(5)) : value;
}
