import path from "node:path";
import { expect } from "vitest";
import type { Drill } from "../../drills/lib/drill.ts";
import { DRILLS } from "../../drills/lib/drills.ts";
import { runDrill, type DrillResult } from "../../drills/lib/run-drill.ts";
import { verifies } from "@codexwright/test-support/verifies";

/** `everywhere` marks drills that affect our own process. A server behaves the same on every runtime. */
const CASES: readonly { readonly id: string; readonly everywhere?: true }[] = [
  { id: "drill.kill", everywhere: true },
  { id: "drill.stop" },
  { id: "drill.stdout-closed", everywhere: true },
  { id: "drill.stdin-closed" },
  { id: "drill.broken-pipe", everywhere: true },
  { id: "drill.disk-full" },
  { id: "drill.model-unreachable" },
  { id: "drill.model-slow" },
  { id: "drill.overload" },
  { id: "drill.clock-jump", everywhere: true },
  { id: "drill.approvals" },
  { id: "drill.crashes", everywhere: true },
  { id: "drill.socket-cut", everywhere: true },
  { id: "drill.two-clients" },
  { id: "drill.parent-killed", everywhere: true },
  { id: "drill.orphans", everywhere: true },
  { id: "drill.engine-kill", everywhere: true },
  { id: "drill.engine-soak" },
  { id: "drill.fleet-kill" },
  { id: "drill.fleet-stop" },
];
const all = process.env["CODEXWRIGHT_CONFORMANCE"] !== "sample";

/** Returns the reason why a drill is skipped here, or false. */
function skipped({ name, needs }: Drill): string | false {
  const runs = CASES.some(({ id, everywhere = all }) => id === `drill.${name}` && everywhere);
  return needs?.() ?? (!runs && "runs on another runtime, where the server behaves the same");
}

const chosen = DRILLS.filter((drill) => skipped(drill) === false);
/** Each drill has its own processes and folders, and most drills spend most of the time waiting. */
const AT_ONCE = 3;

let started: ReadonlyMap<Drill, Promise<DrillResult>> | undefined;

/** Starts the drills when the first result is requested. At most `AT_ONCE` of them run at the same time. */
function start(): ReadonlyMap<Drill, Promise<DrillResult>> {
  const results = new Map<Drill, Promise<DrillResult>>();
  for (const [n, drill] of chosen.entries()) {
    const before = chosen[n - AT_ONCE];
    const ready: Promise<unknown> = (before && results.get(before)) ?? Promise.resolve();
    results.set(
      drill,
      ready.then(() => run(drill)),
    );
  }
  return results;
}

function run(drill: Drill): Promise<DrillResult> {
  const program = path.join(import.meta.dirname, "../../build/drills/child.js");
  return runDrill(drill, { form: "small", seed: 8, program, limitMs: 120_000 });
}

for (const drill of DRILLS) {
  verifies(
    `drill.${drill.name}`,
    `${drill.fault}: every outcome is as expected, and nothing is left behind`,
    async () => {
      started ??= start();
      const { status, why } = (await started.get(drill)) as DrillResult;
      expect({ status, why }).toEqual({ status: "passed" });
    },
    { against: "pinned", timeoutMs: 360_000, skip: skipped(drill) },
  );
}

verifies("drill.kill", "every drill verifies a requirement", () => {
  expect(DRILLS.map(({ name }) => `drill.${name}`)).toEqual(CASES.map(({ id }) => id));
});
