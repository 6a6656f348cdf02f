import { expect } from "vitest";
import { corePeerProblems, foreignSources } from "../../scripts/supply/core-peer.ts";
import { manifestProblems, type Manifest } from "../../scripts/supply/manifests.ts";
import { verifies } from "@codexwright/test-support/verifies";

const CORE: Manifest = { name: "codexwright", version: "1.2.3" };
const GOOD: Manifest = {
  name: "@codexwright/other",
  version: "1.2.3",
  license: "MIT",
  engines: { node: ">=20.19" },
  peerDependencies: { codexwright: "1.2.3" },
};
const problems = (change: Partial<Manifest>): string[] => corePeerProblems([CORE, { ...GOOD, ...change }]);

verifies("supply.one-core", "accepts the core as a required peer of the same exact version", () => {
  expect(problems({})).toEqual([]);
  expect(problems({ devDependencies: { codexwright: "1.2.3" } })).toEqual([]);
  expect(problems({ bundleDependencies: ["chalk"] })).toEqual([]);
  expect(manifestProblems(GOOD)).toEqual([]);
  expect(manifestProblems({ ...GOOD, peerDependencies: { ...GOOD.peerDependencies, ws: "^8.0.0" } })).toEqual(
    ["@codexwright/other: the peer ws must be optional"],
  );
});

verifies("supply.one-core", "reports a core that is not a peer, or a peer of another version", () => {
  for (const version of [
    "^1.2.3",
    "~1.2.3",
    ">=1.2.3",
    "1.2.4",
    "1.2",
    "*",
    "workspace:*",
    "npm:codexwright@1.2.3",
  ])
    expect(problems({ peerDependencies: { codexwright: version } })).toEqual([
      `@codexwright/other: codexwright must be a peer dependency of exactly 1.2.3, not ${version}`,
    ]);
  expect(problems({ peerDependencies: {} })).toHaveLength(1);
  expect(problems({ peerDependenciesMeta: { codexwright: { optional: true } } })).toEqual([
    "@codexwright/other: the peer codexwright must not be optional",
  ]);
  expect(problems({ devDependencies: { codexwright: "1.2.2" } })).toHaveLength(1);
  expect(problems({ version: "1.2.4" })).toEqual([
    "@codexwright/other: version must be 1.2.3, that of codexwright, not 1.2.4",
  ]);
  expect(corePeerProblems([GOOD])).toHaveLength(1);
});

verifies("supply.one-core", "reports a core that would be installed or bundled", () => {
  for (const field of ["dependencies", "optionalDependencies"])
    expect(problems({ [field]: { codexwright: "1.2.3" } })).toEqual([
      `@codexwright/other: codexwright must not be in ${field}`,
    ]);
  // Under an alias it would also be a second copy.
  expect(problems({ dependencies: { core: "npm:codexwright@1.2.3" } })).toHaveLength(1);
  for (const field of ["bundleDependencies", "bundledDependencies"])
    expect(problems({ [field]: ["chalk", "codexwright"] })).toEqual([
      `@codexwright/other: ${field} must not include codexwright`,
    ]);
});

verifies(
  "supply.one-core",
  "does not check the root and private packages, because users never install them",
  () => {
    expect(
      corePeerProblems([CORE, { name: "root", private: true, dependencies: { codexwright: "1.2.3" } }]),
    ).toEqual([]);
  },
);

verifies("supply.one-core", "reports a bundle that contains sources of another package", () => {
  const found = (...sources: string[]): string[] =>
    foreignSources("packages/cli", "dist/lib/run.js.map", sources);
  expect(found("../../src/run/run.ts", "../../src/main.ts")).toEqual([]);
  expect(found("../../src/main.ts", "../../../codexwright/src/rpc/errors.ts")).toEqual([
    "packages/cli: dist/lib/run.js.map includes packages/codexwright/src/rpc/errors.ts",
  ]);
  expect(found("../../../cli-more/src/a.ts", "../../../../node_modules/chalk/index.js")).toHaveLength(2);
});
