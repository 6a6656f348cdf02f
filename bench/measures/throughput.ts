import { row, type Table } from "../lib/report.ts";
import { sampleAll, type Subject } from "../lib/sample.ts";
import type { ServerPrograms } from "../lib/server-program.ts";

const COUNT = 200_000;

/** CPU of a stream of deltas, from just before `turn/start` to the turn's end. */
export function throughput(servers: ServerPrograms): Table[] {
  const args = [servers.make("deltas", COUNT), String(COUNT)];
  const subjects: readonly Subject[] = [
    { name: "raw: split, JSON.parse, count", program: "raw", args },
    { name: "onNotification", program: "callback", args },
    { name: "for await", program: "iterator", args },
  ];
  const [raw = [], callback = [], iterator = []] = sampleAll(subjects, 5);
  const baseline = row("raw: split, JSON.parse, count", raw, "cpuMs");
  return [
    {
      title: `${COUNT.toLocaleString("en")} deltas over stdio`,
      unit: "CPU ms",
      rows: [
        baseline,
        row("onNotification", callback, "cpuMs", { baseline, target: 1.3 }),
        row("for await", iterator, "cpuMs", { baseline, target: 1.6 }),
      ],
    },
  ];
}
