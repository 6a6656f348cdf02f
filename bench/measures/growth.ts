import { GROWTHS, type Growth } from "../growth/cases.ts";
import { exponent, type Point } from "../lib/fit.ts";
import type { Row, Table } from "../lib/report.ts";
import { sample, sampling } from "../lib/sample.ts";

/**
 * The limit for the exponent of a linear cost. It is above 1, because memory outside the caches costs a
 * little more.
 */
const MOST = 1.15;
const STEP = 4;
const ROUNDS = 2;
/**
 * A busy machine can only add to a cost. A result above the limit is measured again, because more samples
 * lower the minima.
 */
const MORE_ROUNDS = 3;

/**
 * V8's background work depends on the load of the machine, and garbage collection costs come in steps that the smallest
 * size might not reach. So everything runs on one thread. The young generation is so small that every size fills it,
 * and the old generation is so large that no size fills it.
 */
const NODE_FLAGS = [
  "--expose-gc",
  "--single-threaded",
  "--max-semi-space-size=1",
  "--initial-old-space-size=1024",
];

/** Measures how a cost grows with a number or size: the exponent of size in the cost. */
export function growth(): Table[] {
  const measured = Object.entries(GROWTHS).map(([name, each]) => new Measured(name, each));
  for (let round = 0; round < Math.min(ROUNDS + MORE_ROUNDS, sampling.most); round++) {
    for (const each of measured) if (round < ROUNDS || each.exponent > MOST) each.sample();
  }
  return [{ title: "CPU against size, fitted", unit: "exponent", rows: measured.map((each) => each.row()) }];
}

class Measured {
  readonly #name: string;
  readonly #of: Growth;
  readonly #least = new Map<number, number>();

  constructor(name: string, of: Growth) {
    this.#name = name;
    this.#of = of;
    for (let size = of.from; size <= of.to; size *= STEP) this.#least.set(size, Number.POSITIVE_INFINITY);
  }

  sample(): void {
    for (const [size, least] of this.#least) {
      const args = [this.#name, String(size)];
      const { cpuMs = Number.NaN } = sample({
        name: `${this.#name} ${size}`,
        program: "growth",
        args,
        nodeFlags: NODE_FLAGS,
      });
      this.#least.set(size, Math.min(least, cpuMs));
    }
  }

  get exponent(): number {
    return exponent(this.#points());
  }

  row(): Row {
    const points = this.#points();
    const [first, last] = [points[0], points.at(-1)].map(costOfOne);
    const name = `${this.#of.title}: ${number(this.#of.from)} to ${number(this.#of.to)} (${first} to ${last} µs each)`;
    return { name, of: "ours", min: this.exponent, median: this.exponent, target: MOST, points };
  }

  #points(): Point[] {
    return [...this.#least].map(([size, cost]) => ({ size, cost }));
  }
}

function costOfOne(point: Point | undefined): string {
  if (point === undefined) return "-";
  const us = (point.cost / point.size) * 1_000;
  return us.toLocaleString("en", { maximumSignificantDigits: 2 });
}

function number(value: number): string {
  return value.toLocaleString("en");
}
