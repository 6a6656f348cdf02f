/**
 * Writes the API reference from the doc comments into build/reference, which is not in git.
 *
 * Fails if typedoc reports a warning, for example a link to a name that is not exported.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { publicEntries } from "./public-entries.ts";
import { ROOT } from "./steps.ts";

const OUT = "build/reference";
/** `codexwright` has every name of these two. */
const COVERED = ["codexwright/client", "codexwright/protocol"];

const documented = publicEntries(ROOT).filter(({ specifier }) => !COVERED.includes(specifier));
let failed = false;
for (const folder of new Set(documented.map((entry) => entry.folder))) {
  const entries = documented.filter((entry) => entry.folder === folder);
  const options = {
    "--tsconfig": path.join(ROOT, "packages", folder, "tsconfig.json"),
    "--name": entries[0]?.specifier ?? folder,
    "--out": path.join(ROOT, OUT, folder),
  };
  const args = [
    path.join(ROOT, "node_modules/typedoc/bin/typedoc"),
    ...Object.entries(options).flat(),
    ...entries.flatMap(({ source }) => ["--entryPoints", source]),
  ];
  failed = spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" }).status !== 0 || failed;
}
if (failed) process.exitCode = 1;
else console.log(`The reference is in ${OUT}.`);
