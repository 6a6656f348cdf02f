import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";

const PACKAGES = path.join(import.meta.dirname, "../../../..");

/** The declaration files of a package's entries. */
function entries(name: string): string[] {
  const root = path.join(PACKAGES, name);
  const text = readFileSync(path.join(root, "package.json"), "utf8");
  const { exports } = JSON.parse(text) as { exports: Record<string, { types?: string } | string> };
  return Object.values(exports).flatMap((entry) =>
    typeof entry === "object" && entry.types !== undefined ? [path.join(root, entry.types)] : [],
  );
}

/** Returns the declarations of these files and of all their imports, without comments. */
function declarations(files: readonly string[]): string[] {
  const seen = new Set<string>();
  const found: string[] = [];
  const read = (file: string): void => {
    if (seen.has(file) || file.endsWith(".gen.d.ts")) return;
    seen.add(file);
    const text = readFileSync(file, "utf8").replaceAll(/\/\*.*?\*\//gs, "");
    // All lines of a declaration are indented, except the first and the last.
    found.push(...text.split(/\n(?=[^\s}])/));
    for (const [, from = ""] of text.matchAll(/(?:from |import\()"(\.[^"]+)\.[jt]s"/g))
      read(path.resolve(path.dirname(file), `${from}.d.ts`));
  };
  for (const file of files) read(file);
  return found;
}

/** Parts of a run that no entry exports. */
const INTERNAL = new Set(["Connections", "Stop"]);

function isDisposable(declaration: string): boolean {
  return /\[Symbol\.(?:asyncDispose|dispose)\]|\b(?:Async)?Disposable\b/.test(declaration);
}

function isClosable(declaration: string): boolean {
  return /\bclose\??[(:]/.test(declaration);
}

function nameOf(declaration: string): string {
  return /\b(?:class|interface|type|function|const) (\w+)/.exec(declaration)?.[1] ?? declaration;
}

verifies("api.close", "every public disposable object has close()", () => {
  const disposable = declarations(["codexwright", "engine", "testing", "gateway"].flatMap(entries)).filter(
    isDisposable,
  );
  expect(
    disposable
      .filter((each) => !isClosable(each))
      .map(nameOf)
      .filter((name) => !INTERNAL.has(name)),
  ).toEqual([]);
  const names = disposable.map(nameOf);
  // Checks that the search covers these.
  for (const name of [
    "CodexClient",
    "Turn",
    "Run",
    "CodexAgent",
    "Workspace",
    "FakeAppServer",
    "Unsubscribe",
  ])
    expect(names).toContain(name);
  // Checks that the search detects a missing close().
  const bad =
    "export declare class X implements AsyncDisposable {\n    [Symbol.asyncDispose](): Promise<void>;\n}";
  expect(isDisposable(bad) && !isClosable(bad)).toBe(true);
});
