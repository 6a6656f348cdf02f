import { open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { echo, serverOn, temporaryHome } from "./home.ts";

/** The class of all open files. */
async function fileHandles(folder: string): Promise<FileHandle> {
  const handle = await open(path.join(folder, "any"), "w");
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

verifies(
  "security.s67",
  "a client is notified of the end of a turn only after the record of this end was synced to the disk",
  async () => {
    await using home = await temporaryHome();
    const handles = await fileHandles(home.path);
    // oxlint-disable-next-line typescript/unbound-method -- it is called with the handle, below
    const { datasync } = handles;
    let synced = 0;
    const found: number[] = [];
    handles.datasync = async function (this: FileHandle) {
      const ends = (await home.lines()).filter((line) => line.includes('"type":"task_complete"')).length;
      await datasync.call(this);
      synced = ends;
    };
    try {
      await using only = await serverOn(home, echo());
      only.codex.onNotification("turn/completed", () => void found.push(synced));
      const thread = await only.codex.startThread();
      for (const text of ["one", "two", "three"]) await thread.run(text);
    } finally {
      handles.datasync = datasync;
    }
    expect(found).toEqual([1, 2, 3]);
  },
);
