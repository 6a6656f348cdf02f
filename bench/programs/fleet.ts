import { claim } from "../fleet/claiming.ts";
import { crash, life, seedless, start } from "../fleet/starting.ts";
import { state, tick, usage } from "../fleet/working.ts";
import type { Figures } from "../lib/sample.ts";

const TASKS: Readonly<Record<string, (count: number, more?: number) => Promise<Figures>>> = {
  start,
  seedless,
  crash,
  tick,
  claim,
  life,
  state,
  usage,
};

/** Runs one task on a fleet, on a Node that the orchestrator supports. */
export async function run(task: string, ...sizes: string[]): Promise<Figures> {
  const work = TASKS[task];
  if (!work) throw new Error(`there is no task "${task}"`);
  const [count = 1, ...more] = sizes.map(Number);
  return await work(count, ...more);
}
