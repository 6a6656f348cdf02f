import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { scenarios, type Scenario } from "@codexwright/testing";
import { ConformanceRuns, ONLY_VERSION, SAMPLED } from "@codexwright/test-support/conformance";
import { Differential } from "@codexwright/test-support/differential/runs";
import { everythingOf } from "@codexwright/test-support/differential/view";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { CASES } from "./cases/index.ts";
import { DIFFERENCES } from "./differences/index.ts";
import { ENGINE, REAL } from "./targets.ts";

/** The cases to run, or their areas, with commas between them. Their messages are written to files. */
const ONLY = process.env["CODEXWRIGHT_DIFFERENTIAL"];
const SHOWN = path.join(import.meta.dirname, "../../../../../test-results/differential");
const wanted = [...CASES, ...scenarios].filter(
  ({ id }) =>
    ONLY === undefined ||
    ONLY === "all" ||
    ONLY.split(",").some((each) => id === each || id.startsWith(`${each}.`)),
);
const differential = new Differential(
  new ConformanceRuns(REAL, wanted),
  new ConformanceRuns(ENGINE, wanted),
  DIFFERENCES,
  everythingOf,
);
const sampled =
  (SAMPLED || ONLY_VERSION !== undefined) && "it runs once, on the pinned Codex and one runtime";
const skip = unlessLinux || sampled;
const OPTIONS = { ...PINNED, timeoutMs: 120_000, skip } as const;

describe("the engine behaves like the real server", () => {
  for (const scenario of differential.other.scenarios) {
    verifies("engine.differential.same", scenario.id, () => same(scenario), OPTIONS);
  }

  verifies(
    "engine.differential.listed",
    "every listed difference still occurs",
    async () => {
      expect(await differential.stale()).toEqual([]);
      await tell();
    },
    { ...OPTIONS, skip: skip || (ONLY !== undefined && ONLY !== "all" && "it needs all cases") },
  );
});

/** Writes how much was compared. */
async function tell(): Promise<void> {
  mkdirSync(SHOWN, { recursive: true });
  const cases = differential.other.scenarios.length;
  const purpose = DIFFERENCES.filter(({ races, gap }) => !races && !gap).length;
  const gaps = DIFFERENCES.filter(({ gap }) => gap).length;
  const line = `${cases} cases, ${await differential.compared()} messages of Codex compared, ${purpose} differences on purpose, ${gaps} gaps\n`;
  writeFileSync(path.join(SHOWN, "figures.txt"), line);
}

async function same(scenario: Scenario): Promise<void> {
  const differences = await differential.unlisted(scenario);
  // A run that broke off has fewer messages to compare.
  const real = await differential.real.of(scenario);
  if (real.outcome === "failed") throw real.error;
  if (ONLY !== undefined) await show(scenario);
  expect(differences.map(({ text }) => text)).toEqual([]);
}

/** Writes what both servers sent to files, one message on a line, so that an engineer can compare them. */
async function show(scenario: Scenario): Promise<void> {
  mkdirSync(SHOWN, { recursive: true });
  for (const [name, runs] of Object.entries({ codex: differential.real, engine: differential.other })) {
    const result = await runs.of(scenario);
    const lines = everythingOf(result).map(
      ({ connection, direction, kind, method, ...body }) =>
        `${connection} ${direction} ${kind} ${method} ${JSON.stringify(body)}\n`,
    );
    const failure = result.outcome === "failed" ? `failed: ${String(result.error)}\n` : "";
    writeFileSync(path.join(SHOWN, `${scenario.id}.${name}.txt`), lines.join("") + failure);
  }
}
