import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import {
  createSession,
  Files,
  provide,
  Resources,
  tool,
  ToolRunner,
  type AgentToolContext,
} from "codexwright/agent";
import { overlayFs } from "codexwright/workspace";
import { expect } from "vitest";
import { z } from "zod";
import { rejection } from "@codexwright/test-support/events";
import { collectGarbage } from "@codexwright/test-support/gc";
import { verifies } from "@codexwright/test-support/verifies";
import { filesIn, folder } from "./folders.ts";

verifies(
  "agent.resources.overlay-fs",
  "writes change the disk, and a restore undoes exactly these writes",
  async () => {
    using host = folder({ "a.txt": "a", "deep/b.txt": "b", ignored: "mine" });
    chmodSync(host.path("a.txt"), 0o755);
    const files = overlayFs(host.dir);
    await files.write("kept.txt", "kept");
    const snapshot = files.snapshot();
    await files.write("a.txt", "2");
    await files.write("a.txt", "3");
    await files.write("new/folder/c.txt", new Uint8Array([1, 2]));
    await files.remove("deep");
    expect([await files.readText("a.txt"), await files.list()]).toEqual([
      "3",
      ["a.txt", "ignored", "kept.txt", "new/folder/c.txt"],
    ]);
    expect(existsSync(host.path("deep"))).toBe(false);
    writeFileSync(host.path("others.txt"), "by another program");
    await files.restore(snapshot);
    expect(filesIn(host.dir)).toEqual(["a.txt", "deep/b.txt", "ignored", "kept.txt", "others.txt"]);
    expect(readFileSync(host.path("a.txt"), "utf8")).toBe("a");
    expect(statSync(host.path("a.txt")).mode & 0o777).toBe(0o755);
    expect(existsSync(host.path("new"))).toBe(false);
  },
);

verifies(
  "agent.resources.overlay-fs",
  "keeps earlier contents only while a snapshot needs them",
  async () => {
    using host = folder({ large: "0" });
    const files = overlayFs(host.dir);
    const before = process.memoryUsage().arrayBuffers;
    const content = (n: number): Uint8Array => new Uint8Array(1_000_000).fill(n);
    const copy = { ...files.snapshot() };
    for (let n = 1; n <= 60; n++) {
      files.snapshot();
      await files.write("large", content(n));
      if (n % 20 === 0) await collectGarbage();
    }
    const snapshot = files.snapshot();
    await files.write("large", content(61));
    await files.write("large", content(62));
    await collectGarbage();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
    await files.restore(snapshot);
    expect((await files.read("large"))[0]).toBe(60);
    expect(await rejection(files.restore(copy))).toMatchObject({ code: "invalid_argument" });
    expect((await files.read("large"))[0]).toBe(60);
  },
);

verifies(
  "agent.resources.overlay-fs",
  "rejects a file used as a folder without revealing its path",
  async () => {
    using host = folder({ file: "x" });
    const refused = (await rejection(overlayFs(host.dir).write("file/in/it", "x"))) as Error;
    expect(refused).toMatchObject({ code: "invalid_argument" });
    expect(refused.message).not.toContain(host.dir);
  },
);

verifies("agent.resources.overlay-fs", "restores the other files if one cannot be restored", async () => {
  using host = folder({ "folder/file": "old", other: "old" });
  const files = overlayFs(host.dir);
  const snapshot = files.snapshot();
  await files.write("new", "new");
  await files.write("other", "new");
  await files.remove("folder/file");
  rmSync(host.path("folder"), { recursive: true, force: true });
  writeFileSync(host.path("folder"), "by another program");
  expect(await rejection(files.restore(snapshot))).toMatchObject({ code: "invalid_argument" });
  expect(filesIn(host.dir)).toEqual(["folder", "other"]);
  expect(readFileSync(host.path("other"), "utf8")).toBe("old");
});

verifies(
  "agent.resources.overlay-fs",
  "does not restore a file that another program has changed since",
  async () => {
    using host = folder({ a: "1", b: "1", c: "1", d: "1" });
    const files = overlayFs(host.dir);
    const snapshot = files.snapshot();
    for (const name of ["a", "b", "c", "d"]) await files.write(name, "2");
    await files.write("new/x", "2");
    writeFileSync(host.path("a"), "theirs");
    rmSync(host.path("b"));
    rmSync(host.path("d"));
    mkdirSync(host.path("d"));
    writeFileSync(host.path("new/y"), "theirs");
    await files.restore(snapshot);
    expect(readFileSync(host.path("a"), "utf8")).toBe("theirs");
    expect(existsSync(host.path("b"))).toBe(false);
    expect(readFileSync(host.path("c"), "utf8")).toBe("1");
    expect(filesIn(host.dir)).toEqual(["a", "c", "new/y"]);
  },
);

verifies(
  "agent.resources.overlay-fs",
  "reads and writes nothing outside its folder, through any path, link or hard link",
  async () => {
    using outside = folder({ secret: "s" });
    using host = folder({ a: "a" });
    mkdirSync(outside.path("empty"));
    symlinkSync(outside.dir, host.path("link"));
    symlinkSync(outside.path("secret"), host.path("file-link"));
    linkSync(outside.path("secret"), host.path("hard"));
    const files = overlayFs(host.dir);
    for (const path of ["link/secret", "link/new", "file-link"]) {
      expect(await rejection(files.read(path))).toMatchObject({ code: "workspace_security" });
      expect(await rejection(files.write(path, "x"))).toMatchObject({ code: "workspace_security" });
    }
    expect(await rejection(files.read("../x"))).toMatchObject({ code: "invalid_argument" });
    expect(await files.list()).toEqual(["a", "hard"]);
    await files.write("hard", "mine");
    mkdirSync(host.path("sub/empty"), { recursive: true });
    symlinkSync(outside.dir, host.path("sub/link"));
    await files.remove("sub");
    expect(existsSync(host.path("sub/empty"))).toBe(false);
    await files.remove("");
    expect(filesIn(outside.dir)).toEqual(["secret"]);
    expect(existsSync(outside.path("empty"))).toBe(true);
    expect(readFileSync(outside.path("secret"), "utf8")).toBe("s");
    expect(existsSync(host.dir)).toBe(true);
  },
);

verifies(
  "agent.resources.overlay-fs",
  "a restore does not write through a folder that became a link",
  async () => {
    using outside = folder();
    using host = folder({ "sub/a": "1" });
    const files = overlayFs(host.dir);
    const snapshot = files.snapshot();
    await files.remove("sub/a");
    rmSync(host.path("sub"), { recursive: true, force: true });
    symlinkSync(outside.dir, host.path("sub"));
    await files.restore(snapshot);
    expect(filesIn(outside.dir)).toEqual([]);
  },
);

verifies(
  ["agent.resources.overlay-fs", "agent.R68"],
  "a failing tool does not touch files that git ignores, or files that it did not write",
  async () => {
    using host = folder({
      ".gitignore": ".env\nbuild/\n",
      ".env": "SECRET",
      "build/out.js": "out",
      "src.ts": "1",
    });
    const write = tool({
      name: "write",
      description: "d",
      input: z.object({ fails: z.boolean() }),
      async run({ fails }, { resources, fail }: AgentToolContext) {
        const files = await resources.get(Files);
        await files.write("src.ts", "2");
        await files.write("extra.ts", "2");
        writeFileSync(host.path("by-codex.txt"), "codex");
        if (fails) fail("no");
      },
    });
    const resources = new Resources([provide(Files, () => overlayFs(host.dir))]);
    const runner = new ToolRunner({ tools: [write], session: createSession({ slices: [] }), resources });
    const call = async (fails: boolean) =>
      runner.call(
        { threadId: "t", turnId: "t", callId: "c", tool: "write", namespace: null, arguments: { fails } },
        new AbortController().signal,
      );
    expect((await call(true)).reply.success).toBe(false);
    expect(filesIn(host.dir)).toEqual([".env", ".gitignore", "build/out.js", "by-codex.txt", "src.ts"]);
    expect(readFileSync(host.path("src.ts"), "utf8")).toBe("1");
    expect((await call(false)).reply.success).toBe(true);
    expect(readFileSync(host.path("extra.ts"), "utf8")).toBe("2");
    await resources[Symbol.asyncDispose]();
  },
);
