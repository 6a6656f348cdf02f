import type { Figures } from "./sample.ts";
import { cpuTimer, liveBytes, peakRssBytes } from "./usage.ts";

const MB = 1024 * 1024;

/**
 * Runs the measured work. `cpuUs` and `wallUs` are per message; `peakMb` is the peak memory of the process. `liveMb` is
 * the additional memory in use while the client still exists.
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
