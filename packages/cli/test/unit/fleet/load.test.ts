import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { importsOf } from "../../../../../test/layers/imports.ts";
import { readRepository } from "../../../../../test/layers/read.ts";
import { requireNode } from "../../../src/fleet/load.ts";
import { COMMAND, command } from "../../support/command.ts";
import { jsonLines } from "../../support/json-lines.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../../..");

verifies("fleet.cli.load", "a Node that is too old is named, with the one that is needed", () => {
  for (const version of ["22.15.0", "22.23.3", "24.0.0", "100.1.0"])
    expect(() => requireNode(version)).not.toThrow();
  for (const version of ["20.20.2", "22.14.9", "21.99.0", "9.0.0"]) {
    expect(() => requireNode(version)).toThrow(`a fleet needs Node 22.15 or later; this is ${version}`);
  }
});

verifies("fleet.cli.load", "only one file of the command imports the package, and only when it runs", () => {
  const { sources } = readRepository(ROOT);
  const imports = sources
    .filter(({ file }) => file.startsWith("packages/cli/src/"))
    .flatMap((source) => importsOf(source))
    .filter(({ specifier, kind }) => specifier.startsWith("@codexwright/orchestrator") && kind !== "type");
  expect(imports.map(({ file, kind }) => [file, kind])).toEqual([
    ["packages/cli/src/fleet/load.ts", "dynamic"],
    ["packages/cli/src/fleet/load.ts", "dynamic"],
  ]);
});

verifies("fleet.cli.load", "without the package, the command prints how to install it", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "codexwright-load-"));
  try {
    // An installation of the command with everything but this package.
    const installed = path.join(root, "node_modules");
    await mkdir(path.join(installed, "@codexwright"), { recursive: true });
    for (const name of await readdir(path.join(ROOT, "node_modules"))) {
      if (name.startsWith(".") || name === "@codexwright") continue;
      await symlink(path.join(ROOT, "node_modules", name), path.join(installed, name));
    }
    for (const name of ["engine", "gateway", "testing"]) {
      await symlink(path.join(ROOT, "packages", name), path.join(installed, "@codexwright", name));
    }
    const program = path.join(root, "dist/codexwright.js");
    await cp(path.dirname(COMMAND), path.dirname(program), { recursive: true });
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    const isOld = major < 22 || (major === 22 && minor < 15);
    const advice = isOld ? "https://nodejs.org" : "npm install --global @codexwright/orchestrator";
    for (const name of ["status", "up"]) {
      const { exitCode, stdout } = await command(["fleet", name, "--json"], { program, cwd: root });
      const [line] = await jsonLines(stdout);
      expect([exitCode, line?.["code"]]).toEqual([1, isOld ? "unsupported_node" : "missing_dependency"]);
      expect(JSON.stringify(line?.["advice"])).toContain(advice);
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
