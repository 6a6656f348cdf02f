import { CodexClient } from "codexwright";
import type { Figures } from "../lib/sample.ts";
import { cpuTimer } from "../lib/usage.ts";

/** Measures the CPU time of a turn whose only item arrives as one very long line, from the start of the turn to its result. */
export async function run(server: string): Promise<Figures> {
  await using codex = await CodexClient.connect({ codexPath: server });
  const thread = await codex.startThread();
  globalThis.gc?.();
  const cpu = cpuTimer();
  const { items } = await thread.run("go");
  const cpuMs = cpu();
  if (items.length !== 1) throw new Error(`${items.length} items came out of one`);
  return { cpuMs };
}
