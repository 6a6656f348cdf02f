import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { checkId, ELSEWHERE, REQUIREMENTS } from "@codexwright/test-support/requirements/index";

const ROOT = path.resolve(import.meta.dirname, "../..");
const IDS = REQUIREMENTS.map(({ id }) => id);

/** The text of every test file of the workspace, except this one. */
function testTexts(): string[] {
  const folders = [
    "test",
    ...readdirSync(path.join(ROOT, "packages")).map((name) => `packages/${name}/test`),
  ].filter((folder) => existsSync(path.join(ROOT, folder)));
  return folders
    .flatMap((folder) =>
      readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .map((file) => path.join(ROOT, folder, file)),
    )
    .filter((file) => file !== import.meta.filename)
    .map((file) => readFileSync(file, "utf8"));
}

describe("the specification", () => {
  test("has each id once", () => {
    const ids = [...IDS, ...ELSEWHERE.map(({ id }) => id)];
    expect(ids).toEqual([...new Set(ids)]);
  });

  test("has the numbers R1 to R116 of the agent layer without a gap", () => {
    const numbers = [...REQUIREMENTS, ...ELSEWHERE].flatMap(
      ({ id }) => /^agent\.(R\d+)$/.exec(id)?.[1] ?? [],
    );
    const all = Array.from({ length: 116 }, (_, index) => `R${index + 1}`);
    expect(numbers.toSorted()).toEqual(all.toSorted());
  });

  test("has a test for every requirement", () => {
    const quoted = testTexts().flatMap((text) => text.match(/(?<=")[\w.-]+(?=")/g) ?? []);
    const named = new Set(quoted);
    expect(IDS.filter((id) => !named.has(id))).toEqual([]);
  });

  test("has every requirement that a test names", () => {
    const calls = testTexts().flatMap((text) => [...text.matchAll(/\bverifies\(\s*("[^"]*"|\[[^\]]*\])/g)]);
    const named = calls.flatMap(([, ids = ""]) => [...ids.matchAll(/"([^"]*)"/g)].map(([, id = ""]) => id));
    expect(named.length).toBeGreaterThan(IDS.length / 2);
    expect(named.filter((id) => !IDS.includes(id))).toEqual([]);
  });

  test("rejects an unknown id", () => {
    expect(() => checkId("no.such.id")).toThrow('docs/spec has no requirement "no.such.id"');
  });

  test("has the claims of SECURITY.md", () => {
    const claims = IDS.filter((id) => id.startsWith("security.s"));
    expect(claims.length).toBeGreaterThan(50);
    const numbers = claims.map((id) => Number(id.slice("security.s".length))).toSorted((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  test("has short pages, and its README lists all of them", () => {
    const folder = path.join(ROOT, "docs/spec");
    const textOf = (page: string): string => readFileSync(path.join(folder, page), "utf8");
    const pages = readdirSync(folder);
    expect(pages.filter((page) => textOf(page).split("\n").length > 150)).toEqual([]);
    const contents = textOf("README.md");
    expect(pages.filter((page) => !contents.includes(`(${page})`))).toEqual(["README.md"]);
  });
});
