import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Characters that must never be printed unchanged: directions, invisible and interlinear characters,
 * separators, tags, selectors, 7-bit and 8-bit controls, a title, hidden text, and a colour that the command
 * itself never uses.
 */
export const HOSTILE =
  "\u200F\u200E\u061C\u202E\u2066\u2069\u00AD\u200B\u200D\u2060\u2062\uFEFF\u180E\u034F\u115F\u3164\uFFA0\u2028\u2029\uFFF9\uFFFB" +
  "\u{E0001}\u{E0041}\u{E0100}\uFE01\u{1D173}\u0085\u009B31m\u0007\u0008\u001B[8m\u001B]0;t\u0007\u001B[35mx\u001B";

/**
 * Returns the first character that must not reach a terminal. Uses Unicode's general categories, not the
 * command's own list.
 */
export function hiddenIn(text: string): string | undefined {
  for (const char of text) {
    const isHidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}/u.test(char);
    if (isHidden && char !== "\n" && char !== "\t") return `U+${char.codePointAt(0)?.toString(16)}`;
  }
  return undefined;
}

/** Members that a client compares, or whose values come from a fixed set. */
const STRUCTURE = [
  "id",
  "method",
  "type",
  "status",
  "kind",
  "threadId",
  "turnId",
  "itemId",
  "reviewThreadId",
  "loginId",
  "userAgent",
  "nextCursor",
  "codexHome",
  "phase",
];

/** Writes an executable that runs a Codex and puts hostile characters into every text that it sends. */
export function taintedCodex(folder: string, codex: string): string {
  const file = path.join(folder, "tainted-codex.mjs");
  writeFileSync(
    file,
    `#!${process.execPath}
import { spawn } from "node:child_process";
const hostile = ${JSON.stringify(HOSTILE)};
const structure = new Set(${JSON.stringify(STRUCTURE)});
const tainted = (value, key) => {
  if (typeof value === "string") return structure.has(key) ? value : hostile + value + hostile;
  if (Array.isArray(value)) return value.map((each) => tainted(each, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tainted(each, name)]));
};
const child = spawn(${JSON.stringify(codex)}, process.argv.slice(2), { stdio: ["pipe", "pipe", "ignore"] });
process.stdin.pipe(child.stdin);
let rest = "";
// Do not use readline here: on some runtimes, it ends a line at U+2028.
child.stdout.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  for (const line of lines) process.stdout.write(JSON.stringify(tainted(JSON.parse(line), "")) + "\\n");
});
child.on("exit", () => process.exit());
`,
  );
  chmodSync(file, 0o755);
  return file;
}
