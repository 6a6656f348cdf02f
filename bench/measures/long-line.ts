import { row, type Table } from "../lib/report.ts";
import { sampleAll, type Subject } from "../lib/sample.ts";
import type { ServerPrograms } from "../lib/server-program.ts";
import { SHAPE_NAMES, SHAPES, type Shape } from "../lib/shapes.ts";

export const BYTES: number = 32 * 1024 * 1024;

/** One line of 32 MB in chunks of 64 KiB, compared with parsing a text that is already in memory. */
export function longLine(servers: ServerPrograms): Table[] {
  return SHAPES.map((shape) => table(shape, servers));
}

function table(shape: Shape, servers: ServerPrograms): Table {
  const nodeFlags = ["--expose-gc"];
  const server = servers.make("line", shape, BYTES);
  const subjects: readonly Subject[] = [
    { name: "JSON.parse", program: "parse", args: [shape, String(BYTES)], nodeFlags },
    { name: "LineDecoder", program: "decode", args: [shape, String(BYTES)], nodeFlags },
    { name: "raw over stdio", program: "raw-line", args: [server], nodeFlags },
    { name: "a turn over stdio", program: "line", args: [server], nodeFlags },
  ];
  const [parse = [], decode = [], rawLine = [], line = []] = sampleAll(subjects, 1);
  const baseline = row("JSON.parse of the text", parse, "cpuMs");
  const rawOverStdio = row("over stdio, raw: concat, decode, JSON.parse", rawLine, "cpuMs");
  return {
    title: `a line of 32 MB: ${SHAPE_NAMES[shape]}`,
    unit: "CPU ms",
    rows: [
      baseline,
      // For a line that is one long string, JSON.parse takes less time than any reader needs to decode its
      // bytes.
      row("LineDecoder and JSON.parse", decode, "cpuMs", {
        baseline,
        ...(shape === "objects" && { target: 1.5 }),
      }),
      rawOverStdio,
      row("over stdio, a turn", line, "cpuMs", { baseline: rawOverStdio, target: 1.5 }),
    ],
  };
}
