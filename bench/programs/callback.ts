import { CodexClient } from "codexwright";
import { DELTA_METHOD, DeltaCheck } from "../lib/deltas.ts";
import type { Figures } from "../lib/sample.ts";
import { cpuTimer } from "../lib/usage.ts";

/** Deltas by a listener, while the turn runs as usual. */
export async function run(server: string, count: string): Promise<Figures> {
  await using codex = await CodexClient.connect({ codexPath: server });
  const thread = await codex.startThread();
  const check = new DeltaCheck();
  codex.onNotification(DELTA_METHOD, ({ delta }) => check.take(delta));
  const cpu = cpuTimer();
  const { agentMessage } = await thread.run("go");
  const cpuMs = cpu();
  check.complete(Number(count));
  const whole = new DeltaCheck();
  whole.take(agentMessage);
  whole.complete(Number(count));
  return { cpuMs };
}
