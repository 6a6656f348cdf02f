import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { importsOf } from "../../../../test/layers/imports.ts";
import { verifies } from "@codexwright/test-support/verifies";
import { VERSION } from "../../src/version.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };

verifies("cli.layers", "declaring the commands loads only the parser", () => {
  const commands = path.join(ROOT, "src/commands");
  const imports = readdirSync(commands).flatMap((file) =>
    importsOf({ file, text: readFileSync(path.join(commands, file), "utf8") }),
  );
  // Implementations are loaded by import(), which the help never calls.
  const loaded = imports.filter(({ kind }) => kind === "value").map(({ specifier }) => specifier);
  const others = loaded.filter((specifier) => !specifier.startsWith("./"));
  expect(new Set(others)).toEqual(new Set(["../shared/options.ts", "commander"]));
});

verifies("cli.help", "the version is that of the package", () => {
  expect(VERSION).toBe(version);
});
