import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest; at the end of a run they would be alone on the machine. The order of the others is vitest's. */
const LONGEST = [
  "/test/live/conformance.test.ts",
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

const shared = {
  pool: "forks" as const,
  // Files share a worker, as they share a process on Bun: most of the time of a small file was a start of Node.
  isolate: false,
  // For what hangs: a loaded machine must not fail what is only slow.
  testTimeout: 60_000,
  // The suite runs on what is shipped: dist is loaded by the runtime itself, not transformed.
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
          // Most of these tests wait for something: more workers than cores keep the cores busy.
          maxWorkers: 4,
          include: ["packages/*/test/unit/**/*.test.ts", "test/unit/**/*.test.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "browser",
          // Projects with other numbers of workers are in groups of their own.
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
