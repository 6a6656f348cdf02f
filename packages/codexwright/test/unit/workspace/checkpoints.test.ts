import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Workspace } from "codexwright/workspace";
import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { onBun, unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { filesIn, folder, gitIn } from "./folders.ts";

/** The properties of the files in a folder that a checkpoint guarantees. */
function state(dir: string): unknown[] {
  return filesIn(dir).map((file) => {
    const at = path.join(dir, file);
    try {
      return [file, "link", readlinkSync(at)];
    } catch {
      return [file, statSync(at).mode & 0o100, readFileSync(at, "base64")];
    }
  });
}

verifies("agent.workspace.checkpoints", "a revert restores all files, including ignored ones", async () => {
  using outside = folder({ kept: "outside" });
  using repo = folder({
    ".gitignore": ".env\nnode_modules\n",
    ".env": "SECRET=1",
    "node_modules/x.js": "x",
    ".gitattributes": "* text eol=crlf\n",
    "text.txt": "one\ntwo\n",
    "bytes.bin": "\u0000\u0001\r\n",
    "run.sh": "#!/bin/sh",
    "folder/in/it": "deep",
    "file-then-folder": "f",
    "odd\nname é": "odd",
    'quo"ted': "q",
    '"quoted"': "q",
    "back\\slash": "b",
    "tab\t": "t",
    "return\r": "r",
  });
  chmodSync(repo.path("run.sh"), 0o755);
  await using workspace = await Workspace.create({
    mounts: [{ from: repo.dir, to: "" }],
    allowedRoots: [repo.dir],
  });
  const at = (...parts: string[]): string => path.join(workspace.dir, ...parts);
  symlinkSync("text.txt", at("link"));
  const before = state(workspace.dir);
  const checkpoint = await workspace.checkpoint();

  writeFileSync(at("text.txt"), "changed");
  writeFileSync(at(".env"), "SECRET=2");
  rmSync(at("node_modules"), { recursive: true });
  writeFileSync(at("new file"), "new");
  chmodSync(at("run.sh"), 0o644);
  rmSync(at("link"));
  symlinkSync("elsewhere", at("link"));
  rmSync(at("file-then-folder"));
  mkdirSync(at("file-then-folder"));
  writeFileSync(at("file-then-folder/x"), "x");
  // A folder that became a link to the outside must not be written through.
  rmSync(at("folder"), { recursive: true });
  symlinkSync(outside.dir, at("folder"));
  for (const name of ["odd\nname é", 'quo"ted', '"quoted"', "back\\slash", "tab\t", "return\r"])
    rmSync(at(name));

  const changed = await workspace.revert(checkpoint);
  expect(state(workspace.dir)).toEqual(before);
  expect(changed).toContain("text.txt");
  expect(changed).not.toContain("bytes.bin");
  expect(filesIn(outside.dir)).toEqual(["kept"]);
  expect(await workspace.diff(checkpoint)).toBe("");
});

verifies(
  "agent.workspace.checkpoints",
  "supports names that are not UTF-8",
  async () => {
    await using workspace = await Workspace.create({ mounts: [], allowedRoots: "any" });
    const at = (name: string): Buffer => Buffer.from(`${workspace.dir}/${name}`, "latin1");
    mkdirSync(at("folder\xFF"));
    writeFileSync(at("folder\xFF/file\xE9"), "before");
    symlinkSync(Buffer.from("nowhere\xFE", "latin1"), at("link\xFF"));
    const checkpoint = await workspace.checkpoint();
    writeFileSync(at("folder\xFF/file\xE9"), "after");
    writeFileSync(at("new\xFF"), "new");
    rmSync(at("link\xFF"));
    expect(await workspace.diff(checkpoint)).toContain("-before");
    expect(await workspace.revert(checkpoint)).toHaveLength(3);
    expect(readFileSync(at("folder\xFF/file\xE9"), "utf8")).toBe("before");
    expect(readlinkSync(at("link\xFF"), "latin1")).toBe("nowhere\xFE");
    expect(existsSync(at("new\xFF"))).toBe(false);
  },
  { skip: unlessLinux },
);

verifies(
  "agent.workspace.checkpoints",
  "a folder may have any number of files",
  () => {
    // So many that passing them as arguments would overflow the stack.
    const script = `
    import { mkdirSync, writeFileSync } from "node:fs";
    import { Workspace } from "codexwright/workspace";
    const workspace = await Workspace.create({ mounts: [], allowedRoots: "any" });
    try {
      mkdirSync(workspace.dir + "/many");
      for (let n = 0; n < 11_000; n++) writeFileSync(workspace.dir + "/many/" + n, "");
      console.log((await workspace.checkpoint()).tree.length);
    } finally {
      await workspace[Symbol.asyncDispose]();
    }`;
    const args = ["--stack-size=80", "--input-type=module", "--eval", script];
    expect(execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" })).toBe("64\n");
  },
  { timeoutMs: 120_000, skip: onBun("Bun has no option for the size of the stack") },
);

verifies(
  "agent.workspace.checkpoints",
  "a diff contains the changes between two checkpoints, or since one",
  async () => {
    using repo = folder({ "a.txt": "one\n" });
    await using workspace = await Workspace.create({
      mounts: [{ from: repo.dir, to: "" }],
      allowedRoots: [repo.dir],
    });
    const first = await workspace.checkpoint();
    writeFileSync(path.join(workspace.dir, "a.txt"), "two\n");
    const second = await workspace.checkpoint();
    writeFileSync(path.join(workspace.dir, "b.txt"), "new\n");
    const until = await workspace.diff(first);
    const between = await workspace.diff(first, second);
    expect(between).toMatch(/^diff --git a\/a.txt b\/a.txt\n[^]*\n-one\n\+two\n$/);
    expect(between).not.toContain("b.txt");
    expect(until).toContain("+++ b/b.txt\n@@ -0,0 +1 @@\n+new\n");
    await using other = await Workspace.create({ mounts: [], allowedRoots: "any" });
    expect(await rejection(other.revert({ tree: first.tree }))).toMatchObject({ code: "invalid_argument" });
  },
);

verifies(
  ["agent.workspace.worktree", "agent.workspace.checkpoints"],
  "a worktree is a separate checkout; files, index and references of the user do not change",
  async () => {
    using repo = folder({ "a.txt": "one\n", ".gitignore": ".env\n" });
    gitIn(repo.dir, "init", "--quiet", "-b", "main");
    gitIn(repo.dir, "add", ".");
    gitIn(repo.dir, "commit", "--quiet", "-m", "first");
    const marker = repo.path("hook-ran");
    writeFileSync(repo.path(".git/hooks/post-checkout"), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    writeFileSync(repo.path("a.txt"), "uncommitted\n");
    writeFileSync(repo.path(".env"), "mine");
    const users = (): unknown => [
      gitIn(repo.dir, "for-each-ref"),
      gitIn(repo.dir, "status", "--porcelain"),
      gitIn(repo.dir, "ls-files", "--stage"),
      gitIn(repo.dir, "count-objects"),
      readFileSync(repo.path(".env"), "utf8"),
    ];
    const before = users();
    {
      await using workspace = await Workspace.worktree({ repo: repo.dir, allowedRoots: [repo.dir] });
      expect(readFileSync(path.join(workspace.dir, "a.txt"), "utf8")).toBe("one\n");
      expect(gitIn(repo.dir, "worktree", "list", "--porcelain")).toContain(workspace.dir);
      const checkpoint = await workspace.checkpoint();
      writeFileSync(path.join(workspace.dir, "a.txt"), "changed\n");
      writeFileSync(path.join(workspace.dir, ".env"), "theirs");
      expect(await workspace.diff(checkpoint)).toContain("+changed");
      expect(await workspace.revert(checkpoint)).toEqual([".env", "a.txt"]);
      expect(gitIn(workspace.dir, "status", "--porcelain")).toBe("");
      expect(workspace.section().body).toMatch(
        /^The working directory is a git worktree of .* at commit [0-9a-f]{12}\.$/,
      );
      expect(users()).toEqual(before);
    }
    expect(users()).toEqual(before);
    expect(gitIn(repo.dir, "worktree", "list").split("\n")).toHaveLength(1);
    expect(existsSync(marker)).toBe(false);
  },
);

verifies(
  "agent.workspace.worktree",
  "rejects a worktree that cannot be checked out, and leaves nothing behind",
  async () => {
    using repo = folder({ a: "a" });
    using outside = folder();
    const worktree = async (options: { repo?: string; ref?: string }) =>
      rejection(Workspace.worktree({ repo: repo.dir, allowedRoots: [repo.dir], ...options }));
    expect(await worktree({})).toMatchObject({ code: "git_failed" });
    gitIn(repo.dir, "init", "--quiet");
    expect(await worktree({ ref: "--help" })).toMatchObject({ code: "git_failed" });
    expect(await worktree({ repo: outside.dir })).toMatchObject({ code: "workspace_security" });
    expect(await worktree({ repo: "relative" })).toMatchObject({ code: "invalid_argument" });
  },
);

verifies(
  ["agent.workspace.worktree", "agent.workspace.roots"],
  "allowing a folder does not give access to the repository around it",
  async () => {
    using repo = folder({ secret: "s", "part/a": "a" });
    gitIn(repo.dir, "init", "--quiet");
    gitIn(repo.dir, "add", ".");
    gitIn(repo.dir, "commit", "--quiet", "-m", "first");
    const options = { repo: repo.path("part"), allowedRoots: [repo.path("part")] };
    expect(await rejection(Workspace.worktree(options))).toMatchObject({ code: "workspace_security" });
    await using whole = await Workspace.worktree({ ...options, allowedRoots: [repo.dir] });
    expect(filesIn(whole.dir)).toContain("secret");
    gitIn(repo.dir, "clone", "--quiet", "--bare", ".", "bare.git");
    const bare = { repo: repo.path("bare.git"), allowedRoots: [repo.path("bare.git")] };
    await using checkout = await Workspace.worktree(bare);
    expect(filesIn(checkout.dir)).toContain("part/a");
  },
);

verifies(
  "agent.workspace.checkpoints",
  "files that appear and disappear do not break a checkpoint",
  async () => {
    const workspace = await Workspace.create({ mounts: [], allowedRoots: "any" });
    for (let n = 0; n < 200; n++) writeFileSync(path.join(workspace.dir, `${n}`), "kept");
    const enough = new AbortController();
    const program = (async () => {
      for (let n = 0; !enough.signal.aborted; n++) {
        const file = path.join(workspace.dir, `temporary-${n % 20}`);
        await writeFile(file, "x");
        await rm(file);
      }
    })();
    try {
      const first = await workspace.checkpoint();
      writeFileSync(path.join(workspace.dir, "0"), "changed");
      expect(await workspace.diff(first)).toContain("+changed");
    } finally {
      enough.abort();
      await program;
      await workspace[Symbol.asyncDispose]();
    }
  },
);

verifies(
  "agent.R51",
  "a checkpoint during or after the close of its workspace leaves nothing behind",
  async () => {
    using parent = folder();
    for (const late of [false, true]) {
      const workspace = await Workspace.create({ mounts: [], allowedRoots: "any", parent: parent.dir });
      const disposed = late ? workspace[Symbol.asyncDispose]() : undefined;
      const taken = workspace.checkpoint().catch((error: unknown) => error);
      await (disposed ?? workspace[Symbol.asyncDispose]());
      expect(await taken).toMatchObject(late ? { code: "invalid_argument" } : { tree: expect.any(String) });
      expect(readdirSync(parent.dir)).toEqual([]);
    }
  },
);

verifies(
  "agent.workspace.checkpoints",
  "applying a patch turns the earlier files into the later ones",
  async () => {
    using before = folder({
      "a b/changed": "one\n",
      gone: "gone\n",
      'quo"ted': "q\n",
      "run.sh": "run\n",
      "empty-then-not": "",
      "file-then-link": "f\n",
      "é/b b/gone": "no end of line",
    });
    symlinkSync("one", before.path("link"));
    await using workspace = await Workspace.create({ mounts: [], allowedRoots: "any" });
    const at = (...parts: string[]): string => path.join(workspace.dir, ...parts);
    cpSync(before.dir, workspace.dir, { recursive: true, verbatimSymlinks: true });
    const checkpoint = await workspace.checkpoint();
    writeFileSync(at("a b/changed"), "two\ndiff --git a/x a/x\n");
    rmSync(at("gone"));
    rmSync(at("é"), { recursive: true });
    writeFileSync(at("new b b new"), "new\n");
    writeFileSync(at('new "quoted" é'), "new\n");
    writeFileSync(at("empty"), "");
    writeFileSync(at("empty-then-not"), "x\n");
    chmodSync(at("run.sh"), 0o755);
    for (const name of ["link", "file-then-link"]) {
      rmSync(at(name));
      symlinkSync("two", at(name));
    }
    const patch = await workspace.diff(checkpoint);
    expect(patch).toContain("diff --git a/gone b/gone\ndeleted file mode 100644\n");
    expect(patch).toContain("diff --git a/new b b new b/new b b new\nnew file mode 100644\n");
    execFileSync("git", ["apply", "-"], { cwd: before.dir, input: patch });
    expect(state(before.dir)).toEqual(state(workspace.dir));
  },
);
