import { describe, expect } from "vitest";
import { fakeTarget, realTarget } from "@codexwright/testing";
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
import { Differential } from "@codexwright/test-support/differential/runs";
import { messagesOf } from "@codexwright/test-support/differential/view";
import { DIFFERENCES } from "./differences.ts";
import { PINNED } from "@codexwright/test-support/world";

const NEWEST = PINNED_CODEX;
const OPTIONS = { ...PINNED, timeoutMs: 90_000 };

const overSocket = new ConformanceRuns(realTarget({ version: NEWEST, transport: "websocket" }));
// Clients of the real server share it over a socket, like clients of the fake in memory.
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

function likeTheRealOne(): void {
  const differential = new Differential(overSocket, fake, DIFFERENCES, messagesOf);
  describe("the fake sends the same messages as the real server", () => {
    for (const scenario of fake.scenarios) {
      verifies(
        "conformance.differential",
        scenario.id,
        async () => {
          expect((await differential.unlisted(scenario)).map(({ text }) => text)).toEqual([]);
        },
        OPTIONS,
      );
    }

    verifies(
      "conformance.differential",
      "lists at most 10 differences, and every one of them exists",
      async () => {
        expect(DIFFERENCES.length).toBeLessThanOrEqual(10);
        expect(await differential.stale()).toEqual([]);
      },
      { ...OPTIONS, skip: SAMPLED && "this run uses only a sample of the scenarios" },
    );
  });
}
