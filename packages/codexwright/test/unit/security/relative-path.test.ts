import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { findCodex } from "codexwright/stdio";
import { Workspace } from "codexwright/workspace";
import { verifies } from "@codexwright/test-support/verifies";
import { folder, gitIn, type Folder } from "../workspace/folders.ts";

/** PATH entries that lead into the working folder. `%` is the rest of PATH. */
const SHAPES = ["./bin:%", "bin:%", ".:%", ":%", "%:", "%::%", "../planted/bin:%", "./:%", "bin/../bin:%"];

/**
 * Puts a program with this name wherever one of the shapes would find it from a folder. The program creates the file
 * `mark` when it runs.
 */
function plant(dir: string, name: string, mark: string): void {
  for (const at of [".", "bin", "../planted/bin"]) {
    mkdirSync(path.join(dir, at), { recursive: true });
    writeFileSync(path.join(dir, at, name), `#!/bin/sh\ntouch '${mark}'\nexit 1\n`);
    chmodSync(path.join(dir, at, name), 0o755);
  }
}

/** Runs `work` with a PATH of this shape. */
async function withPath<T>(shape: string, work: () => T | Promise<T>): Promise<T> {
  const before = process.env["PATH"] ?? "";
  process.env["PATH"] = shape.replaceAll("%", before);
  try {
    return await work();
  } finally {
    process.env["PATH"] = before;
  }
}

/** A repository in its own folder, with a user's filter that git looks up on PATH, like git-lfs. */
function repository(place: Folder): string {
  const repo = place.path("repo");
  gitIn(place.dir, "init", "--quiet", "repo");
  // This file is checked out after the planted programs.
  writeFileSync(path.join(repo, "z.txt"), "z");
  writeFileSync(path.join(repo, ".gitattributes"), "*.txt filter=mine\n");
  plant(repo, "mine", place.path("mark"));
  gitIn(repo, "add", ".");
  gitIn(repo, "commit", "--quiet", "-m", "one");
  return repo;
}

verifies(
  "security.s21",
  "does not run a git in a relative folder of PATH for checkpoints or worktrees",
  async () => {
    using place = folder();
    const repo = repository(place);
    const options = { repo, allowedRoots: [repo], parent: place.dir };
    await using workspace = await Workspace.worktree(options);
    plant(workspace.dir, "git", place.path("mark"));
    plant(repo, "git", place.path("mark"));
    for (const shape of SHAPES) {
      await withPath(shape, async () => {
        await using again = await Workspace.worktree(options);
        expect(existsSync(again.dir)).toBe(true);
        await workspace.checkpoint();
      });
      expect([shape, existsSync(place.path("mark"))]).toEqual([shape, false]);
    }
  },
);

verifies(
  "security.s21",
  "the attack works if a program is looked up in relative folders of PATH",
  async () => {
    using marks = folder();
    using repo = folder();
    const ran: string[] = [];
    for (const shape of SHAPES.filter((each) => !each.startsWith("%"))) {
      const dir = repo.path("work");
      plant(dir, "git", marks.path("mark"));
      await withPath(shape, () => {
        try {
          execFileSync("/usr/bin/env", ["git", "--version"], { cwd: dir, stdio: "ignore" });
        } catch {
          ran.push(shape); // the planted program exits with 1
        }
      });
      expect([shape, existsSync(marks.path("mark"))]).toEqual([shape, true]);
      rmSync(marks.path("mark"));
    }
    expect(ran).toHaveLength(SHAPES.length - 2);
  },
);

verifies("security.s21", "git does not look up programs in a relative folder of PATH", async () => {
  using place = folder({ "home/.gitconfig": '[filter "mine"]\n\tsmudge = mine\n\trequired = false\n' });
  const repo = repository(place);
  const before = process.env["HOME"];
  process.env["HOME"] = place.path("home");
  try {
    for (const shape of SHAPES) {
      await withPath(shape, async () => {
        await using workspace = await Workspace.worktree({
          repo,
          allowedRoots: [repo],
          parent: place.dir,
        });
        expect(existsSync(path.join(workspace.dir, "z.txt"))).toBe(true);
      });
      expect([shape, existsSync(place.path("mark"))]).toEqual([shape, false]);
    }
  } finally {
    if (before === undefined) delete process.env["HOME"];
    else process.env["HOME"] = before;
  }
});

verifies("security.s21", "does not find a codex in a relative folder of PATH under any name", async () => {
  using repo = folder();
  using good = folder();
  plant(repo.path("work"), "codex", repo.path("mark"));
  plant(repo.path("work"), "other", repo.path("mark"));
  for (const name of ["codex", "other"]) copyFileSync(process.execPath, good.path(name));
  const before = process.cwd();
  process.chdir(repo.path("work"));
  try {
    for (const shape of SHAPES) {
      const env = { PATH: shape.replaceAll("%", good.dir) };
      expect([shape, findCodex({ env }).command]).toEqual([shape, good.path("codex")]);
      expect(findCodex({ env, codexPath: "other" }).command).toBe(good.path("other"));
      expect(findCodex({ env: { ...env, CODEX_PATH: "other" } }).command).toBe(good.path("other"));
    }
    // A name with a folder comes from the user and is relative to the current folder.
    expect(findCodex({ env: {}, codexPath: "./bin/codex" }).command).toBe(repo.path("work/bin/codex"));
    expect(findCodex({ env: { CODEX_PATH: "bin/codex" } }).command).toBe(repo.path("work/bin/codex"));
  } finally {
    process.chdir(before);
  }
});
