/**
 * Prints which promise was verified on which server and runtime, from the records of the last test runs.
 * `--write` writes the table into docs/compatibility.md, and the table of the agent layer's numbered
 * requirements into docs/agent-requirements.md.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readSpec } from "../packages/test-support/src/requirements/read-spec.ts";
import { cellOf, passed, unshown, type PromiseRecord } from "./promise-records.ts";
import { ROOT } from "./steps.ts";

const { requirements, elsewhere } = readSpec(ROOT);
const folder = path.join(ROOT, "test-results/promises");
const records = existsSync(folder) ? readdirSync(folder).flatMap(readRecords) : [];

if (records.length === 0) {
  console.error("There are no records of a test run: run `npm test` first.");
  process.exitCode = 1;
} else if (process.argv.includes("--write")) {
  writeFileSync(path.join(ROOT, "docs/compatibility.md"), page());
  writeFileSync(path.join(ROOT, "docs/agent-requirements.md"), agentPage());
} else {
  console.log(page());
}
for (const promise of unshown(records)) console.error(`Not verified: ${promise}`);

function page(): string {
  const runtimes = [...new Set(records.map(({ runtime }) => runtime))].toSorted();
  const servers = [...new Set(records.map(({ against }) => against))].toSorted(byVersion);
  const rows = requirements.map(({ id, statement }) => {
    const cells = servers.map((server) => cellOf(records, { id, against: server }, runtimes));
    return `| **${id}** ${statement} | ${cells.join(" | ")} |`;
  });
  return `# Requirements and where they were verified

Generated from a run of the suite by \`npm run promises -- --write\`: each requirement of [the specification](spec/README.md), by the server
its tests ran against ("none" is our code alone, "fake" our fake server) and the runtimes on which they passed, or why they were skipped. "all" is ${runtimes.join(", ")}.

| promise | ${servers.join(" | ")} |
| --- | ${servers.map(() => "---").join(" | ")} |
${rows.join("\n")}
`;
}

/** The page of the agent layer's numbered requirements, with the tests that show them. */
function agentPage(): string {
  const numbered = [...requirements, ...elsewhere].flatMap(({ id, statement }) => {
    const number = /^agent\.R(\d+)$/.exec(id)?.[1];
    return number === undefined ? [] : [{ id, statement, number: Number(number) }];
  });
  const rows = numbered
    .toSorted((a, b) => a.number - b.number)
    .map(({ id, statement, number }) => {
      if (elsewhere.some((each) => each.id === id)) return `| R${number} | _${statement}_ | |`;
      const shown = passed(records).filter((record) => record.id === id);
      const titles = [...new Set(shown.map(({ title, against }) => `${title} (${against})`))].toSorted();
      return `| R${number} | ${statement} | ${titles.join("<br>")} |`;
    });
  return `# The requirements of the agent layer

Generated from a run of the suite by \`npm run promises -- --write\`: each numbered requirement of the agent layer
([agent](spec/agent.md), [agent-run](spec/agent-run.md)) and the tests that show it, by the server they ran against ("none" is our code alone,
"fake" our fake server). [Decision 10](decisions/0010-agent-layer.md) explains the choices behind them.

| | requirement | shown by |
| --- | --- | --- |
${rows.join("\n")}
`;
}

/** Sorts our own servers first, then real versions by age. */
function byVersion(a: string, b: string): number {
  const rank = (server: string): number =>
    ["none", "fake"].includes(server)
      ? ["none", "fake"].indexOf(server)
      : 10 + Number(/0\.(\d+)/.exec(server)?.[1] ?? 0);
  return rank(a) - rank(b);
}

function readRecords(file: string): PromiseRecord[] {
  return readFileSync(path.join(folder, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as PromiseRecord);
}
