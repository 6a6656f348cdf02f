import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { Workspace } from "codexwright/workspace";
import { rejection } from "@codexwright/test-support/events";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { filesIn, folder, gitIn, pipeAt, withoutSettings } from "../workspace/folders.ts";
import { armed, HOOKS, PLACES, settings, type Armed } from "./armed.ts";

async function everything({ repo }: Armed): Promise<void> {
  await using workspace = await Workspace.worktree({ repo, allowedRoots: [path.dirname(repo)] });
  expect(readFileSync(path.join(workspace.dir, "a.txt"), "utf8")).toBe("text\n");
  expect(readFileSync(path.join(workspace.dir, "b.bin"), "utf8")).toBe("b");
  const before = await workspace.checkpoint();
  writeFileSync(path.join(workspace.dir, "a.txt"), "other\n");
  expect(await workspace.diff(before)).toContain("+other");
  expect(await workspace.revert(before)).toEqual(["a.txt"]);
}

for (const place of PLACES) {
  verifies("security.s25", `runs no program that these settings name: ${place}`, async () => {
    using repo = armed(place);
    await everything(repo);
    expect(repo.ran()).toEqual([]);
    // Shows that the attack works: git itself runs some of the programs.
    byGit(repo.repo, "worktree", "add", "--detach", repo.path("by-git"));
    expect(repo.ran()).not.toEqual([]);
  });
}

/** Runs git. Its exit code does not matter, because the programs do not behave as git expects. */
function byGit(dir: string, ...args: string[]): void {
  spawnSync("git", args, { cwd: dir, env: withoutSettings(), stdio: "ignore" });
}

verifies("security.s25", "git itself runs filters, hooks, monitors and drivers of such a repository", () => {
  using repo = armed("config");
  byGit(repo.repo, "worktree", "add", "--detach", repo.path("by-git"));
  writeFileSync(path.join(repo.repo, "a.txt"), "other\n");
  byGit(repo.repo, "status");
  byGit(repo.repo, "diff", "a.txt");
  byGit(repo.repo, "diff", "--no-ext-diff", "a.txt");
  byGit(repo.repo, "add", "a.txt");
  const ran = repo.ran();
  for (const name of ["smudge", "process", "clean", "fsmonitor", "diff-command", "textconv"])
    expect(ran).toContain(name);
  expect(ran.some((name) => HOOKS.includes(name))).toBe(true);
});

verifies("security.s25", "does not fetch a missing object from any remote", async () => {
  using repo = armed("config");
  const blob = gitIn(repo.repo, "hash-object", "--no-filters", "a.txt");
  rmSync(path.join(repo.repo, ".git/objects", blob.slice(0, 2), blob.slice(2)));
  const attempt = Workspace.worktree({ repo: repo.repo, allowedRoots: [repo.dir] });
  expect(await rejection(attempt)).toMatchObject({
    code: "git_failed",
    message: expect.stringContaining(blob) as string,
  });
  expect(repo.ran()).toEqual([]);
  byGit(repo.repo, "cat-file", "-p", blob);
  expect(repo.ran()).not.toEqual([]);
});

verifies(
  "security.s25",
  "does not even open files that configure git",
  async () => {
    using repo = armed("include.path");
    const git = path.join(repo.repo, ".git");
    // Opening a named pipe would wait forever for a writer.
    const unread = ["settings", "config.worktree", "info/attributes", "info/exclude", "info/sparse-checkout"];
    for (const file of [...unread, "info/grafts", "shallow", "hooks/post-index-change"]) {
      rmSync(path.join(git, file), { force: true });
      pipeAt(path.join(git, file));
    }
    await everything(repo);
    expect(repo.ran()).toEqual([]);
  },
  { skip: onWindows },
);

verifies("security.s25", "settings that a command writes into its workspace run nothing", async () => {
  using marks = folder({ "marks/none": "" });
  rmSync(marks.path("marks/none"));
  await using workspace = await Workspace.create({ mounts: [], allowedRoots: "any" });
  const at = (...parts: string[]): string => path.join(workspace.dir, ...parts);
  writeFileSync(at("a.txt"), "one\n");
  const before = await workspace.checkpoint();
  gitIn(workspace.dir, "init", "--quiet");
  writeFileSync(at(".git/config"), settings(marks, at(".git")), { flag: "a" });
  mkdirSync(at("nested/.git"), { recursive: true });
  writeFileSync(at("nested/.git/config"), settings(marks, at(".git")));
  writeFileSync(at(".gitattributes"), "* filter=evil diff=evil merge=evil\n");
  writeFileSync(at("a.txt"), "two\n");
  expect(await workspace.diff(before)).toContain("+two");
  expect(await workspace.revert(before)).toEqual([".gitattributes", "a.txt"]);
  expect(filesIn(marks.path("marks"))).toEqual([]);
  writeFileSync(at(".gitattributes"), "* filter=evil diff=evil merge=evil\n");
  byGit(workspace.dir, "add", ".");
  expect(filesIn(marks.path("marks"))).toContain("clean");
});

verifies("security.s25", "ignores settings that a command writes next to its workspace", async () => {
  // The sandbox lets commands write to the temporary folder, which is the default location of workspaces.
  using marks = folder({ "marks/none": "" });
  rmSync(marks.path("marks/none"));
  await using workspace = await Workspace.create({ mounts: [], allowedRoots: "any" });
  const base = path.dirname(workspace.dir);
  writeFileSync(path.join(workspace.dir, "a.txt"), "one\n");
  const before = await workspace.checkpoint();
  const folders = readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
  for (const dir of [base, ...folders]) {
    for (const gitDir of [dir, path.join(dir, ".git")]) {
      writeFileSync(
        path.join(mkdirSync(gitDir, { recursive: true }) ?? gitDir, "config"),
        settings(marks, gitDir),
      );
      writeFileSync(path.join(gitDir, "HEAD"), "ref: refs/heads/main\n");
      mkdirSync(path.join(gitDir, "objects"), { recursive: true });
      mkdirSync(path.join(gitDir, "refs"), { recursive: true });
    }
  }
  writeFileSync(path.join(workspace.dir, "a.txt"), "two\n");
  expect(await workspace.diff(before)).toContain("+two");
  await workspace.revert(before);
  expect(readFileSync(path.join(workspace.dir, "a.txt"), "utf8")).toBe("one\n");
  expect(filesIn(marks.path("marks"))).toEqual([]);
});

verifies("security.s25", "does not restore content that was changed in the store", async () => {
  await using workspace = await Workspace.create({ mounts: [], allowedRoots: "any" });
  using outside = folder({ secret: "canary" });
  const file = path.join(workspace.dir, "a.txt");
  writeFileSync(file, "one\n");
  const before = await workspace.checkpoint();
  const store = path.join(path.dirname(workspace.dir), "checkpoints/contents");
  writeFileSync(file, "two\n");
  for (const name of readdirSync(store)) {
    if (name === before.tree) continue;
    rmSync(path.join(store, name));
    writeFileSync(path.join(store, name), "evil\n");
  }
  expect(await rejection(workspace.revert(before))).toMatchObject({ code: "workspace_security" });
  rmSync(path.join(store, before.tree));
  symlinkSync(outside.path("secret"), path.join(store, before.tree));
  expect(await rejection(workspace.diff(before))).toMatchObject({ code: "workspace_security" });
});
