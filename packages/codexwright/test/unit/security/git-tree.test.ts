import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { Workspace } from "codexwright/workspace";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { filesIn, folder, gitIn, repository, withoutSettings, type Folder } from "../workspace/folders.ts";

/** Writes an object that git itself would not create. */
function objectOf(repo: Folder, type: string, content: Buffer | string): string {
  const args = ["hash-object", "-w", "-t", type, "--literally", "--stdin"];
  return execFileSync("git", args, { cwd: repo.dir, input: content, env: withoutSettings() })
    .toString()
    .trim();
}

interface Entry {
  readonly mode: string;
  readonly name: string;
  readonly id: string;
}

function commitOf(repo: Folder, entries: readonly Entry[]): string {
  const tree = treeOf(repo, entries);
  return gitIn(repo.dir, "commit-tree", "-m", "hostile", tree);
}

function treeOf(repo: Folder, entries: readonly Entry[]): string {
  const parts = entries.flatMap(({ mode, name, id }) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(id, "hex"),
  ]);
  return objectOf(repo, "tree", Buffer.concat(parts));
}

const NAMES = [
  ".git",
  ".GIT",
  ".Git",
  "git~1",
  "GIT~1",
  ".git ",
  ".git.",
  ".git::$INDEX_ALLOCATION",
  ".g\u200Cit",
  "..",
  ".",
  "../x",
  "/x",
  "a/../../x",
  "a/.git/config",
  "",
];

verifies(
  "security.s47",
  "rejects names that lead outside the folder or into a git folder",
  async () => {
    using repo = repository();
    using parent = folder();
    const id = objectOf(repo, "blob", "canary");
    for (const [n, name] of NAMES.entries()) {
      const file = { mode: "100644", name, id };
      const asFolder = { mode: "40000", name, id: treeOf(repo, [{ ...file, name: "config" }]) };
      const deeper = { mode: "40000", name: "deep", id: treeOf(repo, [file]) };
      const ref = commitOf(repo, [[file, asFolder, deeper][n % 3] ?? file]);
      const attempt = Workspace.worktree({
        repo: repo.dir,
        ref,
        allowedRoots: [repo.dir],
        parent: parent.dir,
      });
      const { code } = (await rejection(attempt)) as { code: string };
      expect([name, code]).toEqual([name, expect.stringMatching(/^(workspace_security|git_failed)$/)]);
    }
    expect(filesIn(parent.dir)).toEqual([]);
    expect(existsSync(repo.path(".git/worktrees")) ? readdirSync(repo.path(".git/worktrees")) : []).toEqual(
      [],
    );
  },
  { timeoutMs: 120_000 },
);

verifies("security.s47", "writes nothing through a link of the same tree", async () => {
  using repo = repository();
  using outside = folder();
  const id = objectOf(repo, "blob", "canary");
  const link = objectOf(repo, "blob", outside.dir);
  const inner = treeOf(repo, [{ mode: "100644", name: "b", id }]);
  const entries = [
    { mode: "120000", name: "a", id: link },
    { mode: "40000", name: "a", id: inner },
  ];
  for (const order of [entries, entries.toReversed()]) {
    const ref = commitOf(repo, order);
    try {
      await using workspace = await Workspace.worktree({ repo: repo.dir, ref, allowedRoots: [repo.dir] });
      expect(filesIn(workspace.dir)).toContain(".git");
    } catch (error) {
      expect(error).toMatchObject({
        code: expect.stringMatching(/^(workspace_security|git_failed)$/) as string,
      });
    }
    expect(filesIn(outside.dir)).toEqual([]);
  }
});

verifies(
  "security.s47",
  "rejects objects that are missing, broken or of the wrong type",
  async () => {
    using repo = repository();
    using parent = folder();
    const id = objectOf(repo, "blob", "x");
    const tree = treeOf(repo, [{ mode: "100644", name: "x", id }]);
    const broken = objectOf(repo, "blob", "broken");
    const file = repo.path(".git/objects", broken.slice(0, 2), broken.slice(2));
    rmSync(file);
    writeFileSync(file, "not an object");
    const long = objectOf(repo, "blob", "l".repeat(100_000));
    const cases = [
      [{ mode: "100644", name: "missing", id: "1".repeat(40) }],
      [{ mode: "40000", name: "missing", id: "1".repeat(40) }],
      [{ mode: "100644", name: "tree", id: tree }],
      [{ mode: "120000", name: "link", id: tree }],
      [{ mode: "120000", name: "link", id: long }],
      [{ mode: "120000", name: "link", id: objectOf(repo, "blob", "") }],
      [{ mode: "120000", name: "link", id: objectOf(repo, "blob", "a\0b") }],
      [{ mode: "100644", name: "broken", id: broken }],
      [{ mode: "100644", name: "n".repeat(300), id }],
    ];
    for (const entries of cases) {
      const ref = commitOf(repo, entries);
      const attempt = Workspace.worktree({
        repo: repo.dir,
        ref,
        allowedRoots: [repo.dir],
        parent: parent.dir,
      });
      const { code } = (await rejection(attempt)) as { code: string };
      expect([entries[0]?.name, code]).toEqual([entries[0]?.name, "git_failed"]);
    }
    expect(readdirSync(parent.dir)).toEqual([]);
  },
  { timeoutMs: 120_000 },
);

verifies(
  "security.s47",
  "files have the bytes of the commit, regardless of attributes and filters",
  async () => {
    using repo = repository({
      "crlf.txt": "a\r\nb\r\n",
      "lf.txt": "a\nb\n",
      "eol.txt": "a\nb\n",
      "ident.c": "$Id$\n",
      "coded.u16": "text\n",
      "large.lfs": "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n",
    });
    const attributes = [
      "*.txt text",
      "eol.txt eol=crlf",
      "*.c ident",
      "*.u16 working-tree-encoding=UTF-16",
      "*.lfs filter=lfs",
    ];
    writeFileSync(repo.path(".gitattributes"), `${attributes.join("\n")}\n`);
    gitIn(repo.dir, "add", ".gitattributes");
    gitIn(repo.dir, "commit", "--quiet", "-m", "attributes");
    // The settings of a user with filters.
    using home = folder({ "marks/none": "" });
    const mark = home.path("marks/ran");
    writeFileSync(
      home.path("settings"),
      `[core]\n\tautocrlf = true\n[filter "lfs"]\n\tclean = "touch '${mark}'; tr a b"\n\tsmudge = "touch '${mark}'; tr a b"\n`,
    );
    await using workspace = await Workspace.worktree({ repo: repo.dir, allowedRoots: [repo.dir] });
    for (const name of ["crlf.txt", "lf.txt", "eol.txt", "ident.c", "coded.u16", "large.lfs"]) {
      const held = execFileSync("git", ["cat-file", "blob", `HEAD:${name}`], { cwd: repo.dir });
      expect([name, readFileSync(path.join(workspace.dir, name)).equals(held)]).toEqual([name, true]);
    }
    const env = { ...withoutSettings(), GIT_CONFIG_GLOBAL: home.path("settings") };
    const status = execFileSync("git", ["status", "--porcelain"], {
      cwd: workspace.dir,
      env,
      encoding: "utf8",
    });
    expect(status).toBe("");
    expect(existsSync(mark)).toBe(false);
  },
);

verifies(
  "security.s47",
  "contents of any size are complete, and links, programs and submodules keep their type",
  async () => {
    using repo = repository();
    const sizes = [0, 1, 65_535, 65_536, 65_537, 262_143, 262_144, 262_145, 1_000_000];
    for (const [n, size] of sizes.entries()) writeFileSync(repo.path(`${n}`), randomBytes(size));
    writeFileSync(repo.path("lines"), "\n".repeat(1000));
    mkdirSync(repo.path("deep/er"), { recursive: true });
    writeFileSync(repo.path("deep/er/program"), "#!/bin/sh\n", { mode: 0o755 });
    symlinkSync("../nowhere", repo.path("deep/link"));
    if (process.platform === "linux") {
      writeFileSync(Buffer.from(repo.path("odd\xFF"), "latin1"), "odd");
      writeFileSync(repo.path('line\nbreak "quoted"'), "odd");
    }
    gitIn(repo.dir, "add", ".");
    const head = gitIn(repo.dir, "rev-parse", "HEAD");
    gitIn(repo.dir, "update-index", "--add", "--cacheinfo", `160000,${head},deep/module`);
    gitIn(repo.dir, "commit", "--quiet", "-m", "all");
    await using workspace = await Workspace.worktree({ repo: repo.dir, allowedRoots: [repo.dir] });
    const hashes = (dir: string): unknown[] =>
      sizes.map((_, n) =>
        createHash("sha1")
          .update(readFileSync(path.join(dir, `${n}`)))
          .digest("hex"),
      );
    expect(hashes(workspace.dir)).toEqual(hashes(repo.dir));
    expect(readlinkSync(path.join(workspace.dir, "deep/link"))).toBe("../nowhere");
    expect(lstatSync(path.join(workspace.dir, "deep/er/program")).mode & 0o111).toBe(0o111);
    expect(readdirSync(path.join(workspace.dir, "deep/module"))).toEqual([]);
    expect(gitIn(workspace.dir, "status", "--porcelain")).toBe("");
    // Makes git read and hash the files again instead of trusting the index.
    gitIn(workspace.dir, "update-index", "--really-refresh");
    expect(gitIn(workspace.dir, "-c", "core.checkStat=minimal", "diff", "--stat", "HEAD")).toBe("");
  },
);
