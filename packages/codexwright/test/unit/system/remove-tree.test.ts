import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { Remaining, type FolderNotRemovedError } from "../../../src/system/not-removed.ts";
import { removeByPath } from "../../../src/system/remove-by-path.ts";
import { removeTree } from "../../../src/system/remove-tree.ts";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { swapping } from "../security/swapping.ts";
import { filesIn, folder, MEMORY } from "../workspace/folders.ts";
import { nest } from "./nest.ts";

function descriptors(): number {
  return existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0;
}

verifies("security.s43", "removes folders that are nested too deep for any path", async () => {
  using place = folder({}, MEMORY);
  mkdirSync(place.path("deep"));
  nest(place.path("deep"), 4_000, "d");
  expect(() => statSync(place.path("deep", "d/".repeat(4_000)))).toThrow("ENAMETOOLONG");
  const before = descriptors();
  await removeTree(place.path("deep"));
  expect(readdirSync(place.dir)).toEqual([]);
  expect(descriptors()).toBe(before);
});

verifies(
  "security.s43",
  "removes deep folders on systems that have no paths relative to open folders",
  async () => {
    using place = folder({}, MEMORY);
    for (const [depth, name] of [
      [3, "d"],
      [2_200, "d"],
      [20, "a".repeat(255)],
    ] as const) {
      mkdirSync(place.path("deep"));
      nest(place.path("deep"), depth, name);
      mkdirSync(place.path("deep/empty"));
      writeFileSync(place.path("deep/file"), "");
      await removeByPath(Buffer.from(place.path("deep")));
      expect(readdirSync(place.dir)).toEqual([]);
    }
    await removeByPath(Buffer.from(place.path("missing")));
  },
);

verifies(
  "security.s43",
  "removes a file as well as a folder, and accepts a path that does not exist",
  async () => {
    using place = folder({ file: "1", "kept/file": "1" });
    for (const name of ["file", "missing", "missing/below", "file/below"]) await removeTree(place.path(name));
    expect(filesIn(place.dir)).toEqual(["kept/file"]);
  },
);

/** Creates files in a folder and its subfolders until its input ends. Recreates the folder if it is gone. */
const WRITER = `
const { mkdirSync, writeFileSync } = require("node:fs");
const [dir] = process.argv.slice(-1);
let n = 0;
function round() {
  for (let turn = 0; turn < 20; turn++) {
    const folder = dir + "/" + (n % 7) + "/" + (n % 3);
    try { mkdirSync(folder, { recursive: true }); writeFileSync(folder + "/" + n++, ""); } catch {}
  }
  setImmediate(round);
}
process.stdin.on("end", () => process.exit()).resume();
process.stdout.write("ready", round);
`;

verifies(
  "security.s43",
  "if files are created during a removal, it removes them or rejects with a typed error",
  async () => {
    using place = folder();
    const child = spawn(process.execPath, ["-e", WRITER, place.path("busy")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const closed = new Promise((resolve) => child.once("close", resolve));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const before = descriptors();
    // A low number: on a fast disk the writer creates files faster than a removal deletes them.
    for (let n = 0; n < 3; n++) {
      const error = await removeTree(place.path("busy")).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error !== undefined) expect(error).toMatchObject({ code: "folder_not_removed" });
    }
    expect(descriptors()).toBe(before);
    child.stdin.end();
    await closed;
    await removeTree(place.path("busy"));
    expect(readdirSync(place.dir)).toEqual([]);
  },
);

const NAMES = Array.from({ length: 50 }, (_, index) => `file-${index}`);

/**
 * Removes a folder that is swapped for a link to files of the same names. Returns the number of those files that are
 * left.
 */
async function keptOutside(target: string, remove: (dir: string) => Promise<void>): Promise<number> {
  using outside = folder(Object.fromEntries(NAMES.map((name) => [name, "k"])));
  using place = folder({ "work/other": "o" });
  await using attacker = await swapping(place.path("work"), outside.dir, NAMES);
  expect(attacker.pid).toBeDefined();
  await remove(place.path(target)).catch(() => {});
  return filesIn(outside.dir).length;
}

verifies(
  "security.s43",
  "does not follow a link that replaces a folder",
  async () => {
    for (let n = 0; n < 2; n++)
      for (const target of ["work", "work/swapped"])
        expect(await keptOutside(target, removeTree)).toBe(NAMES.length);
  },
  { skip: unlessLinux },
);

verifies("security.s43", "the attack works on a removal by path", async () => {
  let kept = NAMES.length;
  for (let n = 0; n < 50 && kept === NAMES.length; n++)
    kept = await keptOutside("work/swapped", async (dir) => removeByPath(Buffer.from(dir)));
  expect(kept).toBeLessThan(NAMES.length);
});

/** Calls `act` between the steps of a removal, each time that it holds a folder open. */
async function whileHeld(dir: string, remove: () => Promise<void>, act: () => void): Promise<unknown> {
  const isHeld = (fd: string): boolean => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === dir;
    } catch {
      return false; // this step lists them
    }
  };
  const real = globalThis.setImmediate;
  // The removal must not get ahead of the test.
  globalThis.setImmediate = ((run: () => void) => queueMicrotask(run)) as unknown as typeof setImmediate;
  try {
    const removal = { ended: false, error: undefined as unknown };
    void remove()
      .catch((error: unknown) => (removal.error = error))
      .finally(() => (removal.ended = true));
    while (!removal.ended) {
      if (readdirSync("/proc/self/fd").some(isHeld)) act();
      await Promise.resolve();
    }
    return removal.error;
  } finally {
    globalThis.setImmediate = real;
  }
}

for (const times of [1, 3, Infinity])
  verifies(
    "security.s43",
    `a folder that is moved out ${times} times does not redirect the removal`,
    async () => {
      const names = ["1", "victim", "zz"];
      using outside = folder(Object.fromEntries(names.map((name) => [name, "k"])), MEMORY);
      using place = folder({}, MEMORY);
      const inner = place.path("work/a/moved");
      const plant = (): void => {
        mkdirSync(inner, { recursive: true });
        writeFileSync(path.join(inner, "file"), "");
        for (const name of names) writeFileSync(place.path("work/a", name), "");
      };
      plant();
      const [before, kept] = [descriptors(), readdirSync(outside.dir)];
      let moved = 0;
      const error = await whileHeld(
        inner,
        async () => removeTree(place.path("work")),
        () => {
          if (moved === times) return;
          moved += 1;
          renameSync(inner, outside.path("moved"));
          if (moved > 1) rmSync(outside.path("before"), { recursive: true });
          renameSync(outside.path("moved"), outside.path("before"));
          plant();
        },
      );
      rmSync(outside.path("before"), { recursive: true });
      expect(readdirSync(outside.dir)).toEqual(kept);
      expect(descriptors()).toBe(before);
      if (times < Infinity)
        expect([moved, error, existsSync(place.path("work"))]).toEqual([times, undefined, false]);
      else expect(error).toMatchObject({ code: "folder_not_removed", remaining: ["."], remainingCount: 1 });
      await removeTree(place.path("work"));
    },
    { skip: unlessLinux },
  );

verifies("security.s43", "an error lists at most 100 paths and truncates long ones", () => {
  const remaining = new Remaining("folder");
  remaining.check();
  const cause = new Error("first");
  for (let n = 0; n < 1_000; n++) remaining.add(() => `${n}/`.repeat(n + 1), n === 0 ? cause : new Error());
  let error: unknown;
  try {
    remaining.check();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code: "folder_not_removed", folder: "folder", remainingCount: 1_000, cause });
  const { remaining: paths, message } = error as FolderNotRemovedError;
  expect(paths).toHaveLength(100);
  expect(Math.max(...paths.map((each) => each.length))).toBeLessThanOrEqual(1_025);
  expect(message.length).toBeLessThan(2_000);
});
