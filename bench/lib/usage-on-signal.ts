/** Loaded into a third-party program (`node --import`): writes its usage to descriptor 3 at every SIGUSR2. */
import { writeSync } from "node:fs";

process.on("SIGUSR2", () => {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();
  writeSync(3, `${JSON.stringify({ cpuMs: (user + system) / 1_000, peakMb: maxRSS / 1024 })}\n`);
});
