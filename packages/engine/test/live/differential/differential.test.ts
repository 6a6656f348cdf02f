import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { scenarios, type Scenario } from "@codexwright/testing";
import { ConformanceRuns } from "@codexwright/test-support/conformance";
import { Differential } from "@codexwright/test-support/differential/runs";
import { everythingOf } from "@codexwright/test-support/differential/view";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { CASES } from "./cases/index.ts";
import { DIFFERENCES } from "./differences.ts";
import { ENGINE, REAL } from "./targets.ts";

/** The cases to run, or their areas, with commas between them. Their messages are written to files. */
const ONLY = process.env["CODEXWRIGHT_DIFFERENTIAL"];
const SHOWN = path.join(import.meta.dirname, "../../../../../test-results/differential");
const PENDING = /^(mcp|compact|review|agents|config)\./;

const wanted = [...CASES, ...scenarios.filter(({ id }) => !PENDING.test(id))].filter(
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
/** Parts of the engine are still being built. Until all of them are there, the comparison runs only on request. */
const skip = ONLY === undefined && "CODEXWRIGHT_DIFFERENTIAL names the cases to compare";
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
    },
    { ...OPTIONS, skip: ONLY !== "all" && "it needs all cases" },
  );
});

async function same(scenario: Scenario): Promise<void> {
  const differences = await differential.unlisted(scenario);
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
