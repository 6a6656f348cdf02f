import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { command } from "../support/command.ts";
import { PINNED } from "../support/real-world.ts";

const PAGE = path.resolve(import.meta.dirname, "../../../../docs/cli/index.md");

/** Removes what differs from run to run. */
function steady(text: string): string {
  return text.replace(/in [\d.]+ s$/m, "in … s").replace(/^thread .*$/m, "thread …");
}

verifies(
  ["cli.run.demo", "cli.run.text"],
  "the session in the documentation is what the command prints",
  async () => {
    const [, session = ""] =
      /<!-- session -->\n\n```\n\$ codexwright run --demo\n([^]*?)```/.exec(readFileSync(PAGE, "utf8")) ?? [];
    const { stdout, stderr } = await command(["run", "--demo"]);
    expect(session).toContain(stdout);
    // A terminal shows both streams, a pipe only the answer.
    const [, rest = ""] = /^A scripted model .*\n([^]*)$/.exec(stderr) ?? [];
    expect(steady(rest)).toBe(steady(session.replace(`${stdout}\n`, "")));
  },
  PINNED,
);
