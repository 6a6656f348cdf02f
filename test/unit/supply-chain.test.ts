import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { corePeerProblems } from "../../scripts/supply/core-peer.ts";
import { engineFindings } from "../../scripts/supply/engines.ts";
import { lockProblems, type LockedPackage, type Lockfile } from "../../scripts/supply/lockfile.ts";
import { coreProblems, manifestProblems, type Manifest } from "../../scripts/supply/manifests.ts";
import { tarballProblems } from "../../scripts/supply/tarball.ts";
import { verifies } from "@codexwright/test-support/verifies";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(ROOT, file), "utf8"));

const MANIFESTS: Readonly<Record<string, Manifest>> = Object.fromEntries(
  ["", ...readdirSync(path.join(ROOT, "packages")).map((name) => `packages/${name}`)].map((place) => [
    place,
    read(path.join(place, "package.json")) as Manifest,
  ]),
);
const LOCK = read("package-lock.json") as Lockfile;

verifies("supply.check", "our own packages have no problems", () => {
  expect(Object.values(MANIFESTS).flatMap(manifestProblems)).toEqual([]);
  expect(lockProblems(LOCK, MANIFESTS)).toEqual([]);
  expect(corePeerProblems(Object.values(MANIFESTS))).toEqual([]);
  expect(engineFindings(LOCK, Object.keys(MANIFESTS)).problems).toEqual([]);
});

verifies("supply.check", "reports an inexact version, an install script and a required peer", () => {
  const good = { name: "x", license: "MIT", engines: { node: ">=20" } };
  expect(manifestProblems(good)).toEqual([]);
  for (const version of [
    "^1.0.0",
    "~1.0.0",
    "*",
    "",
    "latest",
    ">=1.0.0",
    "1.x",
    "1.0",
    "git+https://x/y",
    "file:../x",
  ])
    for (const field of ["dependencies", "devDependencies", "optionalDependencies"])
      expect(manifestProblems({ ...good, [field]: { dep: version } })).toHaveLength(1);
  for (const version of ["1.0.0", "1.0.0-beta.1", "npm:other@1.0.0", "npm:@scope/other@1.0.0"])
    expect(manifestProblems({ ...good, dependencies: { dep: version } })).toEqual([]);
  expect(manifestProblems({ ...good, scripts: { postinstall: "x" } })).toHaveLength(1);
  expect(manifestProblems({ ...good, peerDependencies: { dep: "^1.0.0" } })).toHaveLength(1);
  expect(manifestProblems({ name: "x" })).toHaveLength(2);
  expect(coreProblems({ ...good, dependencies: { dep: "1.0.0" } })).toHaveLength(1);
});

verifies("supply.check", "reports a lockfile that was tampered with", () => {
  const tampered = (place: string, change: Partial<LockedPackage>): string[] =>
    lockProblems(
      { ...LOCK, packages: { ...LOCK.packages, [place]: { ...LOCK.packages[place], ...change } } },
      MANIFESTS,
    );
  const place = "node_modules/zod";
  for (const change of [
    { integrity: "" },
    { integrity: "sha1-abc" },
    { resolved: "https://example.com/zod.tgz" },
    { resolved: "https://registry.npmjs.org.example.com/zod.tgz" },
    { hasInstallScript: true },
    { version: "1.0.0" },
  ])
    expect(tampered(place, change)).toHaveLength(1);
  expect(tampered("", { devDependencies: {} })).toHaveLength(1);
  expect(tampered("packages/codexwright", { dependencies: { dep: "1.0.0" } })).toHaveLength(1);
  expect(tampered("node_modules/codexwright", { resolved: "../elsewhere" })).toHaveLength(1);
  expect(tampered("node_modules/bun", { hasInstallScript: false })).toHaveLength(1);
});

verifies(
  "supply.check",
  "reports a file that must not be published, and a missing license",
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), "codexwright-pack-"));
    try {
      for (const place of ["src", "dist/lib", "dist/types"])
        mkdirSync(path.join(folder, place), { recursive: true });
      const maps = ["dist/lib/a.js.map", "dist/types/a.d.ts.map"];
      const wanted = ["README.md", "dist/lib/a.js", "dist/lib/b.js", "dist/types/a.d.ts"];
      for (const file of [...wanted, ...maps, "src/a.ts", ".env.local", "dist/lib/a.test.js", "notes.txt"])
        writeFileSync(path.join(folder, file), "x");
      writeFileSync(path.join(folder, "dist/lib/b.js"), "x();\n//# sourceMappingURL=b.js.map\n");
      writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "x", version: "1.0.0" }));
      const name = path.basename(folder);
      expect(tarballProblems(folder).toSorted()).toEqual(
        [
          `${name}: would not publish LICENSE`,
          `${name}: would publish .env.local`,
          `${name}: would publish notes.txt`,
          `${name}: would publish src/a.ts`,
          `${name}: would publish dist/lib/a.test.js`,
          ...maps.map((file) => `${name}: would publish ${file}`),
          `${name}: dist/lib/b.js links to a map, which would not be published`,
        ].toSorted(),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  { timeoutMs: 60_000 },
);
