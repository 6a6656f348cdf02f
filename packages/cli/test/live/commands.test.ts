import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { exec, reply } from "@codexwright/testing";
import { describe, expect } from "vitest";
import { soleBrowserLogin } from "@codexwright/test-support/browser-login";
import { verifies } from "@codexwright/test-support/verifies";
import { command, start } from "../support/command.ts";
import { jsonLines } from "../support/json-lines.ts";
import { PINNED, realWorld, verifiesHere } from "../support/real-world.ts";

describe("without a terminal", () => {
  verifies(
    ["cli.run.approvals", "cli.json", "cli.exit-codes"],
    "declines an approval by rule, and prints only documented lines",
    async () => {
      const step = exec("touch made.txt", { justification: "A file is wanted." });
      await using world = await realWorld([step, reply("Then not.")]);
      const { folder: cwd, env } = world;
      const args = ["run", "--json", "--sandbox", "read-only", "Make a file"];
      const { exitCode, stdout, stderr } = await command(args, { cwd, env });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      const lines = await jsonLines(stdout);
      expect(lines.find(({ type }) => type === "approval")).toMatchObject({
        decision: "decline",
        by: "rule",
      });
      expect(lines.at(-1)).toMatchObject({ type: "result", text: "Then not." });
      expect(existsSync(path.join(cwd, "made.txt"))).toBe(false);
    },
    PINNED,
  );

  verifies(
    ["cli.threads", "cli.json"],
    "resumes, lists, shows, archives and deletes a thread",
    async () => {
      await using world = await realWorld([reply("One."), reply("Two.")]);
      const options = { cwd: world.folder, env: world.env };
      const lines = await jsonLines((await command(["run", "--json", "Begin"], options)).stdout);
      const id = String(lines[0]?.["threadId"]);
      const resumed = await command(["run", "-q", "--resume", id, "Go on"], options);
      expect(resumed).toEqual({ exitCode: 0, stdout: "Two.\n", stderr: "" });
      const shown = await command(["threads", "show", id], options);
      expect(shown.stdout).toContain("› Begin\n\nOne.\n\n› Go on\n\nTwo.\n");
      expect((await command(["threads", "name", id, "Some work"], options)).exitCode).toBe(0);
      const found = await jsonLines((await command(["threads", "list", "--json", "--here"], options)).stdout);
      expect(found[0]).toMatchObject({ type: "thread", thread: { id, name: "Some work" } });
      expect((await command(["threads", "archive", id], options)).exitCode).toBe(0);
      expect((await command(["run", "--resume", id, "More"], options)).exitCode).toBe(3);
      expect((await command(["threads", "unarchive", id], options)).exitCode).toBe(0);
      expect((await command(["threads", "delete", "--yes", id], options)).exitCode).toBe(0);
      expect((await command(["threads", "show", id], options)).exitCode).toBe(3);
    },
    PINNED,
  );
});

verifiesHere(
  ["cli.threads", "cli.json"],
  "searches, filters, sorts and pages threads, and names the next page below the table",
  async () => {
    await using world = await realWorld(({ lastUserText }) => reply(`To ${lastUserText}.`));
    const { folder: cwd, env } = world;
    const elsewhere = path.join(cwd, "elsewhere");
    await mkdir(elsewhere);
    const begun = async (task: string, folder: string): Promise<string> => {
      const { stdout } = await command(["run", "--json", "--cwd", folder, task], { cwd, env });
      return String((await jsonLines(stdout))[0]?.["threadId"]);
    };
    const parser = await begun("write a parser", cwd);
    const lexer = await begun("write a lexer", elsewhere);
    await command(["run", "-q", "--resume", parser, "go on"], { cwd, env });
    const listed = async (...args: string[]): Promise<{ ids: unknown[]; cursor: unknown }> => {
      const lines = await jsonLines(
        (await command(["threads", "list", "--json", ...args], { cwd, env })).stdout,
      );
      const ids = lines.flatMap(({ thread }) => (thread as { id?: string } | undefined)?.id ?? []);
      return { ids, cursor: lines.at(-1)?.["nextCursor"] };
    };
    expect((await listed("--search", "lexer")).ids).toEqual([lexer]);
    expect((await listed("--here")).ids).toEqual([parser]);
    expect((await listed("--here", "--cwd", "elsewhere")).ids).toEqual([lexer]);
    expect((await listed("--sort", "created_at")).ids).toEqual([lexer, parser]);
    // If a page is sorted by creation time, Codex skips threads that were created in the same second as the last thread
    // of the page.
    const first = await listed("--limit", "1");
    const next = await listed("--limit", "1", "--page", String(first.cursor));
    expect([...first.ids, ...next.ids]).toEqual([parser, lexer]);
    expect(next.cursor).toBeNull();
    const table = await command(["threads", "list", "--limit", "1"], { cwd, env });
    expect(table.stdout).toMatch(/^THREAD +USED +FOLDER +WHAT\n\S+ .*write a \w+\n$/);
    expect(table.stderr).toContain("There are more threads: add --page");
    const none = await command(["threads", "list", "--search", "nothing like it"], { cwd, env });
    expect(none).toMatchObject({ exitCode: 0, stdout: "", stderr: "No threads found.\n" });
  },
  PINNED,
);

verifies(
  "cli.review",
  "review reviews uncommitted changes, changes since a branch, a commit, or what the instructions say",
  async () => {
    const verdict = {
      findings: [],
      overall_correctness: "patch is correct",
      overall_explanation: "It looks good.",
      overall_confidence_score: 0.9,
    };
    await using world = await realWorld(() => reply(JSON.stringify(verdict)));
    const { folder: cwd, env } = world;
    execFileSync("git", ["init", "-q"], { cwd });
    await writeFile(path.join(cwd, "a.txt"), "a\n");
    const { exitCode, stdout, stderr } = await command(["review"], { cwd, env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "It looks good.\n" });
    expect(stderr).toContain("› Review the uncommitted changes\n");
    const [, threadId = ""] = /--resume (\S+)/.exec(stderr) ?? [];
    expect((await command(["run", "-q", "--resume", threadId, "Go on"], { cwd, env })).exitCode).toBe(0);
    const git = (...args: string[]): string => execFileSync("git", args, { cwd, encoding: "utf8" }).trim();
    git("add", "a.txt");
    git("-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "-qm", "Add a");
    const sha = git("rev-parse", "HEAD");
    git("branch", "before");
    await writeFile(path.join(cwd, "b.txt"), "b\n");
    const targets: [args: string[], heading: string, asked: string][] = [
      [["--uncommitted"], "the uncommitted changes", "uncommitted|current code changes"],
      [["--base", "before"], "the changes since before", "before"],
      [["--commit", sha], `commit ${sha}`, sha],
      [["--instructions", "Look for races"], "Look for races", "Look for races"],
    ];
    for (const [args, heading, asked] of targets) {
      const one = await command(["review", ...args], { cwd, env });
      expect({ args, exitCode: one.exitCode }).toEqual({ args, exitCode: 0 });
      expect(one.stdout).toBe("It looks good.\n");
      expect(one.stderr).toContain(`› Review ${heading}\n`);
      expect(JSON.stringify(world.model.requests.at(-1)?.input)).toMatch(new RegExp(asked));
    }
  },
  PINNED,
);

verifies(
  "cli.exec",
  "exec passes on stdin and both streams, and exits with the command's exit code",
  async () => {
    await using world = await realWorld([]);
    const options = { cwd: world.folder, env: world.env, stdin: "from here\n" };
    const args = ["exec", "--sandbox", "danger-full-access", "--", "sh", "-c", "cat; echo err >&2; exit 7"];
    expect(await command(args, options)).toEqual({ exitCode: 7, stdout: "from here\n", stderr: "err\n" });
    const late = await command(
      ["exec", "--timeout", "200ms", "-s", "danger-full-access", "sleep", "60"],
      options,
    );
    expect(late.exitCode).toBe(5);
  },
  PINNED,
);

verifies(
  ["cli.account", "cli.exit-codes"],
  "a browser login prints the address and is cancelled by a signal; an API key logs in, and logout logs out",
  async () => {
    await using _alone = await soleBrowserLogin();
    await using world = await realWorld([]);
    const options = { cwd: world.folder, env: world.env };
    const login = start(["login"], options);
    await login.shows("https://");
    login.kill("SIGINT");
    expect((await login.done).exitCode).toBe(130);
    const keyed = await command(["login", "--api-key-stdin"], { ...options, stdin: "sk-live-secret\n" });
    expect(keyed).toEqual({ exitCode: 0, stdout: "", stderr: "Logged in.\n" });
    expect(existsSync(path.join(world.server.codexHome, "auth.json"))).toBe(true);
    expect((await command(["logout"], options)).exitCode).toBe(0);
    expect(existsSync(path.join(world.server.codexHome, "auth.json"))).toBe(false);
  },
  PINNED,
);
