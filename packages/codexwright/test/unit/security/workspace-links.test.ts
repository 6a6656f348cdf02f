import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";
import { expect } from "vitest";
import { Workspace } from "codexwright/workspace";
import { rejection } from "@codexwright/test-support/events";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { filesIn, folder, pipeAt } from "../workspace/folders.ts";

/** The folders of a workspace that a command could replace, relative to their parent. */
const REPLACED = ["workspace", "checkpoints", "checkpoints/contents", "."];

verifies("security.s23", "does not read or write a workspace whose folder became a link", async () => {
  for (const replaced of REPLACED) {
    using outside = folder({ precious: "canary", "workspace/precious": "canary" });
    using parent = folder();
    const before = filesIn(outside.dir);
    await using workspace = await Workspace.create({ mounts: [], allowedRoots: "any", parent: parent.dir });
    writeFileSync(path.join(workspace.dir, "file"), "one");
    const first = await workspace.checkpoint();
    writeFileSync(path.join(workspace.dir, "file"), "two");
    const second = await workspace.checkpoint();
    const place = path.join(path.dirname(workspace.dir), replaced);
    renameSync(place, parent.path("old"));
    symlinkSync(outside.dir, place);
    try {
      for (const attempt of [
        async () => workspace.checkpoint(),
        async () => workspace.revert(first),
        async () => workspace.diff(first),
        async () => workspace.diff(first, second),
      ]) {
        expect(await rejection(attempt())).toMatchObject({ code: "workspace_security" });
      }
      expect(filesIn(outside.dir)).toEqual(before);
      expect(readFileSync(outside.path("precious"), "utf8")).toBe("canary");
    } finally {
      rmSync(place);
      renameSync(parent.path("old"), place);
    }
    expect(await workspace.revert(first)).toEqual(["file"]);
  }
});

verifies(
  "agent.workspace.checkpoints",
  "works if a pipe or socket replaced a folder",
  async () => {
    await using workspace = await Workspace.create({ mounts: [], allowedRoots: "any" });
    const at = (...parts: string[]): string => path.join(workspace.dir, ...parts);
    for (const name of ["pipe", "socket"]) {
      mkdirSync(at(name, "deep"), { recursive: true });
      writeFileSync(at(name, "deep/file"), "before");
      writeFileSync(at(name, "other"), "before");
    }
    const checkpoint = await workspace.checkpoint();
    for (const name of ["pipe", "socket"]) rmSync(at(name), { recursive: true });
    pipeAt(at("pipe"));
    const server = createServer();
    server.listen(at("socket"));
    await once(server, "listening");
    try {
      expect(await workspace.revert(checkpoint)).toHaveLength(4);
    } finally {
      server.close();
    }
    expect(readdirSync(at("socket")).toSorted()).toEqual(["deep", "other"]);
    expect(readFileSync(at("pipe/deep/file"), "utf8")).toBe("before");
  },
  { skip: onWindows },
);
