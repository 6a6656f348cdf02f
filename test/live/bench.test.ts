import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { onBun, onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { expect } from "vitest";
import { fleetNode } from "../../scripts/suite.ts";

const PROGRAM = path.join(import.meta.dirname, "../../build/bench/smoke.js");
const skip = onWindows || onBun("the benchmarks are programs of Node");

/** The output of a smoke run: a line for each program. */
async function smoke(part?: "real" | "fleet"): Promise<string[]> {
  const node = part === "fleet" ? await fleetNode() : process.execPath;
  const { stdout } = await promisify(execFile)(node, ["--expose-gc", PROGRAM, ...(part ? [part] : [])]);
  return stdout.trim().split("\n");
}

verifies(
  "bench.runs",
  "every benchmark program that uses the benchmarks' own server runs once with a small workload",
  async () => {
    const ran = await smoke();
    expect(ran).toContain("requests");
    expect(ran).toContain("growth clients");
  },
  { timeoutMs: 120_000, skip },
);

verifies(
  ["bench.runs", "bench.fleet", "fleet.jobs.fast"],
  "every task of a fleet runs once with a small workload",
  async () => {
    const ran = await smoke("fleet");
    expect(ran.filter((program) => program === "folder")).toHaveLength(4);
    expect(ran.filter((program) => program === "fleet")).toHaveLength(7);
  },
  { timeoutMs: 480_000, skip },
);

verifies(
  ["bench.runs", "bench.threads"],
  "every task runs on a real server, with the raw client and with ours, and on the engine",
  async () => {
    const ran = await smoke("real");
    expect(ran).toHaveLength(22);
    expect(ran).toEqual(expect.arrayContaining(["home, codex", "home, engine"]));
  },
  { against: "pinned", timeoutMs: 240_000, skip },
);
