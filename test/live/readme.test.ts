import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { applyPatch, exec, realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";

const ROOT = path.resolve(import.meta.dirname, "../..");

verifies(
  ["docs.readme", "stdio.find"],
  "the README's example is the compiled one, and prints what the README shows on the real server",
  async () => {
    const example = readFileSync(path.join(ROOT, "examples/quickstart.ts"), "utf8");
    expect(readFileSync(path.join(ROOT, "README.md"), "utf8")).toContain(`\`\`\`ts\n${example}\`\`\``);
    await using model = await scriptedModel([
      exec("echo 1 test failed"),
      applyPatch("*** Begin Patch\n*** Add File: fixed.txt\n+fixed\n*** End Patch"),
      reply("The test was wrong.", { deltas: 4 }),
    ]);
    await using server = await realAppServer({ model });
    const { cwd, env } = server.clientOptions;
    // The example has no options: everything comes from its environment, as for a user.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [path.join(ROOT, "build/examples/quickstart.js")],
      { cwd, env: { ...process.env, ...env } },
    );
    expect(stdout).toContain("1 test failed\n");
    expect(stdout).toContain("The test was wrong.\n330 tokens\n");
    expect(stdout).toContain("+fixed\n");
  },
  { against: "pinned" },
);
