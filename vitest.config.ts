import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The slowest files. At the end of a run each would run alone. vitest chooses the order of the other files.
 */
const LONGEST = [
  "/test/live/conformance.test.ts",
  "/live/differential/differential.test.ts",
  "/test/live/versions.test.ts",
  "/test/live/commands.test.ts",
  "/test/live/drills.test.ts",
  "/security/linear-time.test.ts",
  "/testing/test/unit/conformance.test.ts",
  "/cli/test/unit/hostile-server.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is not an array's
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      LONGEST.some((end) => moduleId.endsWith(end));
    return [...sorted.filter((file) => isLong(file)), ...sorted.filter((file) => !isLong(file))];
  }
}

/** The fleet needs a newer Node than the rest. On an older one, `npm test` runs its tests in a step of their own. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const hasFleet = (major > 22 || (major === 22 && minor >= 15)) && process.env["CODEXWRIGHT_FLEET"] !== "no";

const shared = {
  exclude: ["**/node_modules/**", ...(hasFleet ? [] : ["packages/orchestrator/**"])],
  pool: "forks" as const,
  // Files share a worker, as they share a process on Bun: for small files, starting Node took most of the
  // time.
  isolate: false,
  // For tests that hang. A loaded machine must not fail a test that is only slow.
  testTimeout: 60_000,
  // The suite tests the shipped files: the runtime itself loads dist, untransformed.
  server: { deps: { external: [/packages\/[^/]+\/dist\//] } },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          // Most of these tests wait for something. More workers than cores keep the cores busy.
          maxWorkers: 4,
          include: ["packages/*/test/unit/**/*.test.ts", "test/unit/**/*.test.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "browser",
          // Projects with different worker counts need different groups.
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
          include: ["test/browser/**/*.test.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "live",
          sequence: { groupOrder: 2 },
          maxWorkers: 3,
          include: ["packages/*/test/live/**/*.test.ts", "test/live/**/*.test.ts"],
        },
      },
    ],
  },
});
