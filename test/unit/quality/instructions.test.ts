import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect } from "vitest";
import { INSTRUCTIONS_VERSION } from "@codexwright/engine/internal";
import { verifies } from "@codexwright/test-support/verifies";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const TEXTS = path.join(ROOT, "packages/engine/src/core/instructions");
const RECORD = path.join(ROOT, "test/instructions/versions.json");

/** The texts of a source file, in their order. Comments and names do not count. */
function textsIn(source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      texts.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("texts.ts", source, ts.ScriptTarget.Latest, true));
  return texts;
}

function digestOf(texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex");
}

verifies("quality.instructions", "a text for models changes only with the version", () => {
  const files = readdirSync(TEXTS)
    .filter((name) => name.endsWith(".ts"))
    .toSorted();
  expect(files.length).toBeGreaterThan(3);
  const texts = files.flatMap((name) => textsIn(readFileSync(path.join(TEXTS, name), "utf8")));
  const digest = digestOf(texts);
  const record = JSON.parse(readFileSync(RECORD, "utf8")) as Readonly<Record<string, string>>;
  const known = record[INSTRUCTIONS_VERSION];
  const next = known === undefined ? INSTRUCTIONS_VERSION : INSTRUCTIONS_VERSION + 1;
  const help = `the texts in packages/engine/src/core/instructions have changed: set INSTRUCTIONS_VERSION to ${next}, and add "${next}": "${digest}" to test/instructions/versions.json`;
  expect(known === digest ? undefined : help).toBeUndefined();
  expect(Object.keys(record).map(Number)).toEqual(
    Object.keys(record).map((_, at) => INSTRUCTIONS_VERSION - Object.keys(record).length + 1 + at),
  );
  expect(new Set(Object.values(record)).size).toBe(Object.keys(record).length);
});

verifies("quality.instructions", "sees every text, and nothing but texts", () => {
  const source = 'export const A = "one"; // a comment\nconst b = (n: number) => `two ${n} three ${n} four`;';
  expect(textsIn(source)).toEqual(["one", "two ", " three ", " four"]);
  expect(textsIn(source.replace("a comment", "another").replace("const b", "const  c"))).toEqual(
    textsIn(source),
  );
  for (const part of ["one", "two", "three", "four"]) {
    expect(digestOf(textsIn(source.replace(part, "x")))).not.toBe(digestOf(textsIn(source)));
  }
});
