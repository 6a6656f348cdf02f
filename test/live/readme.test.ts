import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { play } from "@codexwright/test-support/play";
import { verifies } from "@codexwright/test-support/verifies";

const ROOT = path.resolve(import.meta.dirname, "../..");

verifies(
  ["docs.readme", "stdio.find"],
  "the README's example is a compiled program, and prints on the real server what the README shows",
  async () => {
    const example = readFileSync(path.join(ROOT, "examples/quickstart.ts"), "utf8");
    expect(readFileSync(path.join(ROOT, "README.md"), "utf8")).toContain(`\`\`\`ts\n${example}\`\`\``);
    const { stdout } = await play("quickstart");
    expect(stdout).toContain("1 test failed\n");
    expect(stdout).toContain("The test was wrong.\n330 tokens\n");
    expect(stdout).toContain("+fixed\n");
  },
  { against: "pinned" },
);
