/**
 * Compares the public names of every entry with the lists in docs/api; `--write` replaces the lists.
 *
 * A name that is added to an index.ts therefore shows up as a line in the review. See
 * docs/decisions/0017-public-names.md.
 */
import path from "node:path";
import { publicEntries } from "./public-entries.ts";
import { ROOT } from "../steps.ts";
import { listProblems, writeLists } from "./lists.ts";
import { publicNames } from "./names.ts";

const lists = path.join(ROOT, "docs/api");
const names = publicNames(publicEntries(ROOT));

if (process.argv.includes("--write")) writeLists(lists, names);
const problems = listProblems(lists, names);
for (const problem of problems) console.error(`docs/api/${problem}`);
if (problems.length > 0) {
  console.error("The public names differ from docs/api. If that is intended: npm run api -- --write");
  process.exitCode = 1;
}

for (const folder of new Set(Array.from(names.keys(), (entry) => entry.folder))) {
  const entries = [...names].filter(([entry]) => entry.folder === folder);
  const all = new Set(entries.flatMap(([, { kinds }]) => [...kinds.keys()]));
  console.log(`${folder}: ${all.size} public names in ${entries.length} entries`);
}
