import { createInterface } from "node:readline";
import { now } from "./child.ts";

/** Says something to the process that started this one. */
export function say(said: object): void {
  process.stdout.write(`${JSON.stringify({ at: now(), ...said })}\n`);
}

/** Obeys the orders on stdin until it closes. `usage` is known to all. */
export async function obey(orders: Readonly<Record<string, () => Promise<unknown>>> = {}): Promise<void> {
  for await (const order of createInterface({ input: process.stdin })) {
    const work = order === "usage" ? usage : orders[order];
    if (work === undefined) throw new Error(`there is no order "${order}"`);
    say({ [order]: await work() });
  }
}

async function usage(): Promise<object> {
  const { user, system } = process.cpuUsage();
  if (!globalThis.gc) throw new Error("run with --expose-gc");
  globalThis.gc();
  return { rssMb: process.memoryUsage.rss() / 1024 / 1024, cpuMs: (user + system) / 1_000 };
}
