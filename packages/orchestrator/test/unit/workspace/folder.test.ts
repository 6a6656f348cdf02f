import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, vi } from "vitest";
import { holdInside, IssueWorkspace, WorkspaceError, workspaceKey } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { HeldFolder } from "codexwright/internal/node";
import { NEVER, world } from "./world.ts";

verifies(
  ["fleet.workspace.open", "symphony.17.2.path", "symphony.17.2.created", "symphony.17.2.reused"],
  "the first call creates the folder and later calls find it",
  async () => {
    await using at = world();
    const first = await at.open("ABC-1");
    expect([first.createdNow, first.path, first.key]).toEqual([true, path.join(at.root, "ABC-1"), "ABC-1"]);
    writeFileSync(path.join(first.path, "work"), "kept");
    const second = await at.open("ABC-1");
    expect(second.createdNow).toBe(false);
    expect(readFileSync(path.join(second.path, "work"), "utf8")).toBe("kept");
    expect(readdirSync(at.root)).toEqual(["ABC-1"]);
  },
);

verifies(
  ["fleet.workspace.open", "symphony.17.2.containment"],
  "identifiers of 250 bytes and hostile ones stay in the root",
  async () => {
    await using at = world();
    const hostile = [
      "../../out",
      "/etc/passwd",
      "..",
      ".",
      "",
      "a/../../b",
      "$(touch x)",
      "x".repeat(250),
      "é".repeat(125),
    ];
    for (const identifier of hostile) {
      const workspace = await at.open(identifier);
      expect(path.dirname(workspace.path)).toBe(at.root);
    }
    expect(readdirSync(at.root).toSorted()).toEqual(hostile.map((each) => workspaceKey(each)).toSorted());
    expect(readdirSync(at.folder)).toEqual(["root"]);
  },
);

verifies(
  ["fleet.workspace.errors", "symphony.17.2.containment"],
  "three errors tell the root, a path outside and a link apart",
  async () => {
    await using at = world();
    await at.open("ABC-1");
    const held = (folder: string) => (): void => holdInside(at.root, folder).close();
    for (const root of [at.root, `${at.root}/`, `${at.root}/ABC-1/..`, `${at.root}/.`])
      expect(held(root)).toThrow(expect.objectContaining({ code: "workspace_root" }));
    for (const outside of ["/", "/etc", `${at.root}-2`, `${at.root}/../other`, "ABC-1", "./ABC-1"])
      expect(held(outside)).toThrow(expect.objectContaining({ code: "workspace_outside" }));
    symlinkSync("ABC-1", path.join(at.root, "inside"));
    symlinkSync("/etc", path.join(at.root, "outside"));
    symlinkSync("nowhere", path.join(at.root, "dangling"));
    for (const link of ["inside", "outside", "dangling", "inside/deeper"])
      expect(held(path.join(at.root, link))).toThrow(expect.objectContaining({ code: "workspace_escape" }));
    expect(held(path.join(at.root, "ABC-1"))).not.toThrow();
  },
);

verifies(
  ["fleet.workspace.errors", "symphony.17.2.not-a-folder"],
  "a file in the place of the folder is an error and stays",
  async () => {
    await using at = world();
    mkdirSync(at.root);
    writeFileSync(path.join(at.root, "ABC-1"), "a file");
    await expect(at.open("ABC-1")).rejects.toMatchObject({ code: "workspace_error" });
    expect(readFileSync(path.join(at.root, "ABC-1"), "utf8")).toBe("a file");
  },
);

verifies(
  "fleet.workspace.case",
  "a disk that ignores case does not give one folder to two issues",
  async () => {
    await using at = world();
    await at.open("ABC-1");
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its object below
    const look = HeldFolder.prototype.look;
    // Our disks tell upper and lower case apart, so this stands in for one that does not.
    const spy = vi.spyOn(HeldFolder.prototype, "look").mockImplementation(function (this: HeldFolder, name) {
      return look.call(this, name === "abc-1" ? "ABC-1" : name);
    });
    try {
      await expect(at.open("abc-1")).rejects.toMatchObject({ code: "workspace_error" });
      await expect(at.open("ABC-1")).resolves.toMatchObject({ createdNow: false });
    } finally {
      spy.mockRestore();
    }
  },
);

verifies(
  ["security.s98", "symphony.17.2.containment", "symphony.17.2.cwd"],
  "a link in the place of a workspace is refused before anything runs in it",
  async () => {
    await using at = world();
    mkdirSync(at.root);
    const outside = path.join(at.folder, "outside");
    mkdirSync(outside);
    symlinkSync(outside, path.join(at.root, "ABC-1"));
    const hooks = { beforeRun: "touch ran", beforeRemove: "touch ran" };
    await expect(at.open("ABC-1", hooks)).rejects.toMatchObject({ code: "workspace_escape" });
    const recorded = IssueWorkspace.at(path.join(at.root, "ABC-1"), at.options(hooks));
    await expect(recorded?.beforeRun(NEVER)).rejects.toMatchObject({ code: "workspace_escape" });
    await expect(recorded?.remove(NEVER)).rejects.toMatchObject({ code: "workspace_escape" });
    expect(readdirSync(outside)).toEqual([]);
    expect(at.hooks).toEqual([]);
  },
);

verifies(
  "security.s98",
  "a hook that replaces its workspace by a link does not lead the run or the removal elsewhere",
  async () => {
    await using at = world();
    const outside = path.join(at.folder, "outside");
    mkdirSync(outside);
    writeFileSync(path.join(outside, "precious"), "");
    const swap = `cd .. && rmdir ABC-1 && ln -s ${outside} ABC-1`;
    await expect(at.open("ABC-1", { afterCreate: swap })).rejects.toMatchObject({ code: "workspace_escape" });
    expect(readdirSync(at.root)).toEqual([]);
    const before = await at.open("ABC-1", { beforeRun: swap });
    await expect(before.beforeRun(NEVER)).rejects.toMatchObject({ code: "workspace_escape" });
    await expect(at.open("ABC-1")).rejects.toMatchObject({ code: "workspace_escape" });
    const removal = await at.open("ABC-2", { beforeRemove: swap.replaceAll("ABC-1", "ABC-2") });
    await expect(removal.remove(NEVER)).rejects.toMatchObject({ code: "workspace_escape" });
    expect(readdirSync(outside)).toEqual(["precious"]);
  },
);

verifies(
  "security.s98",
  "a folder or a root that other users can prepare is refused",
  async () => {
    await using at = world();
    mkdirSync(path.join(at.root, "ABC-1"), { recursive: true });
    chownSync(path.join(at.root, "ABC-1"), 65_534, 65_534);
    const getuid = process.getuid?.bind(process);
    try {
      // The owner of the test's folders is the owner of this process, or root.
      process.getuid = () => 12_345;
      chownSync(at.root, 12_345, 12_345);
      await expect(at.open("ABC-1")).rejects.toMatchObject({ code: "workspace_error" });
      await expect(at.open("ABC-2")).resolves.toMatchObject({ createdNow: true });
      chownSync(at.root, 65_534, 65_534);
      await expect(at.open("ABC-3")).rejects.toMatchObject({ code: "workspace_error" });
    } finally {
      if (getuid) process.getuid = getuid;
    }
  },
  { skip: process.getuid?.() === 0 ? false : "needs root to own files as another user" },
);

verifies("security.s98", "a root in which every user can replace folders is refused", async () => {
  for (const mode of [0o777, 0o722, 0o702, 0o2777]) {
    await using at = world();
    mkdirSync(at.root);
    chmodSync(at.root, mode);
    await expect(at.open("ABC-1")).rejects.toMatchObject({ code: "workspace_error" });
    expect(readdirSync(at.root)).toEqual([]);
  }
  // In a folder like /tmp, users can replace their own folders only.
  await using sticky = world();
  mkdirSync(sticky.root);
  chmodSync(sticky.root, 0o1777);
  await expect(sticky.open("ABC-1")).resolves.toMatchObject({ createdNow: true });
});

verifies(
  ["fleet.workspace.remove", "symphony.17.2.before-remove"],
  "removes the folder whatever before_remove did",
  async () => {
    await using at = world();
    const outside = path.join(at.folder, "outside");
    mkdirSync(outside);
    writeFileSync(path.join(outside, "precious"), "");
    for (const hook of [
      null,
      "exit 3",
      `ln -s ${outside} link; mkdir -p a/b; chmod 0 a`,
      "cd .. && rm -rf ABC-1",
    ]) {
      const workspace = await at.open("ABC-1", { beforeRemove: hook });
      writeFileSync(path.join(workspace.path, "work"), "");
      await workspace.remove(NEVER);
      expect(existsSync(workspace.path)).toBe(false);
    }
    expect(readdirSync(outside)).toEqual(["precious"]);
    expect(at.hooks).toEqual(["before_remove: hook_failed", "before_remove: ok", "before_remove: ok"]);
  },
);

verifies(
  "fleet.workspace.recorded",
  "finds a workspace by its recorded path and refuses other paths",
  async () => {
    await using at = world();
    const { path: recorded } = await at.open("ABC-1");
    await IssueWorkspace.at(recorded, at.options())?.remove(NEVER);
    expect(existsSync(recorded)).toBe(false);
    expect(IssueWorkspace.at(recorded, at.options())).toBeUndefined();
    await at.open("ABC-2");
    for (const wrong of [
      path.join(at.root, "ABC-2"),
      at.root,
      "/",
      "/etc",
      "ABC-1",
      path.join(at.root, "ABC-1/.."),
    ])
      expect(() => IssueWorkspace.at(wrong, at.options())).toThrow(WorkspaceError);
    expect(existsSync(path.join(at.root, "ABC-2"))).toBe(true);
  },
);
