import type { Requirement } from "./requirement.ts";

export const BENCHMARKS = [
  {
    id: "bench.report",
    statement:
      "A benchmark's ratios are of minima of one run, and a figure that is missing or no number meets no target.",
  },
  {
    id: "bench.page",
    statement:
      "The page of benchmarks names versions and machine class, and says in words where ours is not ahead and why.",
  },
  {
    id: "bench.fair",
    statement:
      "The clients that are compared get the same text in as many messages, and one that loses any has no figure.",
  },
  {
    id: "bench.growth",
    statement:
      "Growth is told by the exponent of size in the cost, fitted by least squares to the logarithms.",
  },
] as const satisfies readonly Requirement[];
