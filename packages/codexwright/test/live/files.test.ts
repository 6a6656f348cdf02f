import { realpathSync, symlinkSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, world, type WorldOptions } from "@codexwright/test-support/world";

async function files(options?: WorldOptions) {
  const live = await world([], options);
  return { ...live, at: (name: string): string => path.join(live.server.workspace, name) };
}

verifies(
  "fs.methods",
  "files and folders are written, read, listed, copied and removed",
  async () => {
    await using live = await files();
    const { at } = live;
    const { fs } = live.codex;
    await fs.createDirectory(at("a/b"));
    expect(await rejection(fs.createDirectory(at("a/b"), { recursive: false }))).toMatchObject({
      code: "rpc",
    });
    await fs.writeFile(at("a/text.txt"), "Grüße\u2028");
    expect(await readFile(at("a/text.txt"), "utf8")).toBe("Grüße\u2028");
    expect(await fs.readText(at("a/text.txt"))).toBe("Grüße\u2028");
    const bytes = new Uint8Array(5_000_000).map((_, n) => n * 31);
    await fs.writeFile(at("a/b/bytes"), bytes);
    expect(Buffer.compare(await fs.readFile(at("a/b/bytes")), bytes)).toBe(0);
    await fs.writeFile(at("a/b/bytes"), "");
    expect(await fs.readFile(at("a/b/bytes"))).toHaveLength(0);

    symlinkSync(at("a/text.txt"), at("a/link"));
    expect(await fs.stat(at("a/link"))).toMatchObject({ isFile: true, isDirectory: false, isSymlink: true });
    const stat = await fs.stat(at("a"));
    expect(stat).toMatchObject({ isFile: false, isDirectory: true, isSymlink: false });
    expect(Math.abs(stat.modifiedAtMs - Date.now())).toBeLessThan(60_000);
    const entries = await fs.readDirectory(at("a"));
    expect(entries.map(({ fileName }) => fileName).toSorted()).toEqual(["b", "link", "text.txt"]);
    expect(entries.find(({ fileName }) => fileName === "b")).toMatchObject({
      isDirectory: true,
      isFile: false,
    });

    await fs.copy(at("a/text.txt"), at("copy.txt"));
    expect(await fs.readText(at("copy.txt"))).toBe("Grüße\u2028");
    expect(await rejection(fs.copy(at("a"), at("c")))).toMatchObject({ code: "rpc", rpcCode: -32600 });
    await fs.copy(at("a"), at("c"), { recursive: true });
    expect(await fs.readDirectory(at("c"))).toHaveLength(3);

    expect(await rejection(fs.remove(at("c"), { recursive: false }))).toMatchObject({ code: "rpc" });
    await fs.remove(at("c"));
    await fs.remove(at("c"));
    expect(await rejection(fs.remove(at("c"), { force: false }))).toMatchObject({ code: "rpc" });
    const missing = await rejection(fs.readText(at("c")));
    expect(missing).toMatchObject({ code: "rpc", rpcCode: -32603 });
    expect((missing as Error).message).toMatch(/no such file/i);
    expect(await rejection(fs.stat("relative"))).toMatchObject({ code: "invalid_argument" });
  },
  PINNED,
);

verifies(
  "fs.watch",
  "a watch of a folder tells of what is created, changed and removed, until it is closed",
  async () => {
    await using live = await files();
    const { at } = live;
    await mkdir(at("watched"));
    await using watching = live.codex.watch(at("watched"));
    expect(await watching.ready).toBe(realpathSync(at("watched")));
    const file = at("watched/file");
    for (const change of [
      () => writeFile(file, "one"),
      () => writeFile(file, "two"),
      () => rm(file),
      () => live.codex.fs.writeFile(file, "three"),
    ]) {
      const next = watching.next();
      await change();
      expect((await next).value?.changedPaths).toContain(file);
    }
    const other = live.codex.watch(at("not-yet"));
    await other.ready;
    await writeFile(at("not-yet"), "now");
    for await (const { changedPaths } of other) {
      expect(changedPaths).toEqual([at("not-yet")]);
      break;
    }
    expect((await other.next()).done).toBe(true);
    await watching.close();
    expect((await watching.next()).done).toBe(true);
  },
  PINNED,
);

verifies(
  "fs.watch",
  "the end of the connection ends a watch with its error",
  async () => {
    await using live = await files();
    const watching = live.codex.watch(live.at("."));
    await watching.ready;
    const next = rejection(watching.next());
    await live.codex.disconnect();
    expect(await next).toMatchObject({ code: "connection_closed" });
    await watching.close();
  },
  PINNED,
);

verifies(
  ["fs.methods", "fs.watch"],
  "0.98 has no files",
  async () => {
    await using live = await files({ codexPath: await codexBinary("0.98.0") });
    expect(await rejection(live.codex.fs.readText(live.at("x")))).toMatchObject({ code: "unsupported" });
    expect(() => live.codex.watch(live.at("x"))).toThrow(/0\.120/);
  },
  { against: "codex 0.98.0", timeoutMs: 180_000 },
);
