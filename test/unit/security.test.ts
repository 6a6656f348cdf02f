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

/** Numbers stay with their claims, so a new claim takes a new number wherever it stands. */
const byNumber = ([a]: [string, string], [b]: [string, string]): number =>
  Number(a.replace(/\D+/, "")) - Number(b.replace(/\D+/, ""));

test("SECURITY.md and the table of promises have the same claims in the same words", () => {
  const promised = REQUIREMENTS.filter(({ id }) => id.startsWith("security.s")).map(
    ({ id, statement }): [string, string] => [id, statement],
  );
  const claimed = claims();
  expect(new Set(claimed.map(([id]) => id)).size).toBe(claimed.length);
  expect(claimed.toSorted(byNumber)).toEqual(promised.toSorted(byNumber));
});
