import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
  /** If the measure was published by a run of its own: the facts of that run. */
  readonly own?: Run;
}

/** The facts of a run. */
export interface Run extends Surroundings {
  /** Whether the run took only one sample of each subject. */
  readonly quick: boolean;
}

/** The results of a run of all measures. The page, its tables and its plots are made from them. */
export interface Results extends Run {
  readonly sections: readonly Section[];
}

/** The file of the last run of all measures, with the sections that later runs have replaced. */
const RESULTS_FILE: string = path.join(ROOT, "docs/benchmarks/data.json");

export function readResults(): Results {
  return JSON.parse(readFileSync(RESULTS_FILE, "utf8")) as Results;
}

/** Replaces or adds sections. `order` has the names of all measures. */
export function withSections(
  results: Results,
  replaced: readonly Section[],
  order: readonly string[],
): Results {
  const byName = new Map([...results.sections, ...replaced].map((section) => [section.name, section]));
  return { ...results, sections: order.flatMap((name) => byName.get(name) ?? []) };
}

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
