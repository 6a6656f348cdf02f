import { CodexClient } from "codexwright";
import { DELTA_METHOD, DeltaCheck } from "../lib/deltas.ts";
import type { Figures } from "../lib/sample.ts";
import { cpuTimer } from "../lib/usage.ts";

/** Deltas by `for await`. */
export async function run(server: string, count: string): Promise<Figures> {
  await using codex = await CodexClient.connect({ codexPath: server });
  const thread = await codex.startThread();
  const check = new DeltaCheck();
  let events = 0;
  const cpu = cpuTimer();
  for await (const event of thread.turn("go")) {
    events++;
    if (event.method === DELTA_METHOD) check.take(event.params.delta);
  }
  const cpuMs = cpu();
  check.complete(Number(count));
  return { cpuMs, events };
}
