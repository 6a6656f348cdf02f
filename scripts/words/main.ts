/**
 * `npm run words [-- path …]`: finds phrases that are hard to read, in comments, messages, test titles and pages. The
 * rules are in rules.ts; CONTRIBUTING.md shows how to write the sentence in another way.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../steps.ts";
import { violationsIn } from "./rules.ts";
import { proseOfCode, proseOfMarkdown } from "./texts.ts";

/** Generated files, texts that are compared with the real server, and this check's own rules. */
const EXEMPT =
  /\.gen\.ts$|\/endpoint\/params\/|^docs\/(?:benchmarks|benchmarks\/tables|reliability|compatibility)\.md$|^docs\/api\/|^scripts\/words\/|LICENSE/;

const given = process.argv.slice(2).map((each) => path.relative(ROOT, path.resolve(each)));
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--", ...given], {
  cwd: ROOT,
  encoding: "utf8",
})
  .split("\n")
  .filter((name) => /\.(?:ts|tsx|mjs|md)$/.test(name) && !EXEMPT.test(name));

let count = 0;
for (const name of files) {
  const text = readFileSync(path.join(ROOT, name), "utf8");
  const prose = name.endsWith(".md")
    ? proseOfMarkdown(text)
    : proseOfCode(text, { test: /(?:^|\/)test\//.test(name) });
  for (const piece of prose) {
    for (const { sentence, instead } of violationsIn(piece.text)) {
      count += 1;
      console.log(`${name}:${piece.line}: ${instead}\n    ${sentence}`);
    }
  }
}
console.log(`${files.length} files read, ${count} sentences to rewrite`);
if (count > 0) process.exitCode = 1;
