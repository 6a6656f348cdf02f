import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { REQUIREMENTS } from "../requirements/index.ts";

const SECURITY = path.resolve(import.meta.dirname, "../../SECURITY.md");

/** The numbered claims, each on its lines up to the next. */
function claims(): [id: string, statement: string][] {
  const text = readFileSync(SECURITY, "utf8");
  return [...text.matchAll(/^- \*\*(S\d+)\*\* ((?:.+\n?)+?)(?=^(?:- |\n|$))/gm)].map(
    ([, id = "", statement = ""]) => [
      `security.${id.toLowerCase()}`,
      statement.replaceAll(/\s+/g, " ").trim(),
    ],
  );
}

test("SECURITY.md claims what the table of promises has, in the same words, and nothing else", () => {
  const promised = REQUIREMENTS.filter(({ id }) => id.startsWith("security.")).map(({ id, statement }) => [
    id,
    statement,
  ]);
  expect(claims()).toEqual(promised);
  expect(promised.map(([id]) => id)).toEqual(promised.map((_, index) => `security.s${index + 1}`));
});
