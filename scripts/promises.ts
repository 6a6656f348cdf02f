/** Prints which promise was verified on which server and runtime, from the records of the last test runs. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./steps.ts";

interface Verified {
  readonly id: string;
  readonly against: string;
  readonly runtime: string;
}

const folder = path.join(ROOT, "test-results/promises");
const records = existsSync(folder)
  ? readdirSync(folder).flatMap((file) =>
      readFileSync(path.join(folder, file), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Verified),
    )
  : [];

if (records.length === 0) {
  console.error("No test run is on record: run `npm test` first.");
  process.exit(1);
}

const columns = [...new Set(records.map(columnOf))].toSorted();
const seen = new Set(records.map((record) => `${record.id} ${columnOf(record)}`));
const promises = requirements();

console.log(`| promise | ${columns.join(" | ")} |`);
console.log(`|---|${columns.map(() => "---|").join("")}`);
for (const { id, statement } of promises) {
  const cells = columns.map((column) => (seen.has(`${id} ${column}`) ? "yes" : ""));
  console.log(`| **${id}** ${statement} | ${cells.join(" | ")} |`);
}

function columnOf({ against, runtime }: Verified): string {
  return against === "none" ? runtime : `${against}, ${runtime}`;
}

/** Read as text: the table of promises belongs to the tests, which are not compiled. */
function requirements(): { id: string; statement: string }[] {
  const text = readFileSync(path.join(ROOT, "test/requirements.ts"), "utf8");
  const entries = text.matchAll(/id: "([^"]+)",\s*source: "[^"]*",\s*statement:\s*"([^"]+)"/g);
  return [...entries].map(([, id = "", statement = ""]) => ({ id, statement }));
}
