import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { AGENT_ELSEWHERE } from "../requirements/agent-run.ts";
import { REQUIREMENTS } from "../requirements/index.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Every test file of the workspace. */
function testFiles(): string[] {
  const folders = [
    "test",
    ...readdirSync(path.join(ROOT, "packages")).map((name) => `packages/${name}/test`),
  ];
  return folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.test(-d)?\.ts$/.test(file))
      .map((file) => path.join(ROOT, folder, file)),
  );
}

describe("the table of promises", () => {
  test("has each id once", () => {
    const ids = REQUIREMENTS.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  test("has every requirement of spec 000, or says where it is", () => {
    const own = REQUIREMENTS.flatMap(({ id }) => /^agent\.(R\d+)$/.exec(id)?.[1] ?? []);
    const all = Array.from({ length: 116 }, (_, index) => `R${index + 1}`);
    expect([...own, ...Object.keys(AGENT_ELSEWHERE)].toSorted()).toEqual(all.toSorted());
  });

  test("has a test for every promise", () => {
    const own = path.join(ROOT, "test/unit/requirements.test.ts");
    const text = testFiles()
      .filter((file) => file !== own)
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    const unverified = REQUIREMENTS.map(({ id }) => id).filter((id) => !text.includes(`"${id}"`));
    expect(unverified).toEqual([]);
  });
});
