import {
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { Workspace } from "codexwright/workspace";
import { rejection } from "@codexwright/test-support/events";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { filesIn, folder, gitIn, pipeAt, type Folder } from "../workspace/folders.ts";

/** The current locations of the parts of a repository. */
interface Parts {
  readonly top: string;
  gitDir: string;
  commonDir: string;
  objects: string;
}

/** Moves a part of a repository into a folder and leaves a pointer to it. */
type Redirection = (parts: Parts, to: string) => void;

function link(from: string, to: string): string {
  renameSync(from, to);
  symlinkSync(to, from);
  return to;
}

function moveGitDir(parts: Parts, to: string): void {
  parts.gitDir = to;
  parts.commonDir = to;
  parts.objects = path.join(to, "objects");
}

function alternates(parts: Parts, to: string, text: (place: string) => string): void {
  renameSync(parts.objects, to);
  mkdirSync(path.join(parts.objects, "info"), { recursive: true });
  writeFileSync(path.join(parts.objects, "info/alternates"), text(to));
  parts.objects = to;
}

function linkAll(dir: string, names: RegExp, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(dir)) if (names.test(name)) link(path.join(dir, name), path.join(to, name));
}

const REDIRECTIONS: Readonly<Record<string, Redirection>> = {
  "a .git file": (parts, to) => {
    const dotGit = path.join(parts.top, ".git");
    renameSync(dotGit, to);
    writeFileSync(dotGit, `gitdir: ${path.relative(parts.top, to)}\n`);
    moveGitDir(parts, to);
  },
  "a .git link": (parts, to) => {
    link(path.join(parts.top, ".git"), to);
    moveGitDir(parts, to);
  },
  commondir: (parts, to) => {
    renameSync(parts.gitDir, to);
    mkdirSync(parts.gitDir);
    cpSync(path.join(to, "HEAD"), path.join(parts.gitDir, "HEAD"));
    writeFileSync(path.join(parts.gitDir, "commondir"), `${to}\n`);
    parts.commonDir = to;
    parts.objects = path.join(to, "objects");
  },
  "an absolute alternate": (parts, to) => alternates(parts, to, (place) => `# some\n\n${place}\n`),
  "a relative alternate": (parts, to) => {
    const from = parts.objects;
    alternates(parts, to, (place) => `${path.relative(from, place)}\n`);
  },
  "a quoted alternate": (parts, to) =>
    alternates(parts, to, (place) => `"${place.replace("e", String.raw`\145`)}"\n`),
  "a linked list of alternates": (parts, to) => {
    alternates(parts, to, (place) => `${place}\n`);
    const list = path.join(parts.commonDir, "objects/info/alternates");
    if (filesIn(path.dirname(list)).length > 0) link(list, `${to}-list`);
  },
  "linked objects": (parts, to) => {
    parts.objects = link(parts.objects, to);
  },
  "a linked pack folder": ({ objects }, to) => void link(path.join(objects, "pack"), to),
  "linked packs": ({ objects }, to) => linkAll(path.join(objects, "pack"), /./, to),
  "linked folders of objects": ({ objects }, to) => linkAll(objects, /^[0-9a-f]{2}$/, to),
  "linked loose objects": ({ objects }, to) => {
    for (const name of readdirSync(objects)) {
      if (/^[0-9a-f]{2}$/.test(name)) linkAll(path.join(objects, name), /./, `${to}-${name}`);
    }
  },
  "linked references": ({ commonDir }, to) => void link(path.join(commonDir, "refs"), to),
  "a linked branch": ({ commonDir }, to) => linkAll(path.join(commonDir, "refs/heads"), /./, to),
  "linked packed references": ({ commonDir }, to) => void link(path.join(commonDir, "packed-refs"), to),
  "a linked HEAD": ({ gitDir }, to) => void link(path.join(gitDir, "HEAD"), to),
  "a linked configuration": ({ commonDir }, to) => void link(path.join(commonDir, "config"), to),
};

const NAMES = Object.keys(REDIRECTIONS);

/** A repository with packed and loose objects and references. */
function template(): Folder {
  const repo = folder({ packed: "packed canary", ".gitignore": "x\n" });
  gitIn(repo.dir, "init", "--quiet", "--template=", "-b", "main");
  gitIn(repo.dir, "add", ".");
  gitIn(repo.dir, "commit", "--quiet", "-m", "one");
  gitIn(repo.dir, "tag", "v1");
  gitIn(repo.dir, "gc", "--quiet");
  writeFileSync(repo.path("loose"), "loose canary");
  gitIn(repo.dir, "add", ".");
  gitIn(repo.dir, "commit", "--quiet", "-m", "two");
  return repo;
}

interface Step {
  readonly name: string;
  readonly outside: boolean;
}

/** A copy of the template in `roots`, with some parts moved. */
function redirected(from: Folder, roots: Folder, outside: Folder, steps: readonly Step[]): string {
  const top = roots.path("repo");
  cpSync(from.dir, top, { recursive: true });
  const gitDir = path.join(top, ".git");
  const parts: Parts = { top, gitDir, commonDir: gitDir, objects: path.join(gitDir, "objects") };
  for (const [n, step] of steps.entries()) {
    const place = step.outside ? outside : roots;
    REDIRECTIONS[step.name]?.(parts, place.path(`${n}-moved`));
  }
  return top;
}

const made = { packed: "packed canary", loose: "loose canary" };

async function checkRedirected(from: Folder, steps: readonly Step[]): Promise<void> {
  using roots = folder();
  using outside = folder();
  using parent = folder();
  const repo = redirected(from, roots, outside, steps);
  const attempt = Workspace.worktree({ repo, allowedRoots: [roots.dir], parent: parent.dir });
  if (filesIn(outside.dir).length > 0) {
    const error = await rejection(attempt);
    expect(error).toMatchObject({ code: "workspace_security" });
    expect((error as { path: string }).path).toMatch(/^\//);
    expect(readdirSync(parent.dir)).toEqual([]);
    return;
  }
  await using workspace = await attempt;
  for (const [name, text] of Object.entries(made)) {
    expect(readFileSync(path.join(workspace.dir, name), "utf8")).toBe(text);
  }
  expect(gitIn(workspace.dir, "status", "--porcelain")).toBe("");
}

verifies(
  "security.s46",
  "rejects each way out of the roots",
  async () => {
    using from = template();
    for (const name of NAMES) await checkRedirected(from, [{ name, outside: true }]);
  },
  { timeoutMs: 120_000 },
);

verifies(
  "security.s46",
  "git itself follows each way out of the roots",
  () => {
    using from = template();
    // Git rejects a HEAD that is a link, except to a reference.
    for (const name of NAMES.filter((each) => each !== "a linked HEAD")) {
      using roots = folder();
      using outside = folder();
      const repo = redirected(from, roots, outside, [{ name, outside: true }]);
      gitIn(repo, "worktree", "add", "--quiet", "--detach", roots.path("by-git"));
      expect([name, readFileSync(roots.path("by-git/loose"), "utf8")]).toEqual([name, "loose canary"]);
    }
  },
  { timeoutMs: 120_000 },
);

verifies(
  "security.s46",
  "follows pointers inside the roots and rejects the repository if one leads outside",
  async () => {
    using from = template();
    // One way for each part, because a part that is already a link cannot be moved again.
    const groups = [NAMES.slice(0, 3), NAMES.slice(3, 8), NAMES.slice(8, 12), NAMES.slice(12)];
    const steps = fc.tuple(
      ...groups.map((names) =>
        fc.option(fc.record({ name: fc.constantFrom(...names), outside: fc.nat(5).map((n) => n === 0) }), {
          freq: 3,
        }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(steps, async (found) =>
        checkRedirected(
          from,
          found.filter((step) => step !== null),
        ),
      ),
      { seed: 15, numRuns: 15 },
    );
  },
  { timeoutMs: 120_000 },
);

verifies(
  "security.s46",
  "accepts worktrees, shared clones and separate git folders inside the roots",
  async () => {
    using from = template();
    using roots = folder();
    cpSync(from.dir, roots.path("main"), { recursive: true });
    gitIn(roots.path("main"), "worktree", "add", "--quiet", "-b", "side", roots.path("linked"));
    gitIn(roots.dir, "clone", "--quiet", "--shared", "main", "shared");
    gitIn(roots.dir, "clone", "--quiet", "--separate-git-dir=apart.git", "main", "apart");
    gitIn(roots.dir, "clone", "--quiet", "--mirror", "main", "mirror.git");
    mkdirSync(roots.path("linked/deep/folder"), { recursive: true });
    for (const repo of ["main", "linked", "linked/deep/folder", "shared", "apart", "mirror.git"]) {
      await using workspace = await Workspace.worktree({ repo: roots.path(repo), allowedRoots: [roots.dir] });
      expect(readFileSync(path.join(workspace.dir, "loose"), "utf8")).toBe("loose canary");
      expect(gitIn(workspace.dir, "status", "--porcelain")).toBe("");
    }
    const alone = { repo: roots.path("linked"), allowedRoots: [roots.path("linked")] };
    expect(await rejection(Workspace.worktree(alone))).toMatchObject({ code: "workspace_security" });
  },
  { timeoutMs: 120_000 },
);

verifies("security.s46", "does not write the entry of a worktree through a link", async () => {
  using repo = template();
  using outside = folder();
  symlinkSync(outside.dir, repo.path(".git/worktrees"));
  const attempt = Workspace.worktree({ repo: repo.dir, allowedRoots: [repo.dir] });
  expect(await rejection(attempt)).toMatchObject({ code: "workspace_security" });
  expect(readdirSync(outside.dir)).toEqual([]);
});

verifies(
  "security.s46",
  "does not wait for a named pipe that replaces a file",
  async () => {
    using from = template();
    for (const file of [
      "HEAD",
      "config",
      "commondir",
      "packed-refs",
      "objects/pack/pack-0.idx",
      "objects/info/alternates",
    ]) {
      using roots = folder();
      cpSync(from.dir, roots.path("repo"), { recursive: true });
      const place = roots.path("repo/.git", file);
      rmSync(place, { force: true });
      pipeAt(place);
      const attempt = Workspace.worktree({ repo: roots.path("repo"), allowedRoots: [roots.dir] });
      const { code } = (await rejection(attempt)) as { code: string };
      expect([file, code]).toEqual([file, "workspace_security"]);
    }
  },
  { timeoutMs: 120_000, skip: onWindows },
);

verifies(
  "security.s46",
  "rejects a repository of another user",
  async () => {
    using repo = template();
    chownSync(repo.path(".git"), 12_345, 12_345);
    const attempt = Workspace.worktree({ repo: repo.dir, allowedRoots: [repo.dir] });
    expect(await rejection(attempt)).toMatchObject({ code: "workspace_security", path: repo.dir });
    using home = folder({ ".gitconfig": `[safe]\n\tdirectory = ${repo.dir}\n` });
    const before = process.env["HOME"];
    try {
      process.env["HOME"] = home.dir;
      await using workspace = await Workspace.worktree({ repo: repo.dir, allowedRoots: [repo.dir] });
      expect(filesIn(workspace.dir)).toContain("loose");
    } finally {
      process.env["HOME"] = before;
    }
  },
  { skip: process.geteuid?.() !== 0 && "only root can change the owner of files" },
);
