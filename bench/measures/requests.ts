import { row, type Table } from "../lib/report.ts";
import { sampleAll } from "../lib/sample.ts";

const COUNT = 100_000;
const IN_FLIGHT = 64;

/** Requests in memory, server's side included; told only. */
export function requests(): Table[] {
  const args = [String(COUNT), String(IN_FLIGHT)];
  const [samples = []] = sampleAll([{ name: "requests", program: "requests", args }], 5);
  return [
    {
      title: `requests in memory, ${IN_FLIGHT} in flight`,
      unit: "",
      rows: [
        row("requests per second", samples, "perSecond"),
        row("CPU microseconds per request", samples, "cpuUsPerRequest"),
      ],
    },
  ];
}
