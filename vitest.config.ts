import { defineConfig } from "vitest/config";

const shared = {
  pool: "forks" as const,
  // The suite runs on what is shipped: dist is loaded by the runtime itself, not transformed.
  server: { deps: { external: [/packages\/[^/]+\/dist\//] } },
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          // Most of these tests wait for something: more workers than cores keep the cores busy.
          maxWorkers: 4,
          // For what hangs: a loaded machine must not fail what is only slow.
          testTimeout: 60_000,
          include: ["packages/*/test/unit/**/*.test.ts", "test/unit/**/*.test.ts"],
        },
      },
      {
        test: { ...shared, name: "browser", include: ["test/browser/**/*.test.ts"], testTimeout: 60_000 },
      },
      {
        test: {
          ...shared,
          name: "live",
          include: ["packages/*/test/live/**/*.test.ts", "test/live/**/*.test.ts"],
          testTimeout: 60_000,
          // Logins by browser share one port on a machine.
          fileParallelism: false,
        },
      },
    ],
  },
});
