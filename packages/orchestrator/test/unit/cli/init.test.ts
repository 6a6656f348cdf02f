import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { verifies } from "@codexwright/test-support/verifies";
import { expect } from "vitest";
import { command } from "../../../../cli/test/support/command.ts";
import { jsonLines } from "../../../../cli/test/support/json-lines.ts";

verifies(
  ["fleet.cli.init", "fleet.cli.doctor", "fleet.cli.json"],
  "doctor accepts the files of init, and no agent begins their example",
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "codexwright-init-"));
    try {
      await command(["fleet", "init"], { cwd: folder });
      const { exitCode, stdout } = await doctor(folder);
      const lines = await jsonLines(stdout);
      expect(lines.at(-1)).toEqual({ type: "doctor", ok: true, failed: [], exitCode: 0 });
      expect(exitCode).toBe(0);
      const found = Object.fromEntries(lines.map(({ name, status, message }) => [name, [status, message]]));
      expect(found).toMatchObject({
        workflow: ["ok", path.join(await realpath(folder), "WORKFLOW.md")],
        tracker: ["ok", "folder: 0 issues in the states todo, in progress"],
        labels: ["ok", "not needed: only you can write issues"],
        fleet: ["ok", "it does not run"],
      });
      const workflow = path.join(folder, "WORKFLOW.md");
      const text = await readFile(workflow, "utf8");
      const codex = async (changed: string): Promise<string> => {
        await writeFile(workflow, changed);
        const checks = await jsonLines((await doctor(folder)).stdout);
        expect(checks.find(({ name }) => name === "workflow")?.["status"]).toBe("ok");
        return JSON.stringify(checks.find(({ name }) => name === "codex"));
      };
      // The lines of the comment are settings, and end the advice.
      const asking = text.replace(
        /^# (codex:\n)#( +command: .*default_mode_request_user_input=true\n)/m,
        "$1$2",
      );
      expect(asking).not.toBe(text);
      expect(await codex(text)).toContain("default_mode_request_user_input.");
      expect(await codex(asking)).not.toContain("To turn it on");
      expect(await codex(text.replace("\nagent:\n", "\nagent:\n  on_question: fail\n"))).toContain(
        '"advice":[]',
      );
      await writeFile(workflow, text);
      const example = path.join(folder, "issues/EXAMPLE-1.md");
      await writeFile(example, (await readFile(example, "utf8")).replace("state: backlog", "state: todo"));
      const after = await doctor(folder);
      expect(after.stdout).toContain("folder: 1 issues");
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

verifies(
  ["fleet.cli.doctor", "symphony.17.6.validation"],
  "doctor names each problem with a way to fix it, and exits with 1",
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "codexwright-doctor-"));
    const workflow = path.join(folder, "WORKFLOW.md");
    const failing = async (): Promise<Record<string, unknown>> => {
      const { exitCode, stdout } = await doctor(folder);
      const lines = await jsonLines(stdout);
      const { failed } = lines.at(-1) as { failed?: unknown };
      const problem = lines.find(({ status }) => status === "fail");
      return { exitCode, failed, message: problem?.["message"], advice: problem?.["advice"] };
    };
    try {
      expect(await failing()).toMatchObject({
        exitCode: 1,
        failed: ["workflow"],
        advice: ["Make one with `codexwright fleet init`."],
      });
      await writeFile(workflow, "---\ntracker: { kind: folder }\nagent: { max_turns: 0 }\n---\n");
      expect(await failing()).toMatchObject({ exitCode: 1, failed: ["workflow"] });
      await writeFile(workflow, "---\ntracker: { kind: folder, provider: { path: nowhere } }\n---\n");
      expect(await failing()).toMatchObject({ exitCode: 1, failed: ["tracker"] });
      await mkdir(path.join(folder, "issues"));
      const lines = [
        "---",
        "tracker: { kind: folder, provider: { path: issues } }",
        "codex: { command: no-such-server --x }",
        "---",
      ];
      await writeFile(workflow, lines.join("\n"));
      expect(await failing()).toEqual({
        exitCode: 1,
        failed: ["codex"],
        message: "bash does not find no-such-server",
        advice: ["Correct codex.command in WORKFLOW.md, or the PATH of login shells."],
      });
      await chmod(path.join(folder, "state"), 0o755);
      const { stdout } = await doctor(folder);
      expect(stdout).toContain("other users can read");
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

async function doctor(folder: string): ReturnType<typeof command> {
  return await command(["fleet", "doctor", "--json", "--data", path.join(folder, "state")], { cwd: folder });
}

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
