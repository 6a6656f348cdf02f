import { row, type Table } from "../lib/report.ts";
import { sampleAll } from "../lib/sample.ts";

/** The number of issues in the folder. */
const COUNT = 1_000;
/** The longest median time of one poll, in milliseconds. */
const TARGETS = { cold: 500, unchanged: 50 };

/** The time of one poll of a folder of issues. */
export function fleetFolder(): Table[] {
  const whos = ["raw", "ours"];
  return (["cold", "unchanged"] as const).map((what) => {
    const subjects = whos.map((who) => ({ name: who, program: "folder", args: [who, what, String(COUNT)] }));
    const [raw = [], ours = []] = sampleAll(subjects, 7);
    const isCold = what === "cold";
    return {
      title: `a poll of ${COUNT.toLocaleString("en")} issues, ${isCold ? "all read and parsed" : "none changed"}`,
      unit: "ms",
      rows: [
        { ...row(isCold ? "raw: read every file" : "raw: stat every file", raw, "pollMs"), of: "bound" },
        { ...row("the folder tracker", ours, "pollMs"), of: "ours", target: TARGETS[what] },
      ],
    };
  });
}
