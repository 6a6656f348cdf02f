import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { command } from "../support/command.ts";
import { PINNED } from "../support/real-world.ts";

const PAGE = path.resolve(import.meta.dirname, "../../../../docs/cli/index.md");

/** Without what differs from run to run. */
function steady(text: string): string {
  return text.replace(/in [\d.]+ s$/m, "in … s").replace(/^thread .*$/m, "thread …");
}

verifies(
  ["cli.run.demo", "cli.run.text"],
  "the session of the documentation is what the command prints",
  async () => {
    const [, session = ""] =
      /<!-- session -->\n\n```\n\$ codexwright run --demo\n([^]*?)```/.exec(readFileSync(PAGE, "utf8")) ?? [];
    const { stdout, stderr } = await command(["run", "--demo"]);
    expect(session).toContain(stdout);
    // A terminal shows both, a pipe the answer alone.
    const [, rest = ""] = /^A scripted model .*\n([^]*)$/.exec(stderr) ?? [];
    expect(steady(rest)).toBe(steady(session.replace(`${stdout}\n`, "")));
  },
  PINNED,
);
