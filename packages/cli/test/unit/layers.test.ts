import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { VERSION } from "../../src/version.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const ENTRIES = [
  "",
  "/protocol",
  "/rpc",
  "/stdio",
  "/websocket",
  "/unix",
  "/server",
  "/workspace",
  "/recording",
].map((entry) => `codexwright${entry}`);
const { dependencies, version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  dependencies: Record<string, string>;
  version: string;
};

function imports(): { readonly file: string; readonly specifier: string }[] {
  const src = path.join(ROOT, "src");
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => {
      const text = readFileSync(path.join(src, file), "utf8");
      const found = text.matchAll(/(?:\bfrom\s+|^import\s+|\bimport\(\s*)"([^"\n]+)"/gm);
      return [...found].map(([, specifier = ""]) => ({ file, specifier }));
    });
}

verifies("cli.layers", "the command imports its own files, Node, its dependencies and public entries", () => {
  const wrong = imports().filter(
    ({ specifier }) =>
      !specifier.startsWith("node:") &&
      !ENTRIES.includes(specifier) &&
      !(specifier in dependencies && specifier !== "codexwright") &&
      !(specifier.startsWith(".") && !/(^|\/)packages\/|codexwright\//.test(specifier)),
  );
  expect(wrong).toEqual([]);
});

verifies("cli.layers", "no file reaches out of the package", () => {
  const wrong = imports().filter(({ file, specifier }) => {
    if (!specifier.startsWith(".")) return false;
    return !path.join("src", path.dirname(file), specifier).startsWith("src/");
  });
  expect(wrong).toEqual([]);
});

verifies("cli.layers", "what registers a command loads nothing but the parser", () => {
  const heavy = imports().filter(
    ({ file, specifier }) =>
      file.startsWith("commands/") &&
      !specifier.startsWith("./") &&
      !["commander", "../shared/options.ts"].includes(specifier),
  );
  // Implementations come by import(), which the help never calls.
  const statics = heavy.filter(({ file, specifier }) => {
    const text = readFileSync(path.join(ROOT, "src", file), "utf8");
    return !text.includes(`import("${specifier}")`);
  });
  expect(statics).toEqual([]);
});

verifies("cli.help", "the version is the package's", () => {
  expect(VERSION).toBe(version);
});
