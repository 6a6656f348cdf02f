// Converts gitleaks' rules for secrets to JavaScript.
//
//   node build/scripts/generate-secret-rules.js <gitleaks.toml> <commit>
//
// The configuration is `config/gitleaks.toml` of the repository gitleaks/gitleaks at that commit.

import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { emitRules } from "./gitleaks/emit.ts";
import { readRules } from "./gitleaks/toml.ts";

// The compiled file is two folders below the root.
const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const OUTPUT = join("packages", "codexwright", "src", "redact", "rules", "gitleaks-rules.gen.ts");

const [file, commit] = process.argv.slice(2);
if (file === undefined || commit === undefined) {
  console.error("usage: generate-secret-rules <gitleaks.toml> <commit>");
  process.exitCode = 2;
} else {
  const rules = readRules(await readFile(file, "utf8"));
  await writeFile(join(REPOSITORY, OUTPUT), emitRules(rules, commit));
  console.log(`${OUTPUT}: ${rules.length} rules`);
}
