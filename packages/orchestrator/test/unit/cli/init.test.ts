import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { verifies } from "@codexwright/test-support/verifies";
import { expect } from "vitest";
import { command } from "../../../../cli/test/support/command.ts";
import { jsonLines } from "../../../../cli/test/support/json-lines.ts";

verifies(["fleet.cli.init", "fleet.cli.json"], "init makes the files of a fleet once", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "codexwright-init-"));
  try {
    const first = await command(["fleet", "init", "team"], { cwd: folder });
    expect(first.stdout).toBe(
      "created  WORKFLOW.md\ncreated  issues/EXAMPLE-1.md\ncreated  .fleet/.gitignore\n",
    );
    expect(await readFile(path.join(folder, "team/.fleet/.gitignore"), "utf8")).toBe("*\n");
    const { stdout } = await command(["fleet", "init", "team", "--json"], { cwd: folder });
    expect(await jsonLines(stdout)).toMatchObject([{ type: "init", created: [], kept: { length: 3 } }]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

verifies(
  ["fleet.cli.init", "security.s121"],
  "init changes no file that exists, and writes to no link",
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "codexwright-init-"));
    try {
      const target = path.join(folder, "target");
      await writeFile(target, "mine");
      await writeFile(path.join(folder, "WORKFLOW.md"), "my workflow");
      await mkdir(path.join(folder, "issues"));
      await symlink(target, path.join(folder, "issues/EXAMPLE-1.md"));
      await mkdir(path.join(folder, ".fleet"));
      // A link to a file that does not exist yet.
      await symlink(path.join(folder, "new"), path.join(folder, ".fleet/.gitignore"));
      const { exitCode, stdout } = await command(["fleet", "init"], { cwd: folder });
      expect([exitCode, stdout]).toEqual([
        0,
        "kept     WORKFLOW.md\nkept     issues/EXAMPLE-1.md\nkept     .fleet/.gitignore\n",
      ]);
      expect(await readFile(target, "utf8")).toBe("mine");
      expect(await readFile(path.join(folder, "WORKFLOW.md"), "utf8")).toBe("my workflow");
      await expect(readFile(path.join(folder, "new"))).rejects.toThrow("ENOENT");
      await rm(path.join(folder, "WORKFLOW.md"));
      await writeFile(path.join(folder, "file"), "");
      const under = await command(["fleet", "init", "file"], { cwd: folder });
      expect(under.exitCode).toBe(1);
      expect(under.stderr).toMatch(/^error unexpected: /);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
