import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { VERSION } from "codexwright";
import { verifies } from "@codexwright/test-support/verifies";

const LIBRARY = path.resolve(import.meta.dirname, "../../..");
const LISTS = path.resolve(LIBRARY, "../../docs/api/codexwright");

interface Manifest {
  readonly version: string;
  readonly engines: object;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: object;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { optional: boolean }>>;
}

const manifest = JSON.parse(readFileSync(path.join(LIBRARY, "package.json"), "utf8")) as Manifest;
const ENTRIES = Object.keys(manifest.exports).filter((entry) => entry !== "./package.json");

verifies("package.exports", "the package has exactly these entries, and each can be imported", async () => {
  expect(ENTRIES.join(" ")).toBe(
    ". ./client ./protocol ./rpc ./stdio ./websocket ./unix ./endpoint ./server ./agent ./workspace ./recording ./internal ./internal/options ./internal/node ./internal/redact",
  );
  for (const entry of ENTRIES) {
    const module = (await import(path.posix.join("codexwright", entry))) as object;
    expect(Object.keys(module).length).toBeGreaterThan(0);
  }
});

verifies("package.exports", "the README on npm has a row for each entry", () => {
  const readme = readFileSync(path.join(LIBRARY, "README.md"), "utf8");
  const rows = Array.from(readme.matchAll(/^\| `(codexwright[^`]*)`/gm), ([, entry]) => entry);
  expect(new Set(rows)).toEqual(new Set(ENTRIES.map((entry) => path.posix.join("codexwright", entry))));
});

verifies("package.names", "each entry exports exactly the values listed in docs/api", async () => {
  for (const entry of ENTRIES.filter((each) => !each.startsWith("./internal"))) {
    const file = `${entry === "." ? "index" : entry.slice(2)}.txt`;
    const listed = readFileSync(path.join(LISTS, file), "utf8").matchAll(
      /^(\w+): (?:class|function|const)(?: and \w+)?$/gm,
    );
    const exported = Object.keys((await import(path.posix.join("codexwright", entry))) as object);
    expect([entry, ...exported.toSorted()]).toEqual([entry, ...Array.from(listed, ([, name]) => name)]);
  }
});

verifies(
  "package.dependencies",
  "there are no runtime dependencies, and every peer dependency is optional",
  () => {
    expect(manifest.dependencies).toBeUndefined();
    for (const peer of Object.keys(manifest.peerDependencies)) {
      expect(manifest.peerDependenciesMeta[peer]).toEqual({ optional: true });
    }
  },
);

verifies("package.exports", "servers receive the version of the package", () => {
  expect(VERSION).toBe(manifest.version);
  expect(manifest.engines).toEqual({ node: ">=20.19" });
});
