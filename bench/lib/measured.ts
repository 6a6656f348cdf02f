import type { Figures } from "./sample.ts";
import { cpuTimer, liveBytes, peakRssBytes } from "./usage.ts";

const MB = 1024 * 1024;

/**
 * Runs the work under measure. `cpuUs` and `wallUs` are per message; `peakMb` is the most the process ever held,
 * `liveMb` what is in use more than before while the client is still there.
 */
export async function measured(messages: number, work: () => Promise<void>): Promise<Figures> {
  const before = liveBytes();
  const cpu = cpuTimer();
  const since = performance.now();
  await work();
  const cpuMs = cpu();
  const wallMs = performance.now() - since;
  const peakMb = peakRssBytes() / MB;
  return {
    cpuMs,
    cpuUs: (cpuMs * 1_000) / messages,
    wallUs: (wallMs * 1_000) / messages,
    peakMb,
    liveMb: (liveBytes() - before) / MB,
  };
}
