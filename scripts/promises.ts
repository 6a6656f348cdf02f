/**
 * Prints which promise was verified on which server and runtime, from the records of the last test runs;
 * `--write` puts the table into docs/compatibility.md, and that of spec 000's requirements into docs/agent-requirements.md.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { AGENT_ELSEWHERE } from "../test/requirements/agent-run.ts";
import { REQUIREMENTS } from "../test/requirements/index.ts";
import { cellOf, passed, unshown, type PromiseRecord } from "./promise-records.ts";
import { ROOT } from "./steps.ts";

const folder = path.join(ROOT, "test-results/promises");
const records = existsSync(folder) ? readdirSync(folder).flatMap(readRecords) : [];

if (records.length === 0) {
  console.error("No test run is on record: run `npm test` first.");
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
  const rows = REQUIREMENTS.map(({ id, statement }) => {
    const cells = servers.map((server) => cellOf(records, { id, against: server }, runtimes));
    return `| **${id}** ${statement} | ${cells.join(" | ")} |`;
  });
  return `# What was verified where

Generated from a run of the suite by \`npm run promises -- --write\`: each promise of \`test/requirements\`, by the server
its tests ran against ("none" is our code alone, "fake" our fake server) and the runtimes on which they passed, or why they were skipped. "all" is ${runtimes.join(", ")}.

| promise | ${servers.join(" | ")} |
| --- | ${servers.map(() => "---").join(" | ")} |
${rows.join("\n")}
`;
}

/** The requirements of spec 000, by their numbers, and the tests that show them. */
function agentPage(): string {
  const byNumber = (a: string, b: string): number => Number(a.slice(1)) - Number(b.slice(1));
  const own = REQUIREMENTS.filter(({ id }) => /^agent\.R\d+$/.test(id));
  const statements = new Map<string, string>(own.map(({ id, statement }) => [id.slice(6), statement]));
  const numbers = [...statements.keys(), ...Object.keys(AGENT_ELSEWHERE)].toSorted(byNumber);
  const rows = numbers.map((number) => {
    const elsewhere = AGENT_ELSEWHERE[number];
    if (elsewhere !== undefined) return `| ${number} | _${elsewhere}_ | |`;
    const shown = passed(records).filter(({ id }) => id === `agent.${number}`);
    const titles = [...new Set(shown.map(({ title, against }) => `${title} (${against})`))].toSorted();
    return `| ${number} | ${statements.get(number)} | ${titles.join("<br>")} |`;
  });
  return `# The requirements of the agent layer

Generated from a run of the suite by \`npm run promises -- --write\`: each requirement of spec 000, how it reads here, and the tests that
show it, by the server they ran against ("none" is our code alone, "fake" our fake server). Deviations are in [decision 10](decisions/0010-agent-layer.md).

| | requirement | shown by |
| --- | --- | --- |
${rows.join("\n")}
`;
}

/** Ours first, then the real ones by age. */
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
