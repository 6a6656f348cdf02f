import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { FolderNotRemovedError, Workspace } from "codexwright/workspace";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { nest } from "../system/nest.ts";
import { otherUser } from "../system/other-user.ts";
import { folder, gitIn, MEMORY, pipeAt, type Folder } from "./folders.ts";

async function workspaceIn(parent: Folder): Promise<Workspace> {
  return await Workspace.create({ mounts: [], allowedRoots: "any", parent: parent.dir });
}

verifies("security.s43", "removes a workspace with folders nested beyond the longest path", async () => {
  using parent = folder({}, MEMORY);
  for (const [depth, name] of [
    [10, "d"],
    [20, "a".repeat(255)],
    [2_200, "d"],
  ] as const) {
    const workspace = await workspaceIn(parent);
    nest(workspace.dir, depth, name);
    await workspace[Symbol.asyncDispose]();
    expect(readdirSync(parent.dir)).toEqual([]);
  }
});

verifies(
  "security.s43",
  "removes a worktree with folders nested beyond the longest path, and its entry in the repository",
  async () => {
    using parent = folder({}, MEMORY);
    using repo = folder({ a: "1" });
    gitIn(repo.dir, "init", "--quiet");
    gitIn(repo.dir, "add", ".");
    gitIn(repo.dir, "commit", "--quiet", "-m", "one");
    const workspace = await Workspace.worktree({
      repo: repo.dir,
      allowedRoots: [repo.dir],
      parent: parent.dir,
    });
    nest(workspace.dir, 2_200, "d");
    await workspace[Symbol.asyncDispose]();
    expect(readdirSync(parent.dir)).toEqual([]);
    expect(gitIn(repo.dir, "worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
  },
);

verifies("security.s43", "a revert removes folders nested beyond the longest path", async () => {
  using parent = folder({}, MEMORY);
  await using workspace = await workspaceIn(parent);
  writeFileSync(path.join(workspace.dir, "file"), "1");
  const before = await workspace.checkpoint();
  execFileSync("rm", [path.join(workspace.dir, "file")]);
  nest(path.join(workspace.dir), 30, "a".repeat(100));
  expect(existsSync(path.join(workspace.dir, "file"))).toBe(false);
  await workspace.revert(before);
  expect(readFileSync(path.join(workspace.dir, "file"), "utf8")).toBe("1");
});

verifies("security.s43", "rejects a checkpoint of folders nested beyond the longest path", async () => {
  using parent = folder({}, MEMORY);
  await using workspace = await workspaceIn(parent);
  const before = await workspace.checkpoint();
  nest(workspace.dir, 2_200, "d");
  for (const act of [async () => workspace.checkpoint(), async () => workspace.revert(before)])
    expect(await rejection(act())).toMatchObject({ code: "workspace_security" });
});

verifies(
  "security.s43",
  "removes links, hard links, pipes and unusual names, but not the targets of links",
  async () => {
    using parent = folder();
    using outside = folder({ "kept/file": "k" });
    const workspace = await workspaceIn(parent);
    const at = (name: string): string => path.join(workspace.dir, name);
    symlinkSync(outside.dir, at("link"));
    symlinkSync(outside.path("kept/file"), at("file-link"));
    symlinkSync("nowhere", at("dangling"));
    linkSync(outside.path("kept/file"), at("hard"));
    pipeAt(at("pipe"));
    for (const name of ["-rf", "new\nline", "é".repeat(127), " "])
      mkdirSync(at(`${name}/${name}`), { recursive: true });
    if (process.platform === "linux")
      mkdirSync(Buffer.concat([Buffer.from(at("x")), Buffer.from([0xff, 0xfe])]));
    await workspace[Symbol.asyncDispose]();
    expect(readdirSync(parent.dir)).toEqual([]);
    expect(readFileSync(outside.path("kept/file"), "utf8")).toBe("k");
    expect(statSync(outside.path("kept/file")).nlink).toBe(1);
  },
);

/** Run by a child process as a user other than root, because root ignores permissions. */
const WITHOUT_RIGHTS = `
const { chmodSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } = require("node:fs");
const [lib, parent] = process.argv.slice(-2);
import(lib).then(async ({ Workspace }) => {
  const workspace = await Workspace.create({ mounts: [], allowedRoots: "any", parent });
  const at = (name) => workspace.dir + "/" + name;
  for (const mode of [0o000, 0o100, 0o200, 0o400, 0o500]) {
    mkdirSync(at(mode + "/in/it"), { recursive: true });
    writeFileSync(at(mode + "/in/file"), "");
    chmodSync(at(mode + "/in"), mode);
    chmodSync(at(mode + ""), mode);
  }
  mkdirSync(at("closed/in/it"), { recursive: true });
  chmodSync(workspace.dir, 0);
  let ended = false;
  // The removal must not get ahead of the code that closes the folder that it works in.
  globalThis.setImmediate = (run) => queueMicrotask(run);
  const isIn = (fd) => { try { return readlinkSync("/proc/self/fd/" + fd) === at("closed"); } catch { return false; } };
  const removal = workspace[Symbol.asyncDispose]().finally(() => (ended = true));
  for (let closed = process.platform !== "linux"; !ended && !closed; await null) {
    closed = readdirSync("/proc/self/fd").some(isIn);
    if (closed) chmodSync(at("closed"), 0);
  }
  await removal;
  console.log("removed");
});
`;

const lib = import.meta.resolve("codexwright/workspace");
const user = otherUser(fileURLToPath(lib));
verifies(
  "security.s43",
  "removes folders without permissions that belong to the user",
  async () => {
    using parent = folder({}, MEMORY);
    chmodSync(parent.dir, 0o777);
    const child = spawn(process.execPath, ["-e", WITHOUT_RIGHTS, lib, parent.dir], { ...user, cwd: "/" });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    await new Promise((resolve) => child.on("close", resolve));
    expect(output.trim()).toBe("removed");
    expect(readdirSync(parent.dir)).toEqual([]);
  },
  { skip: user === undefined && "no other user can run this runtime" },
);

/** True if the system lets us create a file that even root cannot remove. */
function hasImmutableFiles(): boolean {
  using probe = folder({ file: "" });
  const { status } = spawnSync("chattr", ["+i", probe.path("file")]);
  if (status === 0) execFileSync("chattr", ["-i", probe.path("file")]);
  return status === 0;
}

verifies(
  "security.s43",
  "lists what could not be removed, and removes everything else",
  async () => {
    using parent = folder();
    const workspace = await workspaceIn(parent);
    const at = (name: string): string => path.join(workspace.dir, name);
    const stuck = Array.from({ length: 120 }, (_, index) => `a/${index}/stuck`);
    for (const file of [...stuck, "a/0/other", "b/c/file"]) {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), "");
    }
    execFileSync("chattr", ["+i", ...stuck.map(at)]);
    try {
      const error = await rejection(workspace[Symbol.asyncDispose]());
      expect(error).toBeInstanceOf(FolderNotRemovedError);
      const { code, folder: base, remaining, remainingCount, cause } = error as FolderNotRemovedError;
      expect([code, base, remainingCount]).toEqual(["folder_not_removed", path.dirname(workspace.dir), 120]);
      expect(cause).toMatchObject({ code: "EPERM" });
      expect(remaining).toHaveLength(100);
      for (const file of remaining) expect(stuck).toContain(path.relative("workspace", file));
      expect(readdirSync(workspace.dir)).toEqual(["a"]);
      expect(readdirSync(at("a/0"))).toEqual(["stuck"]);
      // Closing can be tried again; everything else is rejected.
      expect(await rejection(workspace.checkpoint())).toMatchObject({ code: "invalid_argument" });
    } finally {
      execFileSync("chattr", ["-i", ...stuck.map(at)]);
    }
    await workspace[Symbol.asyncDispose]();
    expect(readdirSync(parent.dir)).toEqual([]);
  },
  { skip: !hasImmutableFiles() && "it needs root and chattr" },
);
