import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { Workspace } from "codexwright/workspace";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { folder, gitIn, repository, withoutSettings } from "../workspace/folders.ts";

/**
 * Returns the error that creating a worktree of a repository rejects with. Checks that nothing of the worktree is left.
 */
async function refused(repo: string, ref?: string): Promise<{ code: string }> {
  using parent = folder();
  const error = await rejection(Workspace.worktree({ repo, ref, allowedRoots: [repo], parent: parent.dir }));
  expect(readdirSync(parent.dir)).toEqual([]);
  const entries = path.join(repo, ".git/worktrees");
  expect(existsSync(entries) ? readdirSync(entries) : []).toEqual([]);
  return error as { code: string };
}

/** A multi-pack-index with a different name for its only pack. */
function withPackName(index: Buffer, name: string): Buffer {
  const count = index[6] ?? 0;
  const offset = (n: number): number => Number(index.readBigUInt64BE(16 + 12 * n));
  const chunks = Array.from({ length: count }, (_, n) => {
    const id = index.toString("latin1", 12 + 12 * n, 16 + 12 * n);
    if (id !== "PNAM") return { id, data: index.subarray(offset(n), offset(n + 1)) };
    const data = Buffer.alloc((Buffer.byteLength(name) + 4) & ~3);
    data.write(name);
    return { id, data };
  });
  const table = Buffer.alloc(12 * (count + 1));
  let at = 12 + table.length;
  for (const [n, { id, data }] of chunks.entries()) {
    table.write(id, 12 * n, "latin1");
    table.writeBigUInt64BE(BigInt(at), 12 * n + 4);
    at += data.length;
  }
  table.writeBigUInt64BE(BigInt(at), 12 * count + 4);
  const body = Buffer.concat([index.subarray(0, 12), table, ...chunks.map(({ data }) => data)]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

verifies("security.s46", "an index of packs does not lead outside the roots", async () => {
  using repo = repository();
  using outside = repository({ secret: "canary" });
  gitIn(outside.dir, "gc", "--quiet");
  gitIn(outside.dir, "multi-pack-index", "write");
  const packs = outside.path(".git/objects/pack");
  const pack = readdirSync(packs).find((name) => name.endsWith(".idx")) ?? "";
  const own = repo.path(".git/objects/pack");
  mkdirSync(own, { recursive: true });
  const index = readFileSync(path.join(packs, "multi-pack-index"));
  const name = path.relative(own, path.join(packs, pack));
  writeFileSync(path.join(own, "multi-pack-index"), withPackName(index, name));
  const ref = gitIn(outside.dir, "rev-parse", "HEAD");
  // Git itself follows this index.
  expect(gitIn(repo.dir, "show", `${ref}:secret`)).toBe("canary");
  expect(await refused(repo.dir, ref)).toMatchObject({ code: "git_failed" });
});

verifies("security.s46", "links between folders of references do not multiply the references", async () => {
  using repo = repository();
  const heads = repo.path(".git/refs/heads");
  // Each folder has two links to the next one, which makes 2^40 paths.
  for (let n = 0; n < 40; n++) {
    mkdirSync(path.join(heads, `d${n}`));
    for (const name of ["x", "y"]) symlinkSync(`../d${n + 1}`, path.join(heads, `d${n}`, name));
  }
  mkdirSync(path.join(heads, "d40"));
  expect(await refused(repo.dir)).toMatchObject({ code: "workspace_security" });
  // A circle.
  rmSync(heads, { recursive: true });
  mkdirSync(heads);
  symlinkSync("../heads", path.join(heads, "again"));
  expect(await refused(repo.dir)).toMatchObject({ code: "workspace_security" });
});

verifies("security.s46", "rejects references that are huge sparse files", async () => {
  for (const file of ["packed-refs", "refs/heads/main", "HEAD", "refs/tags/v1"]) {
    using repo = repository();
    const place = repo.path(".git", file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, "", { flag: "a" });
    truncateSync(place, 2 ** 40);
    expect([file, await refused(repo.dir)]).toMatchObject([file, { code: "workspace_security" }]);
  }
});

verifies("security.s46", "rejects a very long list of alternates", async () => {
  using repo = repository();
  mkdirSync(repo.path(".git/objects/info"), { recursive: true });
  writeFileSync(repo.path(".git/objects/info/alternates"), "./\n".repeat(300_000));
  expect(await refused(repo.dir)).toMatchObject({ code: "workspace_security" });
});

verifies("security.s46", "rejects unresolvable pointers with typed errors", async () => {
  using template = repository();
  const long = "n".repeat(300);
  for (const target of ["a\0b", "a/b/c", long, "self", `${"x/".repeat(3000)}x`]) {
    for (const file of [".git", ".git/commondir", ".git/objects/info/alternates"]) {
      using repo = folder();
      cpSync(template.dir, repo.dir, { recursive: true });
      const place = repo.path(file);
      rmSync(place, { recursive: true, force: true });
      mkdirSync(path.dirname(place), { recursive: true });
      if (target === "self") symlinkSync(path.basename(file), place);
      else writeFileSync(place, file === ".git" ? `gitdir: ${target}\n` : `${target}\n`);
      // Git ignores alternates that do not exist.
      if (file.endsWith("alternates") && target === "a/b/c") continue;
      const { code } = await refused(repo.dir);
      expect([file, code]).toEqual([
        file,
        expect.stringMatching(/^(workspace_security|git_failed|file_not_found)$/),
      ]);
    }
  }
});

verifies(
  "security.s47",
  "rejects a small repository that expands to very many files or folders",
  async () => {
    using repo = repository();
    const treeOf = (entries: readonly string[]): string =>
      execFileSync("git", ["mktree", "-z"], {
        cwd: repo.dir,
        input: entries.map((entry) => `${entry}\0`).join(""),
        env: withoutSettings(),
        encoding: "utf8",
      }).trim();
    const blob = gitIn(repo.dir, "rev-parse", "HEAD:a");
    const commit = gitIn(repo.dir, "rev-parse", "HEAD");
    const ten = Array.from({ length: 10 }, (_, n) => n);
    const leaves = [ten.map((n) => `100644 blob ${blob}\t${n}`), [], [`160000 commit ${commit}\tmodule`]];
    for (const leaf of leaves) {
      let tree = treeOf(leaf);
      // 10^20 files.
      for (let n = 0; n < 20; n++) {
        const id = tree;
        tree = treeOf(ten.map((name) => `040000 tree ${id}\t${name}`));
      }
      const ref = gitIn(repo.dir, "commit-tree", "-m", "bomb", tree);
      expect(await refused(repo.dir, ref)).toMatchObject({
        code: "git_failed",
        message: expect.stringContaining("1000000 files and folders") as string,
      });
    }
  },
  { timeoutMs: 120_000 },
);
