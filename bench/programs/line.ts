import { CodexClient } from "codexwright";
import type { Figures } from "../lib/sample.ts";
import { cpuTimer } from "../lib/usage.ts";

/** A turn whose one item arrives in one very long line, from the pipe to the result. */
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
