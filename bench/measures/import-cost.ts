import { row, type Table } from "../lib/report.ts";
import { sampleAll } from "../lib/sample.ts";

/**
 * The cost of importing the library, compared with the cost of importing the built-in module that every client needs to
 * start a process.
 */
export function importCost(): Table[] {
  const names = ["node:child_process", "codexwright"];
  const subjects = names.map((name) => ({ name, program: "import", args: [name] }));
  const [builtIn = [], ours = []] = sampleAll(subjects, 9);
  const baseline = row("node:child_process", builtIn, "importMs");
  const process = row("whole process, node:child_process", builtIn, "processMs");
  return [
    {
      title: "import",
      unit: "ms",
      rows: [
        baseline,
        row("codexwright", ours, "importMs", { baseline, target: 3 }),
        process,
        row("whole process, codexwright", ours, "processMs", { baseline: process }),
      ],
    },
  ];
}
