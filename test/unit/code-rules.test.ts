import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { breaking, CODE_RULES } from "../layers/code.ts";
import { readRepository } from "../layers/read.ts";

const { sources } = readRepository(path.resolve(import.meta.dirname, "../.."));

/** Lines that break each rule, with a file that the rule applies to. */
const PLANTED: Readonly<Record<keyof typeof CODE_RULES, readonly (readonly [file: string, line: string])[]>> =
  {
    reach: [
      ["packages/codexwright/src/client/turn/a.ts", 'await fetch("https://example.com");'],
      ["packages/codexwright/src/schema/a.ts", 'import { connect } from "node:net";'],
      ["packages/codexwright/src/tools/a.ts", 'const net = require("net");'],
      ["packages/engine/src/core/turn/a.ts", 'import { readFile } from "node:fs/promises";'],
    ],
    dynamic: [["packages/codexwright/src/agent/a.ts", "await import(name);"]],
    evaluation: [
      ["packages/codexwright/src/system/a.ts", 'import { exec } from "node:child_process";'],
      ["packages/codexwright/src/system/a.ts", 'execSync("ls");'],
      ["packages/gateway/src/a.ts", 'spawn("ls", { shell: true });'],
      ["packages/testing/src/a.ts", "eval(text);"],
      ["packages/codexwright/src/workspace/a.ts", "new Function(text)();"],
    ],
    comparison: [
      ["packages/codexwright/src/server/a.ts", "return token === expected;"],
      ["packages/codexwright/src/server/a.ts", 'if (sha256(token) !== "ab") return;'],
      ["packages/codexwright/src/server/a.ts", "return sha256(token).equals(expected);"],
      ["packages/gateway/src/a.ts", "return Buffer.compare(given, digest) === 0;"],
    ],
    terminal: [
      ["packages/cli/src/run/a.ts", "process.stdout.write(text);"],
      ["packages/cli/src/run/a.ts", "print(process.stderr);"],
      ["packages/cli/src/run/a.ts", "console.log(text);"],
      ["packages/gateway/src/a.ts", "console.warn(text);"],
    ],
    prompt: [["packages/cli/src/run/a.ts", 'import { text } from "@clack/prompts";']],
  };

const IDS = {
  reach: "security.s9",
  dynamic: "security.s9",
  evaluation: "security.s9",
  comparison: "security.s33",
  terminal: "security.s18",
  prompt: "security.s18",
} as const satisfies Record<keyof typeof CODE_RULES, string>;

for (const name of Object.keys(CODE_RULES) as (keyof typeof CODE_RULES)[]) {
  const rule = CODE_RULES[name];
  verifies(IDS[name], `no file ${rule.is}, except the allowed ones`, () => {
    for (const start of rule.in) expect(sources.some(({ file }) => file.startsWith(start))).toBe(true);
    expect(breaking(sources, rule)).toEqual([]);
    // Every exception must be needed: a file that no longer needs it must not keep it.
    for (const file of rule.except)
      expect(breaking(sources, { ...rule, except: [], in: [file] })).toHaveLength(1);
    for (const [file, text] of PLANTED[name]) expect(breaking([{ file, text }], rule)).toHaveLength(1);
  });
}
