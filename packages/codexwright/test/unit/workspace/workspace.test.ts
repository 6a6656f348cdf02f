import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { definePrompt } from "codexwright/agent";
import {
  Workspace,
  WorkspaceBudgetExceededError,
  WorkspaceSecurityError,
  type Mount,
} from "codexwright/workspace";
import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { filesIn, folder } from "./folders.ts";

const FILES = {
  "src/a.ts": "aaa",
  "src/deep/b.ts": "bb",
  "src/deep/c.md": "c",
  ".git/config": "[core]",
  ".env": "SECRET",
  "node_modules/x/index.js": "x",
};

verifies(["agent.R48", "agent.R53"], "copies mounts into a separate folder", async () => {
  using repo = folder(FILES);
  chmodSync(repo.path("src/a.ts"), 0o755);
  await using workspace = await Workspace.create({
    mounts: [
      { from: repo.dir, to: "repo" },
      { from: repo.path("src/a.ts"), to: "one/file.ts" },
    ],
    allowedRoots: [repo.dir],
  });
  expect(filesIn(path.join(workspace.dir, "repo"))).toEqual(Object.keys(FILES).toSorted());
  expect(readFileSync(path.join(workspace.dir, "one/file.ts"), "utf8")).toBe("aaa");
  expect(statSync(path.join(workspace.dir, "repo/src/a.ts")).mode & 0o111).not.toBe(0);
  expect(workspace.mounts.map(({ to, kind, bytes }) => [to, kind, bytes])).toEqual([
    ["repo", "directory", 19],
    ["one/file.ts", "file", 3],
  ]);
  writeFileSync(path.join(workspace.dir, "repo/src/a.ts"), "changed");
  expect(readFileSync(repo.path("src/a.ts"), "utf8")).toBe("aaa");
});

verifies(
  "agent.workspace.globs",
  "globs include and exclude; exclude takes precedence, and omits a matching folder completely",
  async () => {
    using repo = folder(FILES);
    const files = async (include: string[], exclude: string[] = []): Promise<readonly string[]> => {
      const mounts = [{ from: repo.dir, to: "r", include, exclude }];
      await using workspace = await Workspace.create({ mounts, allowedRoots: [repo.dir] });
      expect(filesIn(path.join(workspace.dir, "r"))).toEqual(workspace.mounts[0]?.files);
      return workspace.mounts[0]?.files ?? [];
    };
    expect(await files(["**/*.ts"])).toEqual(["src/a.ts", "src/deep/b.ts"]);
    expect(await files(["src/*.ts"])).toEqual(["src/a.ts"]);
    expect(await files([], ["**/.git/**", "node_modules"])).toEqual([
      ".env",
      "src/a.ts",
      "src/deep/b.ts",
      "src/deep/c.md",
    ]);
    expect(await files(["**"], ["src/deep/**", "**/.*", "**/node_modules/**"])).toEqual(["src/a.ts"]);
    expect(await files(["nothing"])).toEqual([]);
  },
);

verifies(
  "agent.workspace.budget",
  "budgets of a mount and of all mounts stop the copy, and nothing is left behind",
  async () => {
    using repo = folder({ a: "123", b: "4" });
    using parent = folder();
    const create = async (maxBytes: number | undefined, total?: number) =>
      Workspace.create({
        mounts: [{ from: repo.dir, maxBytes }],
        maxBytes: total,
        allowedRoots: [repo.dir],
        parent: parent.dir,
      });
    const mount = await rejection(create(3));
    expect(mount).toBeInstanceOf(WorkspaceBudgetExceededError);
    expect(mount).toMatchObject({
      code: "workspace_budget_exceeded",
      message: "Mount exceeds byte budget: 4 > 3",
    });
    expect(await rejection(create(undefined, 2))).toMatchObject({
      scope: "workspace",
      bytes: 3,
      maxBytes: 2,
    });
    expect(await rejection(create(0))).toMatchObject({ scope: "mount" });
    expect(await rejection(create(-1))).toMatchObject({ code: "invalid_argument" });
    expect(readdirSync(parent.dir)).toEqual([]);
    await using fits = await create(4, 4);
    expect(fits.mounts[0]?.bytes).toBe(4);
  },
);

verifies(["agent.R114", "agent.workspace.roots"], "reads only files under an allowed root", async () => {
  using inside = folder({ "sub/a": "a" });
  using outside = folder({ secret: "s" });
  symlinkSync(outside.dir, inside.path("way-out"));
  const create = async (from: string, allowedRoots: readonly string[] | "any" = [inside.dir]) =>
    rejection(Workspace.create({ mounts: [{ from }], allowedRoots }));
  expect(await create(outside.path("secret"))).toBeInstanceOf(WorkspaceSecurityError);
  // The link is in the middle of the path, so only resolving it shows where it leads.
  expect(await create(inside.path("way-out/secret"))).toMatchObject({ code: "workspace_security" });
  expect(await create(`${inside.dir}-other`, [inside.dir])).toMatchObject({ code: "file_not_found" });
  expect(await create(inside.dir, [])).toMatchObject({ code: "invalid_argument" });
  expect(await create("relative")).toMatchObject({ code: "invalid_argument" });
  await using any = await Workspace.create({
    mounts: [{ from: outside.path("secret") }],
    allowedRoots: "any",
  });
  expect(filesIn(any.dir)).toEqual(["secret"]);
});

verifies(
  "agent.workspace.roots",
  "rejects targets outside of the workspace, and a file that is written twice",
  async () => {
    using repo = folder({ a: "a" });
    const create = async (...targets: string[]) =>
      rejection(
        Workspace.create({ mounts: targets.map((to) => ({ from: repo.dir, to })), allowedRoots: [repo.dir] }),
      );
    for (const to of ["../x", "/abs", "a/../../x", "..\\x", "C:\\x"]) {
      expect(await create(to)).toMatchObject({ code: "workspace_security" });
    }
    expect(await create("same", "./same/")).toMatchObject({ code: "invalid_argument" });
  },
);

verifies("agent.workspace.symlinks", "skips links, or follows them only inside the mount", async () => {
  using outside = folder({ secret: "s" });
  using repo = folder({ "real/file": "f" });
  symlinkSync(repo.path("real"), repo.path("folder-link"));
  symlinkSync("real/file", repo.path("file-link"));
  symlinkSync("..", repo.path("real/loop"));
  symlinkSync("nowhere", repo.path("broken"));
  const create = async (followSymlinks: boolean) =>
    Workspace.create({ mounts: [{ from: repo.dir, to: "r", followSymlinks }], allowedRoots: "any" });
  {
    await using workspace = await create(false);
    expect(workspace.mounts[0]).toMatchObject({
      files: ["real/file"],
      skipped: ["broken", "file-link", "folder-link", "real/loop"],
    });
    expect(filesIn(workspace.dir)).toEqual(["r/real/file"]);
  }
  {
    await using workspace = await create(true);
    expect(workspace.mounts[0]?.files).toEqual(["file-link", "folder-link/file", "real/file"]);
    expect(workspace.mounts[0]?.skipped).toEqual(["broken", "folder-link/loop", "real/loop"]);
  }
  symlinkSync(outside.path("secret"), repo.path("way-out"));
  expect(await rejection(create(true))).toMatchObject({
    code: "workspace_security",
    path: repo.path("way-out"),
  });
  await using skipped = await create(false);
  expect(filesIn(skipped.dir)).toEqual(["r/real/file"]);
});

verifies(
  "agent.workspace.symlinks",
  "detects a mount that is itself a link before resolving it",
  async () => {
    using roots = folder({ passwd: "root" });
    symlinkSync(roots.path("passwd"), roots.path("innocent.txt"));
    const create = async (followSymlinks: boolean) =>
      Workspace.create({
        mounts: [{ from: roots.path("innocent.txt"), followSymlinks }],
        allowedRoots: [roots.dir],
      });
    expect(await rejection(create(false))).toMatchObject({
      code: "workspace_security",
      message: expect.stringContaining("is a symbolic link") as string,
    });
    await using followed = await create(true);
    expect(readFileSync(path.join(followed.dir, "innocent.txt"), "utf8")).toBe("root");
  },
);

verifies(
  ["agent.R46", "agent.R52"],
  "the fingerprint depends on the settings, but not on their order",
  async () => {
    using repo = folder({ "a/x": "1", "b/x": "1" });
    const print = async (
      change: Partial<Parameters<typeof Workspace.create>[0]> = {},
      swap = false,
      follow = false,
    ) => {
      const a = { from: repo.path("a"), include: ["**", "x"], followSymlinks: follow };
      const b = { maxBytes: 9, from: repo.path("b") };
      const mounts = swap ? [b, { ...a, include: ["x", "**"] }] : [a, b];
      await using workspace = await Workspace.create({
        mounts,
        allowedRoots: [repo.dir, repo.path("a")],
        ...change,
      });
      return workspace.fingerprint;
    };
    const plain = await print();
    expect(plain).toMatch(/^[0-9a-f]{64}$/);
    expect(await print({ allowedRoots: [repo.path("a"), repo.dir] }, true)).toBe(plain);
    expect(await print({ maxBytes: 50 })).not.toBe(plain);
    expect(await print({ allowedRoots: "any" })).not.toBe(plain);
    expect(await print({}, false, true)).not.toBe(plain);
    const hashed = await print({ contentHash: true });
    expect(await print({ contentHash: true })).toBe(hashed);
    writeFileSync(repo.path("a/x"), "2");
    expect(await print()).toBe(plain);
    expect(await print({ contentHash: true })).not.toBe(hashed);
  },
);

verifies(
  ["agent.R50", "agent.R54"],
  "the section lists the files deterministically, whatever their names",
  async () => {
    const many = Object.fromEntries(
      Array.from({ length: 13 }, (_, n) => [`f${String(n).padStart(2, "0")}`, "1"]),
    );
    using repo = folder({ ...many, "cost$5.txt": "$", "${name}.txt": "$", "a\nb": "n" });
    await using workspace = await Workspace.create({
      mounts: [
        { from: repo.dir, to: "nested/repo", include: ["f*"], maxBytes: 100 },
        { from: repo.dir, to: "odd", exclude: ["f*"] },
      ],
      allowedRoots: [repo.dir],
    });
    const prompt = definePrompt({ id: "demo", sections: [workspace.section()] });
    expect(prompt.render({}).text).toBe(
      [
        "## 1. Workspace (workspace)\n",
        "The working directory holds copies of these files. Changes to them stay in the copies.\n",
        "**nested/repo** (directory):",
        ...Array.from({ length: 10 }, (_, n) => `  - f0${n}`),
        "  - ... and 3 more",
        "  - Total: 13 bytes",
        "  - Budget: 100 bytes\n",
        "**odd** (directory):",
        "  - ${name}.txt",
        "  - a\\nb",
        "  - cost$5.txt",
        "  - Total: 3 bytes",
      ].join("\n"),
    );
    await using empty = await Workspace.create({ mounts: [], allowedRoots: "any" });
    expect(definePrompt({ id: "demo", sections: [empty.section()] }).render({}).text).toContain(
      "\n\n- (no host mounts configured)",
    );
  },
);

verifies(
  ["agent.R46", "agent.R52"],
  "a fingerprint with contents depends on the files, but not on the order of the mounts",
  async () => {
    using repo = folder({ "a/x": "1", "b/y": "2" });
    const print = async (...mounts: Mount[]): Promise<string> => {
      await using workspace = await Workspace.create({ mounts, allowedRoots: "any", contentHash: true });
      return workspace.fingerprint;
    };
    for (const to of [undefined, ""]) {
      const [a, b] = [
        { from: repo.path("a"), to },
        { from: repo.path("b"), to },
      ];
      expect(await print(a, b)).toBe(await print(b, a));
    }
    const before = await print({ from: repo.path("a") });
    writeFileSync(repo.path("a/empty"), "");
    expect(await print({ from: repo.path("a") })).not.toBe(before);
  },
);

verifies(
  "agent.workspace.budget",
  "does not copy a workspace into itself if it is inside the copied folder",
  async () => {
    using repo = folder({ a: "12", "z/b": "34" });
    const mounts = [{ from: repo.dir, to: "repo", maxBytes: 4 }];
    await using workspace = await Workspace.create({ mounts, allowedRoots: "any", parent: repo.dir });
    expect(workspace.mounts).toMatchObject([{ files: ["a", "z/b"], bytes: 4 }]);
  },
);

verifies(
  "agent.workspace.globs",
  "skips a name that is not UTF-8, and copies the rest",
  async () => {
    using repo = folder({ a: "a" });
    writeFileSync(Buffer.from(repo.path("odd\xFF"), "latin1"), "odd");
    await using workspace = await Workspace.create({ mounts: [{ from: repo.dir }], allowedRoots: "any" });
    expect(workspace.mounts).toMatchObject([{ files: ["a"], skipped: ["odd\uFFFD"] }]);
  },
  { skip: unlessLinux },
);

verifies("agent.R51", "an abort also stops the copying of one large file", async () => {
  using repo = folder({ large: "x".repeat(5_000_000) });
  using parent = folder();
  const stop = new AbortController();
  // Aborts in the middle of the file.
  let asked = 0;
  Object.defineProperty(stop.signal, "aborted", { get: () => ++asked > 4 });
  const options = { mounts: [{ from: repo.dir }], allowedRoots: "any", parent: parent.dir } as const;
  const error = await rejection(Workspace.create({ ...options, signal: stop.signal }));
  expect(error).toMatchObject({ code: "aborted" });
  expect(readdirSync(parent.dir)).toEqual([]);
});

verifies("agent.R51", "disposing a workspace removes it once, and an abort leaves none behind", async () => {
  using repo = folder({ a: "a" });
  using parent = folder();
  const options = { mounts: [{ from: repo.dir }], allowedRoots: [repo.dir], parent: parent.dir };
  const workspace = await Workspace.create(options);
  expect(readdirSync(parent.dir)).toHaveLength(1);
  await workspace.checkpoint();
  await workspace[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
  expect(existsSync(workspace.dir)).toBe(false);
  const aborted = Workspace.create({ ...options, signal: AbortSignal.abort() });
  expect(await rejection(aborted)).toMatchObject({ code: "aborted" });
  expect(readdirSync(parent.dir)).toEqual([]);
});
