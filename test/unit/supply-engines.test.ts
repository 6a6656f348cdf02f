import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { engineFindings } from "../../scripts/supply/engines.ts";
import type { LockedPackage, Lockfile } from "../../scripts/supply/lockfile.ts";
import { verifies } from "@codexwright/test-support/verifies";

const LOCK = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "../../package-lock.json"), "utf8"),
) as Lockfile;

const lock = (packages: Readonly<Record<string, LockedPackage>>): Lockfile => ({
  lockfileVersion: 3,
  packages,
});
const node = (range: string): Pick<LockedPackage, "engines"> => ({ engines: { node: range } });

/** One of our packages that depends on `a`, which depends on `b`. */
const chain = (range: string, field: keyof LockedPackage = "dependencies"): Lockfile =>
  lock({
    "packages/ours": { ...node(">=20.19"), dependencies: { a: "1.0.0" } },
    "node_modules/a": { version: "1.0.0", [field]: { b: "1.0.0" } },
    "node_modules/b": { version: "1.0.0", ...node(range) },
  });

verifies("supply.engines", "reports an indirect dependency that needs a newer Node", () => {
  for (const range of [
    ">=20.19.1",
    ">=22",
    "^22.12.0 || >=24",
    "20.20.x",
    "<20",
    "^20.20",
    ">20.19.0",
    "not a range",
  ])
    expect([range, engineFindings(chain(range), ["packages/ours"]).problems]).toEqual([
      range,
      [`packages/ours runs on Node 20.19.0; packages/ours > a > b needs ${range}`],
    ]);
  for (const range of [">=18", "^20.19.0 || >=22.12.0", "20.x", "*", "", ">= 20", "18 - 24", ">=20 <23"])
    expect([range, engineFindings(chain(range), ["packages/ours"]).problems]).toEqual([range, []]);
});

verifies("supply.engines", "required peers count; development dependencies do not", () => {
  expect(engineFindings(chain(">=22", "peerDependencies"), ["packages/ours"]).problems).toHaveLength(1);
  expect(engineFindings(chain(">=22", "devDependencies"), ["packages/ours"])).toEqual({
    problems: [],
    optional: [],
  });
});

verifies("supply.engines", "lists optional dependencies and optional peers without failing", () => {
  const both = lock({
    "packages/ours": {
      ...node(">=20.19"),
      optionalDependencies: { a: "1.0.0", "not-on-this-platform": "1.0.0" },
      peerDependencies: { b: "^1.0.0" },
      peerDependenciesMeta: { b: { optional: true } },
    },
    "node_modules/a": { dependencies: { c: "1.0.0" } },
    "node_modules/b": node(">=22"),
    "node_modules/c": node(">=24"),
  });
  const { problems, optional } = engineFindings(both, ["packages/ours"]);
  expect(problems).toEqual([]);
  expect(optional).toEqual([
    "packages/ours runs on Node 20.19.0; packages/ours > b needs >=22",
    "packages/ours runs on Node 20.19.0; packages/ours > a > c needs >=24",
  ]);
  // Also required through another path.
  const required = { ...both.packages["packages/ours"], dependencies: { c: "1.0.0" } };
  const again = engineFindings(lock({ ...both.packages, "packages/ours": required }), ["packages/ours"]);
  expect(again.problems).toEqual(["packages/ours runs on Node 20.19.0; packages/ours > c needs >=24"]);
  expect(again.optional).toHaveLength(1);
});

verifies(
  "supply.engines",
  "compares each of our packages with its own oldest Node, also through links",
  () => {
    const two = lock({
      "packages/old": { ...node(">=20.19"), peerDependencies: { "@us/new": "1.0.0" } },
      "packages/new": { ...node(">=22"), dependencies: { a: "1.0.0" } },
      "node_modules/@us/new": { link: true, resolved: "packages/new" },
      "node_modules/a": node(">=21"),
    });
    expect(engineFindings(two, ["packages/new"]).problems).toEqual([]);
    expect(engineFindings(two, ["packages/old"]).problems).toEqual([
      "packages/old runs on Node 20.19.0; packages/old > @us/new needs >=22",
      "packages/old runs on Node 20.19.0; packages/old > @us/new > a needs >=21",
    ]);
  },
);

verifies("supply.engines", "resolves to the nearest dependency, and terminates on cycles", () => {
  const nested = lock({
    "packages/ours": { ...node(">=20.19"), dependencies: { a: "1.0.0" } },
    "node_modules/a": { dependencies: { b: "1.0.0" } },
    "node_modules/a/node_modules/b": { ...node(">=18"), dependencies: { a: "1.0.0", "@s/c": "1.0.0" } },
    "node_modules/b": node(">=24"),
    "node_modules/@s/c": { dependencies: { a: "1.0.0" } },
  });
  expect(engineFindings(nested, ["packages/ours"]).problems).toEqual([]);
});

verifies("supply.engines", "reports packages that the lockfile lacks", () => {
  const { problems } = engineFindings(
    lock({ "packages/ours": { ...node(">=20.19"), dependencies: { gone: "1.0.0" } } }),
    ["packages/ours"],
  );
  expect(problems).toEqual(["packages/ours > gone is not in the lockfile"]);
  expect(engineFindings(lock({ "packages/ours": {} }), ["packages/ours"]).problems).toHaveLength(1);
  expect(engineFindings(lock({}), ["packages/ours"]).problems).toHaveLength(1);
});

verifies("supply.engines", "reports a violation planted in the lockfile of this repository", () => {
  const place = "node_modules/sisteransi";
  const planted = { ...LOCK.packages, [place]: { ...LOCK.packages[place], ...node(">=22") } };
  expect(engineFindings(lock(planted), ["packages/cli"]).problems).toEqual([
    "packages/cli runs on Node 20.19.0; packages/cli > @clack/prompts > sisteransi needs >=22",
  ]);
});
