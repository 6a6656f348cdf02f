import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { hasChanges } from "codexwright/workspace";
import { describe, expect } from "vitest";
import { changesWithin } from "../../../src/workspace/git/changes.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { filesIn, folder, gitIn, pipeAt, repository, withoutSettings, type Folder } from "./folders.ts";
import type { ChangesTarget } from "../../../src/workspace/git/changes.ts";

const UNCOMMITTED = { type: "uncommittedChanges" } as const;
const base = (branch: string): ChangesTarget => ({ type: "baseBranch", branch });
const commit = (sha: string): ChangesTarget => ({ type: "commit", sha });

describe("uncommitted changes", () => {
  /** An edit of a clean repository with the file `a`, and whether it counts as a change. */
  const CASES: readonly (readonly [string, (repo: Folder) => void, boolean])[] = [
    ["nothing", () => {}, false],
    ["a changed file", (repo) => writeFileSync(repo.path("a"), "b"), true],
    [
      "a file that was immediately changed to other content of the same size",
      (repo) => {
        writeFileSync(repo.path("a"), "b");
        gitIn(repo.dir, "commit", "--quiet", "-a", "-m", "two");
        writeFileSync(repo.path("a"), "c");
      },
      true,
    ],
    ["a file that was only touched", (repo) => utimesSync(repo.path("a"), 1, 1), false],
    ["a file that became executable", (repo) => chmodSync(repo.path("a"), 0o755), true],
    ["a removed file", (repo) => rmSync(repo.path("a")), true],
    ["a new file", (repo) => writeFileSync(repo.path("new"), ""), true],
    ["a new folder without files", (repo) => mkdirSync(repo.path("new")), false],
    [
      "a staged file that was restored",
      (repo) => {
        writeFileSync(repo.path("a"), "b");
        gitIn(repo.dir, "add", "a");
        writeFileSync(repo.path("a"), "a");
      },
      true,
    ],
    [
      "a file that only this repository ignores",
      (repo) => {
        mkdirSync(repo.path(".git/info"), { recursive: true });
        writeFileSync(repo.path(".git/info/exclude"), "*.log\n");
        writeFileSync(repo.path("x.log"), "");
      },
      false,
    ],
    [
      "an ignored file",
      (repo) => {
        writeFileSync(repo.path(".gitignore"), "*.log\n");
        gitIn(repo.dir, "add", ".");
        gitIn(repo.dir, "commit", "--quiet", "-m", "ignore");
        writeFileSync(repo.path("x.log"), "");
      },
      false,
    ],
    ["a detached head", (repo) => void gitIn(repo.dir, "checkout", "--quiet", "--detach"), false],
    ["a split index", (repo) => void gitIn(repo.dir, "update-index", "--split-index"), false],
    ["packed objects and references", (repo) => void gitIn(repo.dir, "gc", "--quiet"), false],
  ];
  for (const [name, change, expected] of CASES) {
    verifies("workspace.changes", `${name}: ${expected ? "changed" : "unchanged"}`, async () => {
      using repo = repository({ a: "a" });
      change(repo);
      expect(await hasChanges(repo.dir, UNCOMMITTED)).toBe(expected);
      // The same result as git.
      expect(gitIn(repo.dir, "status", "--porcelain") !== "").toBe(expected);
    });
  }

  verifies(
    "workspace.changes",
    "also works in subfolders, linked worktrees and repositories without commits",
    async () => {
      using repo = repository({ "a/b/c": "a" });
      expect(await hasChanges(repo.path("a/b"), UNCOMMITTED)).toBe(false);
      writeFileSync(repo.path("new"), "");
      expect(await hasChanges(repo.path("a/b"), UNCOMMITTED)).toBe(true);
      using linked = folder();
      gitIn(repo.dir, "worktree", "add", "--quiet", "-b", "side", linked.path("w"));
      expect(await hasChanges(linked.path("w"), UNCOMMITTED)).toBe(false);
      writeFileSync(linked.path("w/a/b/c"), "changed");
      expect(await hasChanges(linked.path("w"), UNCOMMITTED)).toBe(true);
      using empty = folder();
      gitIn(empty.dir, "init", "--quiet", "--template=", "-b", "main");
      expect(await hasChanges(empty.dir, UNCOMMITTED)).toBe(false);
      writeFileSync(empty.path("a"), "");
      expect(await hasChanges(empty.dir, UNCOMMITTED)).toBe(true);
      const missing = hasChanges(empty.dir, base("main"));
      expect(await rejection(missing)).toMatchObject({ code: "revision_not_found" });
    },
  );
});

verifies(
  "workspace.changes",
  "since a branch: unchanged only if the commits and the files are equal",
  async () => {
    using repo = repository({ a: "a" });
    gitIn(repo.dir, "branch", "old");
    gitIn(repo.dir, "tag", "-a", "v1", "-m", "tag");
    gitIn(repo.dir, "update-ref", "refs/remotes/origin/far", "HEAD");
    for (const name of ["old", "main", "HEAD", "v1", "origin/far", "refs/heads/old"]) {
      expect(await hasChanges(repo.dir, base(name))).toBe(false);
    }
    writeFileSync(repo.path("new"), "");
    expect(await hasChanges(repo.dir, base("old"))).toBe(true);
    gitIn(repo.dir, "add", ".");
    gitIn(repo.dir, "commit", "--quiet", "-m", "two");
    expect(await hasChanges(repo.dir, base("old"))).toBe(true);
    expect(await hasChanges(repo.dir, base("HEAD~1"))).toBe(true);
    // The branch is ahead of us, and we have no changes.
    gitIn(repo.dir, "checkout", "--quiet", "old");
    expect(await hasChanges(repo.dir, base("main"))).toBe(false);
    // These names cannot be resolved without the configuration, which is not read, so the result is true.
    expect(await hasChanges(repo.dir, base("main@{upstream}"))).toBe(true);
    expect(await hasChanges(repo.dir, commit(gitIn(repo.dir, "rev-parse", "--short", "HEAD")))).toBe(true);
  },
);

verifies("workspace.changes", "rejects names that the repository does not have", async () => {
  using repo = repository({ a: "a" });
  const blob = gitIn(repo.dir, "rev-parse", "HEAD:a");
  for (const target of [
    ...["nosuch", " ", "-h", "--all", "a..b", "x\ny", "HEAD~9"].map(base),
    ...["0".repeat(40), blob, "HEAD:a"].map(commit),
  ]) {
    expect(await rejection(hasChanges(repo.dir, target))).toMatchObject({ code: "revision_not_found" });
  }
  for (const target of [base(""), commit("")]) {
    expect(await rejection(hasChanges(repo.dir, target))).toMatchObject({ code: "invalid_argument" });
  }
});

verifies("workspace.changes", "rejects a folder without a repository or a working tree", async () => {
  using plain = folder({ a: "a" });
  using bare = folder();
  gitIn(bare.dir, "init", "--quiet", "--bare", "--template=", "-b", "main");
  using moved = folder({ ".git": "gitdir: /nowhere/.git/worktrees/moved\n" });
  using dangling = folder();
  symlinkSync("/nowhere/.git", dangling.path(".git"));
  for (const { dir } of [plain, bare, moved, dangling]) {
    expect(await rejection(hasChanges(dir, UNCOMMITTED))).toMatchObject({ code: "not_a_repository" });
  }
  for (const { dir } of [plain, moved, dangling]) {
    expect(await rejection(hasChanges(dir, base("main")))).toMatchObject({ code: "not_a_repository" });
  }
});

verifies("workspace.changes", "compares a bare repository only by its commits", async () => {
  using repo = repository({ a: "a" });
  gitIn(repo.dir, "branch", "old");
  gitIn(repo.dir, "commit", "--quiet", "--allow-empty", "-m", "empty");
  using bare = folder();
  gitIn(bare.dir, "clone", "--quiet", "--bare", repo.dir, "equal.git");
  expect(await hasChanges(bare.path("equal.git"), base("old"))).toBe(false);
  writeFileSync(repo.path("new"), "");
  gitIn(repo.dir, "add", ".");
  gitIn(repo.dir, "commit", "--quiet", "-m", "two");
  gitIn(bare.dir, "clone", "--quiet", "--bare", repo.dir, "other.git");
  expect(await hasChanges(bare.path("other.git"), base("old"))).toBe(true);
});

describe("a malicious repository", () => {
  /**
   * A clean repository. Its configuration, and the configuration of its submodule, name a program wherever git allows
   * it.
   */
  function hostile(marks: string, hasSubmodule: boolean): Folder {
    const repo = repository({ a: "a", ".gitattributes": "* filter=evil diff=evil merge=evil\n" });
    const inner = repo.path("sub");
    if (hasSubmodule) {
      mkdirSync(inner);
      gitIn(inner, "init", "--quiet", "--template=", "-b", "main");
      gitIn(inner, "commit", "--quiet", "--allow-empty", "-m", "one");
      gitIn(repo.dir, "-c", "advice.addEmbeddedRepo=false", "add", "sub");
      gitIn(repo.dir, "commit", "--quiet", "-m", "submodule");
    }
    for (const dir of hasSubmodule ? [repo.dir, inner] : [repo.dir]) {
      const touch = (name: string): string => `touch ${marks}/${name}`;
      writeFileSync(repo.path("included"), `[core]\n\tfsmonitor = ${touch("include")}\n`);
      for (const [key, value] of [
        ["include.path", repo.path("included")],
        ["core.fsmonitor", touch("fsmonitor")],
        ["core.hooksPath", repo.path("hooks")],
        ["core.pager", touch("pager")],
        ["filter.evil.clean", touch("clean")],
        ["filter.evil.process", touch("process")],
        ["filter.evil.smudge", touch("smudge")],
        ["diff.evil.textconv", touch("textconv")],
        ["diff.external", touch("external")],
      ] as const) {
        gitIn(dir, "config", "--add", key, value);
      }
    }
    rmSync(repo.path("included"));
    // This forces git to read the files.
    utimesSync(repo.path("a"), 1, 1);
    return repo;
  }

  for (const hasSubmodule of [false, true]) {
    verifies(
      "security.s25",
      `runs no programs when looking for changes${hasSubmodule ? ", with a submodule" : ""}`,
      async () => {
        using marks = folder();
        using repo = hostile(marks.dir, hasSubmodule);
        for (const target of [UNCOMMITTED, base("main"), commit("HEAD")]) {
          expect(await hasChanges(repo.dir, target)).toBe(hasSubmodule || target.type === "commit");
        }
        expect(filesIn(marks.dir)).toEqual([]);
        // Git itself reads the configuration.
        spawnSync("git", ["status"], { cwd: repo.dir, env: withoutSettings() });
        expect(filesIn(marks.dir)).not.toEqual([]);
      },
    );
  }

  verifies("workspace.changes", "leaves no folder behind, and does not change the repository", async () => {
    using repo = repository({ a: "a" });
    utimesSync(repo.path("a"), 1, 1);
    const before = filesIn(repo.dir);
    await hasChanges(repo.dir, UNCOMMITTED);
    await rejection(hasChanges(repo.dir, base("nosuch")));
    expect(filesIn(repo.dir)).toEqual(before);
    const { TMPDIR = tmpdir() } = process.env;
    expect(
      readdirSync(TMPDIR).filter((name) => name.startsWith(`codexwright-changes-${process.pid}-`)),
    ).toEqual([]);
  });
});

describe("hostile repositories", () => {
  /** Git opens these pipes and then waits forever for a writer. */
  const PIPES: readonly (readonly [string, (repo: Folder) => void])[] = [
    ["the list of ignored files", (repo) => pipeAt(repo.path(".gitignore"))],
    [
      "the list of attributes",
      (repo) => {
        pipeAt(repo.path(".gitattributes"));
        // This makes git read the file again, for which it needs these lists.
        utimesSync(repo.path("a"), 1, 1);
      },
    ],
    [
      "the HEAD of a nested repository",
      (repo) => {
        mkdirSync(repo.path("inner/.git/objects"), { recursive: true });
        mkdirSync(repo.path("inner/.git/refs"));
        pipeAt(repo.path("inner/.git/HEAD"));
      },
    ],
  ];
  for (const [name, make] of PIPES) {
    verifies("workspace.changes", `counts as changed if ${name} is a pipe`, async () => {
      using repo = repository({ a: "a" });
      make(repo);
      expect(await changesWithin(500, repo.dir, UNCOMMITTED)).toBe(true);
    });
  }

  verifies("workspace.changes", "limits the total size of all parts of a split index", async () => {
    using repo = repository({ a: "a" });
    // Sparse files, so that they take no space here.
    for (const part of ["a", "b", "c"]) {
      writeFileSync(repo.path(`.git/sharedindex.${part}`), "");
      truncateSync(repo.path(`.git/sharedindex.${part}`), 300 * 1024 * 1024);
    }
    expect(await rejection(hasChanges(repo.dir, UNCOMMITTED))).toMatchObject({ code: "workspace_security" });
  });

  verifies("workspace.changes", "finds a submodule among many entries with long names", async () => {
    using repo = repository({ a: "a" });
    const oid = gitIn(repo.dir, "rev-parse", "HEAD").trim();
    const blob = gitIn(repo.dir, "rev-parse", "HEAD:a").trim();
    const name = (index: number): string => `160000 ${"x".repeat(200)}${index}`;
    const entries = Array.from({ length: 300 }, (_, index) => `100644 ${blob} 0\t${name(index)}\n`).join("");
    const add = (input: string): void => {
      const added = spawnSync("git", ["update-index", "--index-info"], { cwd: repo.dir, input });
      expect(added.status).toBe(0);
    };
    add(entries);
    gitIn(repo.dir, "commit", "--quiet", "-m", "many");
    gitIn(repo.dir, "checkout", "--quiet", "--", ".");
    // The names look like the mode of a submodule.
    expect(await hasChanges(repo.dir, UNCOMMITTED)).toBe(false);
    add(`160000 ${oid} 0\tzz\n`);
    gitIn(repo.dir, "commit", "--quiet", "-m", "submodule");
    mkdirSync(repo.path("zz"));
    expect(await hasChanges(repo.dir, UNCOMMITTED)).toBe(true);
  });
});
