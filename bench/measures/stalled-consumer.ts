import { row, type Table } from "../lib/report.ts";
import { sampleAll } from "../lib/sample.ts";
import type { ServerPrograms } from "../lib/server-program.ts";

const COUNT = 500_000;
const MOST_MB = 64;

/** Memory of a turn that nobody reads until it is over; the sample fails where text is lost. */
export function stalledConsumer(servers: ServerPrograms): Table[] {
  const args = [servers.make("deltas", COUNT), String(COUNT)];
  const [samples = []] = sampleAll(
    [{ name: "stalled consumer", program: "stalled", args, nodeFlags: ["--expose-gc"] }],
    3,
  );
  return [
    {
      title: `stalled consumer, ${COUNT.toLocaleString("en")} deltas: growth`,
      unit: "MB",
      rows: [
        { ...row("in use at the end of the stall", samples, "liveMb"), target: MOST_MB },
        row("resident at the end of the stall", samples, "rssMb"),
        row("resident at the peak", samples, "peakMb"),
        row("events left to take (a count)", samples, "left"),
      ],
    },
  ];
}
