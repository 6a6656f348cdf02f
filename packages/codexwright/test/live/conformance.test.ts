import { describe, expect } from "vitest";
import { compareRuns, fakeTarget, realTarget, runScenario, type Scenario } from "@codexwright/testing";
import { type TranscriptDifference } from "codexwright/recording";
import { PINNED_CODEX, type CodexVersion } from "../../../../scripts/codex-versions.ts";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { verifies } from "@codexwright/test-support/verifies";
import {
  ConformanceRuns,
  conforms,
  ONLY_VERSION,
  outOfBounds,
  SAMPLED,
} from "@codexwright/test-support/conformance";
import { DIFFERENCES, listedFor } from "./differences.ts";
import { PINNED } from "@codexwright/test-support/world";

const NEWEST = PINNED_CODEX;
const OPTIONS = { ...PINNED, timeoutMs: 90_000 };

const overSocket = new ConformanceRuns(realTarget({ version: NEWEST, transport: "websocket" }));
const fake = new ConformanceRuns(fakeTarget());

function onReal(runs: ConformanceRuns): void {
  conforms("conformance.scenarios", runs, `codex ${runs.target.version}`);
}

/** This limit is reached only if a scenario waits for something that the version does not do. */
const FAILS_WITHIN_MS = 5_000;

/** Runs all scenarios on one version, and checks that each excluded scenario would fail. */
async function onlyOn(version: CodexVersion): Promise<void> {
  const codexPath = await codexBinary(version);
  // With a socket there are also scenarios with several clients. 0.98 has no socket.
  const transport = version === "0.98.0" ? "stdio" : "websocket";
  const target = realTarget({ version, codexPath, transport });
  conforms("versions.conformance", new ConformanceRuns(target), `codex ${version}`);
  const excluded = new ConformanceRuns(target, outOfBounds(target), FAILS_WITHIN_MS);
  describe(`${target.name}: the version bounds of scenarios are right`, () => {
    for (const scenario of excluded.scenarios) {
      verifies(
        "versions.bounds",
        scenario.id,
        async () => {
          expect((await excluded.of(scenario)).outcome).toBe("failed");
        },
        { against: `codex ${version}`, timeoutMs: 90_000 },
      );
    }
  });
}

function onPinned(): void {
  onReal(overSocket);
  onReal(new ConformanceRuns(realTarget({ version: NEWEST })));
  if (!SAMPLED) onReal(new ConformanceRuns(realTarget({ version: NEWEST, transport: "unix" })));
  likeTheRealOne();
}

await (ONLY_VERSION === undefined ? onPinned() : onlyOn(ONLY_VERSION));

/** A difference counts only if it appears in this many runs of the real server. */
const TRIES = 3;

/**
 * Returns how the messages of the fake differ from all runs of the real server. Runs of the real server also differ
 * among themselves, so something counts as a difference only if it differs from every run. The real server listens on a
 * socket, because clients of a socket share one server, like clients in memory.
 */
async function differencesIn(scenario: Scenario): Promise<readonly TranscriptDifference[]> {
  const faked = await fake.of(scenario);
  let differences = unlisted(scenario, compareRuns(await overSocket.of(scenario), faked));
  for (let tries = 1; tries < TRIES && differences.length > 0; tries++) {
    const again = compareRuns(await runScenario(scenario, overSocket.target), faked).map(({ text }) => text);
    differences = differences.filter(({ text }) => again.includes(text));
  }
  return differences;
}

function unlisted(
  scenario: Scenario,
  differences: readonly TranscriptDifference[],
): readonly TranscriptDifference[] {
  return differences.filter(
    (difference) => !DIFFERENCES.some((listed) => listedFor(listed, scenario, difference)),
  );
}

function likeTheRealOne(): void {
  describe("the fake sends the same messages as the real server", () => {
    for (const scenario of fake.scenarios) {
      verifies(
        "conformance.differential",
        scenario.id,
        async () => {
          expect((await differencesIn(scenario)).map(({ text }) => text)).toEqual([]);
        },
        OPTIONS,
      );
    }

    verifies(
      "conformance.differential",
      "lists at most 10 differences, and every one of them exists",
      async () => {
        expect(DIFFERENCES.length).toBeLessThanOrEqual(10);
        const gone: string[] = [];
        for (const listed of DIFFERENCES.filter(({ races }) => !races)) {
          for (const id of listed.scenarios ?? [undefined]) {
            const among = fake.scenarios.filter((scenario) => id === undefined || scenario.id === id);
            const found = await Promise.all(
              among.map(async (scenario) =>
                compareRuns(await overSocket.of(scenario), await fake.of(scenario)).some((difference) =>
                  listedFor(listed, scenario, difference),
                ),
              ),
            );
            if (!found.includes(true)) gone.push(`${listed.reason} (${id ?? "everywhere"})`);
          }
        }
        expect(gone).toEqual([]);
      },
      { ...OPTIONS, skip: SAMPLED && "this run uses only a sample of the scenarios" },
    );
  });
}
