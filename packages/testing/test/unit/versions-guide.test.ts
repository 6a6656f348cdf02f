import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { scenarios } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";

const GUIDE = path.join(import.meta.dirname, "../../../../docs/guide/versions.md");

/** Names of scenarios in code spans: `area.what`. */
const SCENARIO = /`((?:[a-z]+-)*[a-z]+\.[a-z-]+)`/g;

/** How the guide writes a version: 0.142.1, and 0.120 for 0.120.0. */
const short = (version: string): string => version.replace(/\.0$/, "");

verifies(
  "versions.guide",
  "each row of the guide's tables names scenarios, with their version bounds",
  async () => {
    const guide = await readFile(GUIDE, "utf8");
    const rows = guide
      .slice(guide.indexOf("## Know what differs"))
      .split("\n")
      .filter((line) => /^\|.*`/.test(line));
    expect(rows.length).toBeGreaterThan(35);
    const wrong: string[] = [];
    for (const row of rows) {
      const shownBy = row.split("|").at(-2) ?? "";
      const names = [...shownBy.matchAll(SCENARIO)].map(([, name]) => name);
      if (names.length === 0) wrong.push(`no scenario: ${row}`);
      const versions: readonly string[] = row.match(/\b0\.\d+(\.\d+)?\b/g) ?? [];
      for (const name of names) {
        const scenario = scenarios.find(({ id }) => id === name);
        if (!scenario) wrong.push(`not a scenario: ${name}`);
        const { since, until } = scenario?.needs ?? {};
        for (const bound of [since, until]) {
          if (bound !== undefined && !versions.includes(short(bound)))
            wrong.push(`${name} has ${bound}: ${row}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  },
);

verifies("versions.guide", "the guide names every scenario of older behaviour", async () => {
  const guide = await readFile(GUIDE, "utf8");
  const missing = scenarios.filter(
    ({ id, needs }) => needs?.until !== undefined && !guide.includes(`\`${id}\``),
  );
  expect(missing.map(({ id }) => id)).toEqual([]);
});
