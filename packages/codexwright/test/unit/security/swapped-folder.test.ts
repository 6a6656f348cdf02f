import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { lstat, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import type { FileSystem } from "codexwright/agent";
import { overlayFs } from "codexwright/workspace";
import { rejection } from "@codexwright/test-support/events";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { filesIn, folder, type Folder } from "../workspace/folders.ts";
import { swapping } from "./swapping.ts";

/** Checks each part of a path and then uses the path, which `overlayFs` must not do. `between` runs in that gap. */
function naive(dir: string, between: () => void): Omit<FileSystem, "list" | "read"> {
  const checked = async (file: string): Promise<string> => {
    let at = dir;
    for (const part of file.split("/")) {
      at = path.join(at, part);
      const stat = await lstat(at).catch(() => undefined);
      if (stat?.isSymbolicLink()) throw new Error("a link");
    }
    between();
    return at;
  };
  return {
    readText: async (file) => readFile(await checked(file), "utf8"),
    write: async (file, content) => {
      const at = await checked(file);
      await mkdir(path.dirname(at), { recursive: true });
      await writeFile(at, content);
    },
    remove: async (file) => rm(await checked(file)),
    exists: async (file) => (await lstat(await checked(file)).catch(() => undefined)) !== undefined,
  };
}

/** Returns the number of open files of this process, if the system reports it. */
function descriptors(): number {
  return existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0;
}

interface Outcome {
  readonly done: number;
  readonly refused: number;
}

/** Calls `act` this many times. Rejects if a call reached a file outside the folder. */
async function count(times: number, act: (n: number) => Promise<void>): Promise<Outcome> {
  let [done, refused] = [0, 0];
  for (let n = 0; n < times; n++) {
    try {
      await act(n);
      done += 1;
    } catch (error) {
      if (error instanceof Escaped) throw error;
      refused += 1;
    }
  }
  return { done, refused };
}

/** Repeats all operations until both the folder and the link were seen. On a loaded machine this can take long. */
async function untilBothWereMet(attempts: readonly (() => Promise<Outcome>)[]): Promise<Outcome> {
  let [done, refused] = [0, 0];
  for (let round = 0; round === 0 || (round < 200 && Math.min(done, refused) === 0); round++)
    for (const attempt of attempts) {
      const outcome = await attempt();
      done += outcome.done;
      refused += outcome.refused;
    }
  return { done, refused };
}

class Escaped extends Error {}

/** The operations of tools on a file of the swapped folder, each with a check whether it went outside. */
function acts(files: Omit<FileSystem, "list" | "read">, outside: Folder): ((n: number) => Promise<void>)[] {
  return [
    async () => {
      if ((await files.readText("swapped/file")) !== "inside") throw new Escaped("read");
    },
    async (n) => {
      await files.write(`swapped/new-${n}`, "x");
      if (existsSync(outside.path(`new-${n}`))) throw new Escaped("write");
    },
    async (n) => {
      await files.write(`swapped/in/${n}/new`, "x");
      if (existsSync(outside.path("in"))) throw new Escaped("mkdir");
    },
    async () => {
      await files.remove("swapped/victim");
      if (!existsSync(outside.path("victim"))) throw new Escaped("remove");
    },
    async () => {
      if (await files.exists("swapped/only-outside")) throw new Escaped("exists");
    },
  ];
}

const OUTSIDE = { file: "outside", victim: "v", "only-outside": "o" };

verifies(
  "security.s24",
  "file operations of tools stay inside while another process swaps a folder for a link",
  async () => {
    using outside = folder(OUTSIDE);
    using place = folder();
    await using attacker = await swapping(place.dir, outside.dir, ["file"]);
    expect(attacker.pid).toBeDefined();
    const files = overlayFs(place.dir);
    const before = descriptors();
    const attempts = acts(files, outside).map((act) => async () => await count(200, act));
    const { done, refused } = await untilBothWereMet(attempts);
    expect([done > 0, refused > 0]).toEqual([true, true]);
    const snapshot = files.snapshot();
    for (let n = 0; n < 50; n++) {
      await files.write(`swapped/undone-${n}`, "x").catch(() => {});
      for (const name of await files.list().catch(() => [])) expect(name).not.toContain("only-outside");
      await files.restore(snapshot).catch(() => {});
    }
    expect(filesIn(outside.dir)).toEqual(Object.keys(OUTSIDE).toSorted());
    expect(readFileSync(outside.path("file"), "utf8")).toBe("outside");
    expect(descriptors()).toBe(before);
  },
  // On a loaded machine, the attacking process needs time to run. On other systems, reads are safe, but writes use
  // paths.
  { timeoutMs: 180_000, skip: unlessLinux },
);

verifies("security.s24", "rejects every access if a tool's folder is replaced by a link", async () => {
  using outside = folder({ "in/file": "outside" });
  using place = folder({ "swapped/in/file": "inside" });
  const [outer, inner] = [overlayFs(place.path("swapped")), overlayFs(place.path("swapped/in"))];
  expect(await inner.readText("file")).toBe("inside");
  renameSync(place.path("swapped"), place.path("folder"));
  symlinkSync(outside.dir, place.path("swapped"));
  for (const act of [
    async () => inner.readText("file"),
    async () => inner.write("new", "x"),
    async () => inner.remove("file"),
    async () => inner.list(),
    async () => outer.readText("in/file"),
    async () => outer.write("in/new", "x"),
  ])
    expect(await rejection(act())).toMatchObject({ code: "workspace_security" });
  expect(filesIn(outside.dir)).toEqual(["in/file"]);
  rmSync(place.path("swapped"));
  renameSync(place.path("folder"), place.path("swapped"));
  expect(await inner.readText("file")).toBe("inside");
});

verifies(
  "security.s24",
  "does not follow a link at the place where the folder of tools will be created",
  async () => {
    for (const [dir, planted] of [
      ["later", "later"],
      ["a/b/later", "a"],
      ["a/b/later", "a/b"],
      ["there/later", "there/later"],
    ] as const)
      for (const target of ["", "nowhere"]) {
        using outside = folder({ file: "outside", "b/later/file": "outside", "later/file": "outside" });
        using place = folder({ "there/file": "inside" });
        const [before, files] = [filesIn(outside.dir), overlayFs(place.path(dir))];
        mkdirSync(path.dirname(place.path(planted)), { recursive: true });
        symlinkSync(outside.path(target), place.path(planted));
        for (const name of ["new", "in/new"])
          expect(await rejection(files.write(name, "x"))).toMatchObject({ code: "workspace_security" });
        await rejection(files.readText("file"));
        await files.remove("file").catch(() => {});
        expect(await files.list().catch(() => [])).toEqual([]);
        expect([filesIn(outside.dir), existsSync(outside.path("nowhere"))]).toEqual([before, false]);
        rmSync(place.path(planted));
        await files.write("in/new", "x");
        expect(filesIn(place.path(dir))).toEqual(["in/new"]);
      }
  },
);

verifies(
  "security.s24",
  "if code checks a path before it uses the path, a swap in between leads outside the folder",
  async () => {
    using outside = folder(OUTSIDE);
    using place = folder({ "swapped/file": "inside" });
    symlinkSync(outside.dir, place.path("link"));
    const swap = (aside: string, instead: string): void => {
      renameSync(place.path("swapped"), place.path(aside));
      renameSync(place.path(instead), place.path("swapped"));
    };
    const escaped: unknown[] = [];
    for (const act of acts(
      naive(place.dir, () => swap("folder", "link")),
      outside,
    )) {
      escaped.push(((await rejection(act(0))) as Error).message);
      swap("link", "folder");
    }
    expect(escaped).toEqual(["read", "write", "mkdir", "remove", "exists"]);
  },
);
