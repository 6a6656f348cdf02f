import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Workspace } from "codexwright/workspace";
import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { filesIn, folder, gitIn, withoutSettings, type Folder } from "./folders.ts";

/** True if git supports this option of `git init`. */
function isKnown(option: string): boolean {
  using repo = folder();
  return spawnSync("git", ["init", option], { cwd: repo.dir, env: withoutSettings() }).status === 0;
}

/** A repository with two commits. */
function repository(...options: string[]): Folder {
  const repo = folder({ a: "one\n" });
  gitIn(repo.dir, "init", "--quiet", "--template=", "-b", "main", ...options);
  gitIn(repo.dir, "add", ".");
  gitIn(repo.dir, "commit", "--quiet", "-m", "first");
  gitIn(repo.dir, "tag", "-a", "v1", "-m", "tag");
  writeFileSync(repo.path("a"), "two\n");
  gitIn(repo.dir, "commit", "--quiet", "-a", "-m", "second");
  return repo;
}

for (const [format, ...options] of [
  ["sha1"],
  ["sha256", "--object-format=sha256"],
  ["reftable", "--ref-format=reftable"],
] as const) {
  verifies(
    "agent.workspace.worktree",
    `git works in this worktree as in any other (${format})`,
    async () => {
      using repo = repository(...options);
      gitIn(repo.dir, "worktree", "add", "--quiet", "-b", "side", repo.path("linked"), "v1");
      for (const [source, ref, text] of [
        [repo.dir, "HEAD", "two\n"],
        [repo.path("linked"), "HEAD", "one\n"],
      ] as const) {
        await using workspace = await Workspace.worktree({ repo: source, ref, allowedRoots: [repo.dir] });
        expect(readFileSync(path.join(workspace.dir, "a"), "utf8")).toBe(text);
        expect(gitIn(workspace.dir, "status", "--porcelain")).toBe("");
        expect(gitIn(repo.dir, "worktree", "list")).toContain(workspace.dir);
        // Same length, and written immediately: only content and time differ.
        writeFileSync(path.join(workspace.dir, "a"), "2wo\n");
        expect(gitIn(workspace.dir, "status", "--porcelain")).toBe("M a");
        gitIn(workspace.dir, "commit", "--quiet", "-a", "-m", "third");
        const commit = gitIn(workspace.dir, "rev-parse", "HEAD");
        expect(gitIn(repo.dir, "cat-file", "-p", `${commit}:a`)).toBe("2wo");
        expect(gitIn(workspace.dir, "log", "--format=%s", "-1")).toBe("third");
        gitIn(repo.dir, "worktree", "prune");
        gitIn(workspace.dir, "switch", "--quiet", "-c", `kept-${text.trim()}`);
      }
      expect(gitIn(repo.dir, "log", "-1", "--format=%s", "kept-two")).toBe("third");
      expect(gitIn(repo.dir, "worktree", "list").split("\n")).toHaveLength(2);
      gitIn(repo.dir, "fsck", "--strict");
    },
    {
      timeoutMs: 120_000,
      skip: options.some((option) => !isKnown(option)) && "this git does not support the format",
    },
  );
}

verifies(
  "agent.workspace.worktree",
  "a ref can be any name of a commit in the repository",
  async () => {
    using repo = repository();
    const first = gitIn(repo.dir, "rev-parse", "v1^{commit}");
    gitIn(repo.dir, "update-ref", "refs/remotes/origin/main", first);
    gitIn(repo.dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    gitIn(repo.dir, "pack-refs", "--all");
    const refs = [
      "v1",
      "refs/tags/v1",
      "HEAD~1",
      "main^",
      "origin",
      "origin/main",
      "main^{/first}",
      "main@{1}",
      "HEAD@{1}",
    ];
    for (const ref of [...refs, first, first.slice(0, 10), "v1^{commit}"]) {
      await using workspace = await Workspace.worktree({ repo: repo.dir, ref, allowedRoots: [repo.dir] });
      expect([ref, gitIn(workspace.dir, "rev-parse", "HEAD")]).toEqual([ref, first]);
    }
    for (const ref of ["nowhere", "HEAD:a", "HEAD~9", "", "main..v1", "main@{upstream}", "--all", "a\0b"]) {
      const error = await rejection(Workspace.worktree({ repo: repo.dir, ref, allowedRoots: [repo.dir] }));
      expect([ref, (error as { code: string }).code]).toEqual([
        ref,
        expect.stringMatching(/^(git_failed|invalid_argument)$/),
      ]);
    }
    expect(filesIn(repo.path(".git/worktrees"))).toEqual([]);
  },
  { timeoutMs: 120_000 },
);

verifies("agent.workspace.worktree", "checks out the replacement of a replaced commit", async () => {
  using repo = repository();
  gitIn(repo.dir, "replace", "main", "v1^{commit}");
  await using workspace = await Workspace.worktree({ repo: repo.dir, allowedRoots: [repo.dir] });
  expect(readFileSync(path.join(workspace.dir, "a"), "utf8")).toBe("one\n");
  expect(gitIn(workspace.dir, "status", "--porcelain")).toBe("");
});

verifies("agent.workspace.worktree", "ignores git settings in the environment", async () => {
  using repo = repository();
  using other = repository();
  using parent = folder({ "marks/none": "" });
  const settings = {
    GIT_DIR: other.path(".git"),
    GIT_INDEX_FILE: parent.path("index"),
    GIT_OBJECT_DIRECTORY: other.path(".git/objects"),
    GIT_EXTERNAL_DIFF: `touch ${parent.path("marks/diff")}`,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: `touch ${parent.path("marks/fsmonitor")}`,
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='touch ${parent.path("marks/parameters")}'`,
    GIT_TRACE: parent.path("marks/trace"),
  };
  Object.assign(process.env, settings);
  try {
    await using workspace = await Workspace.worktree({ repo: repo.dir, allowedRoots: [repo.dir] });
    const before = await workspace.checkpoint();
    writeFileSync(path.join(workspace.dir, "a"), "three\n");
    expect(await workspace.diff(before)).toContain("+three");
  } finally {
    for (const name of Object.keys(settings)) delete process.env[name];
  }
  expect(readdirSync(parent.path("marks"))).toEqual(["none"]);
  expect(execFileSync("git", ["status", "--porcelain"], { cwd: other.dir, encoding: "utf8" })).toBe("");
});

verifies("agent.workspace.worktree", "creates several worktrees of a repository concurrently", async () => {
  using repo = repository();
  const options = { repo: repo.dir, allowedRoots: [repo.dir] };
  const made = await Promise.all(Array.from({ length: 5 }, async () => Workspace.worktree(options)));
  try {
    expect(gitIn(repo.dir, "worktree", "list").split("\n")).toHaveLength(6);
    for (const { dir } of made) expect(gitIn(dir, "status", "--porcelain")).toBe("");
  } finally {
    for (const workspace of made) await workspace[Symbol.asyncDispose]();
  }
  expect(gitIn(repo.dir, "worktree", "list").split("\n")).toHaveLength(1);
});

verifies(
  "agent.workspace.worktree",
  "supports submodules, sparse and shallow checkouts as sources",
  async () => {
    using repo = repository();
    using place = folder();
    gitIn(place.dir, "init", "--quiet", "top");
    const top = place.path("top");
    gitIn(top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repo.dir, "sub");
    gitIn(place.dir, "clone", "--quiet", "--depth=1", `file://${repo.dir}`, "shallow");
    gitIn(place.dir, "clone", "--quiet", "--sparse", repo.dir, "sparse");
    gitIn(place.path("sparse"), "sparse-checkout", "set", "--no-cone", "/nothing");
    for (const source of ["top/sub", "shallow", "sparse"]) {
      await using workspace = await Workspace.worktree({
        repo: place.path(source),
        allowedRoots: [place.dir],
      });
      expect(readFileSync(path.join(workspace.dir, "a"), "utf8")).toBe("two\n");
      expect([source, gitIn(workspace.dir, "status", "--porcelain")]).toEqual([source, ""]);
      expect(gitIn(workspace.dir, "rev-parse", "--show-toplevel")).toBe(workspace.dir);
    }
  },
);
