import { GROWTHS } from "../growth/cases.ts";
import type { GrowthCase } from "../growth/case.ts";
import type { Figures } from "../lib/sample.ts";
import { cpuTimer } from "../lib/usage.ts";

/** CPU time of a warm-up with the smallest size, so that no size pays for compiling the code. */
const WARM_UP_MS = 200;
/** The minimum CPU time for which a size is measured. Small work is repeated. */
const MEASURE_MS = 100;

/** Measures the CPU of one size of one case. */
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
    // Do not run a full collection: it would also discard code that was compiled for the shapes of collected objects.
    globalThis.gc?.({ type: "minor" });
    const cpu = cpuTimer();
    await work.run();
    // A small piece of work may end before its garbage is collected; a large one cannot. So collect here.
    globalThis.gc?.({ type: "minor" });
    spent += cpu();
    runs++;
    await work.end?.();
  }
  return spent / runs;
}
