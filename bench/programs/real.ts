import type { Figures } from "../lib/sample.ts";
import type { Party } from "../real/party.ts";
import { TASKS } from "../real/tasks.ts";
import { readWorld, type World } from "../real/world.ts";

const PARTIES: Readonly<Record<string, (world: World, installed: string) => Promise<Party>>> = {
  ours: async (world) => (await import("../real/ours.ts")).ours(world),
  raw: async (world) => new (await import("../real/raw.ts")).Raw(world),
  sdk: async (world, installed) => (await import("../real/sdk.ts")).sdk(world, installed),
};

/** Runs one task on a real server with this party. */
export async function run(
  party: string,
  world: string,
  installed: string,
  task: string,
  ...args: string[]
): Promise<Figures> {
  const make = PARTIES[party];
  const measure = TASKS[task];
  if (!make || !measure) throw new Error(`there is no party "${party}" or no task "${task}"`);
  await using made = await make(readWorld(world), installed);
  return await measure(made, ...args.map(Number));
}
