import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { Workspace } from "codexwright/workspace";
import { rejection } from "@codexwright/test-support/events";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { filesIn, folder, gitIn, repository } from "./folders.ts";

verifies(
  "agent.workspace.at",
  "disposing leaves the folder, and the next workspace has the same checkpoints",
  async () => {
    using all = folder({ "work/a.txt": "one\n", "work/deep/b.txt": "b\n" });
    const dir = all.path("work");
    const checkpoints = all.path("state", "checkpoints");
    const open = (): Promise<Workspace> => Workspace.at(dir, { checkpoints });
    let first, second;
    {
      await using workspace = await open();
      expect(workspace.dir).toBe(dir);
      expect(await workspace.checkpoints()).toEqual([]);
      first = await workspace.checkpoint();
      writeFileSync(path.join(dir, "a.txt"), "two\n");
      second = await workspace.checkpoint();
      expect(await workspace.checkpoint()).toEqual(second);
      expect(await workspace.checkpoints()).toEqual([first, second]);
    }
    expect(filesIn(dir)).toEqual(["a.txt", "deep/b.txt"]);
    await using workspace = await open();
    expect(await workspace.checkpoints()).toEqual([first, second]);
    expect(await workspace.checkpoint()).toEqual(second);
    expect(await workspace.diff({ tree: first.tree })).toContain("-one\n+two");
    rmSync(path.join(dir, "deep"), { recursive: true });
    expect(await workspace.revert({ tree: first.tree })).toEqual(["a.txt", "deep/b.txt"]);
    expect(readFileSync(path.join(dir, "a.txt"), "utf8")).toBe("one\n");
    // Only the owner can read the copies of the files.
    if (onWindows === false) expect(statSync(checkpoints).mode & 0o077).toBe(0);
  },
);

verifies(
  "agent.workspace.at",
  "the checkpoints of any changes survive in order, and each can be restored",
  async () => {
    const content = fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.constant("x".repeat(100_000)));
    const files = fc.dictionary(fc.constantFrom("a", "b", "c/d", "c/e", "é", "c d"), content, { minKeys: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(files, { minLength: 1, maxLength: 4 }), async (states) => {
        using all = folder({ "work/.git": "gitdir: elsewhere\n" });
        const options = { checkpoints: all.path("kept") };
        const taken = new Map<string, Record<string, string>>();
        for (const state of states) {
          for (const name of readdirSync(all.path("work")))
            if (name !== ".git") rmSync(all.path("work", name), { recursive: true });
          for (const [file, text] of Object.entries(state)) {
            mkdirSync(path.dirname(all.path("work", file)), { recursive: true });
            writeFileSync(all.path("work", file), text);
          }
          await using workspace = await Workspace.at(all.path("work"), options);
          taken.set((await workspace.checkpoint()).tree, state);
        }
        await using workspace = await Workspace.at(all.path("work"), options);
        expect((await workspace.checkpoints()).map(({ tree }) => tree)).toEqual([...taken.keys()]);
        for (const [tree, state] of taken) {
          await workspace.revert({ tree });
          const names = filesIn(workspace.dir).filter((name) => name !== ".git");
          expect(
            Object.fromEntries(names.map((name) => [name, readFileSync(all.path("work", name), "utf8")])),
          ).toEqual(
            Object.fromEntries(
              Object.entries(state).map(([name, text]) => [name, Buffer.from(text).toString()]),
            ),
          );
        }
        expect(readFileSync(all.path("work/.git"), "utf8")).toBe("gitdir: elsewhere\n");
      }),
      { numRuns: 10, seed: 28 },
    );
  },
);

verifies(
  "agent.workspace.at",
  "a git repository keeps its git folder, and a hostile configuration runs nothing",
  async () => {
    using repo = repository({ "a.txt": "one\n", ".gitattributes": "* filter=evil diff=evil\n" });
    using kept = folder();
    const mark = kept.path("ran");
    for (const name of ["filter.evil.clean", "filter.evil.smudge", "diff.evil.command", "core.fsmonitor"])
      gitIn(repo.dir, "config", name, `touch '${mark}'; cat`);
    const before = filesIn(path.join(repo.dir, ".git"));
    await using workspace = await Workspace.at(repo.dir, { checkpoints: kept.path("checkpoints") });
    const first = await workspace.checkpoint();
    writeFileSync(repo.path("a.txt"), "two\n");
    writeFileSync(repo.path(".gitattributes"), "* diff=evil text eol=crlf\n");
    expect(await workspace.diff(first)).toContain("+two");
    expect(await workspace.revert(first)).toEqual([".gitattributes", "a.txt"]);
    expect(filesIn(path.join(repo.dir, ".git"))).toEqual(before);
    expect(existsSync(mark)).toBe(false);
    // Shows that the attack works: git itself runs the programs.
    writeFileSync(repo.path("a.txt"), "three\n");
    gitIn(repo.dir, "status");
    expect(existsSync(mark)).toBe(true);
  },
  { skip: onWindows },
);

verifies(
  "agent.workspace.at",
  "links are kept as links, and a large file is kept whole",
  async () => {
    using all = folder({ "work/a.txt": "a", "outside.txt": "outside" });
    symlinkSync("../outside.txt", all.path("work/link"));
    symlinkSync("/", all.path("work/root"));
    writeFileSync(all.path("work/large"), "");
    truncateSync(all.path("work/large"), 200 * 1024 * 1024);
    const options = { checkpoints: all.path("kept") };
    let first;
    {
      await using workspace = await Workspace.at(all.path("work"), options);
      first = await workspace.checkpoint();
    }
    for (const name of ["link", "root", "large"]) rmSync(all.path("work", name));
    await using workspace = await Workspace.at(all.path("work"), options);
    expect(await workspace.revert(first)).toEqual(["large", "link", "root"]);
    expect(readlinkSync(all.path("work/root"))).toBe("/");
    expect(statSync(all.path("work/large")).size).toBe(200 * 1024 * 1024);
    expect(readFileSync(all.path("outside.txt"), "utf8")).toBe("outside");
  },
  { skip: onWindows },
);

const PROGRAM = `
  import { Workspace } from "codexwright/workspace";
  const [dir, checkpoints] = process.argv.slice(1);
  const workspace = await Workspace.at(dir, { checkpoints });
  console.log("open");
  const { tree } = await workspace.checkpoint();
  console.log(tree);
`;
const program = (dir: string, checkpoints: string): readonly string[] => [
  "--input-type=module",
  "-e",
  PROGRAM,
  "--",
  dir,
  checkpoints,
];

verifies(
  "agent.workspace.at",
  "another process sees the checkpoints, even if a process before it was killed at any moment",
  async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`work/${at}`, `${at}`.repeat(5_000)]),
    );
    using all = folder(files);
    const [dir, kept] = [all.path("work"), all.path("kept")];
    for (const delayMs of [0, 1, 3, 9, 20, 40]) {
      const child = spawn(process.execPath, program(dir, kept), {
        cwd: import.meta.dirname,
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      setTimeout(() => child.kill("SIGKILL"), delayMs);
      await once(child, "close");
    }
    const output = execFileSync(process.execPath, program(dir, kept), {
      cwd: import.meta.dirname,
      encoding: "utf8",
    });
    const tree = output.trim().split("\n")[1] ?? "";
    await using workspace = await Workspace.at(dir, { checkpoints: kept });
    expect((await workspace.checkpoints()).map((each) => each.tree)).toEqual([tree]);
    for (const name of readdirSync(dir)) rmSync(path.join(dir, name));
    expect(await workspace.revert({ tree })).toHaveLength(200);
    expect(readFileSync(path.join(dir, "7"), "utf8")).toBe("7".repeat(5_000));
    // Files of killed processes are removed when they are old.
    const left = readdirSync(kept).filter((name) => name.startsWith("new-"));
    for (const name of left) utimesSync(path.join(kept, name), 0, 0);
    await (await Workspace.at(dir, { checkpoints: kept })).close();
    expect(readdirSync(kept).toSorted()).toEqual(["checkpoints", "contents", "workspace"]);
  },
);

verifies(
  "agent.workspace.at",
  "processes that open the same folder at the same time share its checkpoints",
  async () => {
    using all = folder({ "work/a": "a", "work/b": "b" });
    const [dir, kept] = [all.path("work"), all.path("kept")];
    const outputs = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = spawn(process.execPath, program(dir, kept), {
          cwd: import.meta.dirname,
          stdio: ["ignore", "pipe", "inherit"],
        });
        let said = "";
        child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
        await once(child, "close");
        return said.split("\n")[1];
      }),
    );
    await using workspace = await Workspace.at(dir, { checkpoints: kept });
    const [only, ...more] = await workspace.checkpoints();
    expect(more).toEqual([]);
    expect(outputs).toEqual(Array.from({ length: 4 }, () => only?.tree));
  },
);

verifies(
  "agent.workspace.at-refusals",
  "a path that is not an absolute folder is refused, and so is a wrong place for checkpoints, and nothing is made",
  async () => {
    using all = folder({ "work/a.txt": "a", "work/sub/b": "b", "other/c": "c", "used/c": "c" });
    symlinkSync("work", all.path("link"));
    symlinkSync("work/sub", all.path("way-in"));
    const dir = all.path("work");
    await (await Workspace.at(all.path("other"), { checkpoints: all.path("of-other") })).close();
    const before = filesIn(all.dir);
    const free = all.path("free");
    const cases = [
      ["work", free, "invalid_argument"],
      ["", free, "invalid_argument"],
      [all.path("none"), free, "file_not_found"],
      [path.join(dir, "a.txt"), free, "invalid_argument"],
      [path.join(dir, "a.txt", "x"), free, "file_not_found"],
      [all.path("link"), free, "workspace_security"],
      [dir, "checkpoints", "invalid_argument"],
      [dir, dir, "invalid_argument"],
      [dir, path.join(dir, "new", "deep"), "invalid_argument"],
      [dir, all.path("link", "kept"), "invalid_argument"],
      [dir, all.path("way-in", "kept"), "invalid_argument"],
      [dir, all.dir, "invalid_argument"],
      [dir, "/", "invalid_argument"],
      [dir, all.path("other", "c"), "invalid_argument"],
      [dir, all.path("other", "c", "x"), "invalid_argument"],
      [dir, all.path("used"), "invalid_argument"],
      [dir, all.path("of-other"), "invalid_argument"],
    ] as const;
    for (const [folderName, checkpoints, code] of cases) {
      const error = await rejection(Workspace.at(folderName, { checkpoints }));
      expect(error, `${folderName} ${checkpoints}`).toMatchObject({ code });
    }
    expect(filesIn(all.dir)).toEqual(before);
    expect(existsSync(free)).toBe(false);
  },
  { skip: onWindows },
);

verifies(
  "agent.workspace.at-refusals",
  "a closed workspace and an unknown checkpoint are refused",
  async () => {
    using all = folder({ "work/a.txt": "a" });
    const workspace = await Workspace.at(all.path("work"), { checkpoints: all.path("kept") });
    for (const tree of ["", "0".repeat(64), "../workspace", "../../work/a.txt"]) {
      for (const call of [() => workspace.diff({ tree }), () => workspace.revert({ tree })])
        expect(await rejection(call())).toMatchObject({ code: "invalid_argument" });
    }
    await workspace.close();
    expect(await rejection(workspace.checkpoints())).toMatchObject({ code: "invalid_argument" });
    expect(readFileSync(all.path("work/a.txt"), "utf8")).toBe("a");
  },
);
