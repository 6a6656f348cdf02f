import { GROWTHS } from "../growth/cases.ts";
import type { GrowthCase } from "../growth/case.ts";
import type { Figures } from "../lib/sample.ts";
import { cpuTimer } from "../lib/usage.ts";

/** CPU that the least size is given first, so that no size pays for code that is not compiled yet. */
const WARM_UP_MS = 200;
/** CPU that a size is measured for at least: the less there is to do, the more often. */
const MEASURE_MS = 100;

/** CPU of one size of one case. */
export async function run(name: string, size: string): Promise<Figures> {
  const growth = GROWTHS[name];
  if (!growth) throw new Error(`nothing grows by the name of "${name}"`);
  const make = await growth.load();
  await mean(make, growth.from, WARM_UP_MS);
  return { cpuMs: await mean(make, Number(size), MEASURE_MS) };
}

async function mean(make: GrowthCase, size: number, leastMs: number): Promise<number> {
  let spent = 0;
  let runs = 0;
  while (spent < leastMs) {
    const work = await make(size);
    // Not a whole collection: with objects of a shape the code that was compiled for it goes, too.
    globalThis.gc?.({ type: "minor" });
    const cpu = cpuTimer();
    await work.run();
    // Little work may end before its garbage is looked at; much of it cannot.
    globalThis.gc?.({ type: "minor" });
    spent += cpu();
    runs++;
    await work.end?.();
  }
  return spent / runs;
}
