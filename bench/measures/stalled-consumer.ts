import { BATCH, wordOf, type Load } from "../lib/load.ts";
import { row, type Table } from "../lib/report.ts";
import { sampleAll } from "../lib/sample.ts";
import type { ServerPrograms } from "../lib/server-program.ts";

const COUNT = 500_000;
const LOAD: Load = { threads: 1, count: COUNT, length: 0, batch: BATCH };
const MOST_MB = 64;

/** Memory of a turn that is not read until it has ended. The sample fails if text is lost. */
export function stalledConsumer(servers: ServerPrograms): Table[] {
  const args = [servers.make("stream", wordOf(LOAD)), String(COUNT)];
  const nodeFlags = ["--expose-gc"];
  const [stalled = [], prompt = []] = sampleAll(
    [
      { name: "stalled consumer", program: "stalled", args, nodeFlags },
      { name: "prompt consumer", program: "stalled", args: [...args, "prompt"], nodeFlags },
    ],
    2,
  );
  return [
    {
      title: `stalled consumer, ${COUNT.toLocaleString("en")} deltas: growth`,
      unit: "MB",
      rows: [
        { ...row("in use at the end of the stall", stalled, "liveMb"), target: MOST_MB },
        row("resident at the end of the stall", stalled, "rssMb"),
        row("resident at the peak", stalled, "peakMb"),
        row("resident at the peak, prompt consumer", prompt, "peakMb"),
        row("events left to take (a count)", stalled, "left"),
      ],
    },
  ];
}
