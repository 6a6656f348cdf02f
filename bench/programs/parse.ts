import type { Figures } from "../lib/sample.ts";
import { valueOf, type Shape } from "../lib/shapes.ts";
import { cpuTimer } from "../lib/usage.ts";

/** JSON.parse alone, of a text that is already in memory. */
export async function run(shape: string, bytes: string): Promise<Figures> {
  const text = Buffer.from(JSON.stringify(valueOf(shape as Shape, Number(bytes)))).toString("utf8");
  globalThis.gc?.();
  const cpu = cpuTimer();
  JSON.parse(text);
  return { cpuMs: cpu() };
}
