import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, vi } from "vitest";
import { EngineServer, type Files } from "@codexwright/engine";
import { fromBase64 } from "@codexwright/engine/internal";
import { nodeFiles } from "@codexwright/engine/node";
import { deferred } from "@codexwright/test-support/events";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { modelOf, optionsOf } from "../ports.ts";
import { RawClient } from "../raw-client.ts";

async function folder(): Promise<AsyncDisposable & { readonly path: string }> {
  const made = await mkdtemp(path.join(tmpdir(), "codexwright-files-"));
  return {
    path: made,
    [Symbol.asyncDispose]: async () => {
      await chmod(path.join(made, "locked"), 0o700).catch(() => {});
      await rm(made, { recursive: true, force: true });
    },
  };
}

verifies(
  "engine.files",
  "does not wait for FIFOs, and searches what it can read",
  async () => {
    await using home = await folder();
    execFileSync("mkfifo", [path.join(home.path, "fifo")]);
    await writeFile(path.join(home.path, "found.txt"), "x");
    await mkdir(path.join(home.path, "locked"), { mode: 0o000 });
    await symlink(home.path, path.join(home.path, "loop"));
    await using server = new EngineServer(optionsOf(modelOf(), { files: nodeFiles() }));
    const client = await RawClient.connect(server);
    for (const file of [path.join(home.path, "fifo"), "/dev/zero", home.path, "/dev/null\0"]) {
      expect(await client.call("fs/readFile", { path: file })).toMatchObject({ error: {} });
    }
    const missing = path.join(home.path, "missing");
    const roots = [home.path, missing, path.join(home.path, "found.txt"), "relative"];
    const { result } = await client.call("fuzzyFileSearch", { query: "found", roots });
    expect(result).toMatchObject({ files: [{ path: "found.txt" }] });
    expect(server.failures).toEqual([]);
    await client.close();
  },
  { skip: onWindows },
);

verifies(
  ["engine.files", "security.s88"],
  "no method for files waits for a FIFO or a device, or reads a file of the kernel without end",
  async () => {
    await using home = await folder();
    const [fifo, source] = [path.join(home.path, "fifo"), path.join(home.path, "source")];
    execFileSync("mkfifo", [fifo]);
    await writeFile(source, "x");
    await using server = new EngineServer(optionsOf(modelOf(), { files: nodeFiles() }));
    const client = await RawClient.connect(server);
    const dataBase64 = "eA==";
    const special = [fifo, "/dev/ptmx", "/dev/full"];
    // More requests than Node has threads for files. One that waits would hold its thread, and so every other client.
    const answers = Array.from({ length: 6 }, () =>
      special.flatMap((file) => [
        client.call("fs/writeFile", { path: file, dataBase64 }),
        client.call("fs/readFile", { path: file }),
        client.call("fs/copy", { sourcePath: file, destinationPath: `${source}2` }),
      ]),
    ).flat();
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ error: {} });
    const endless = ["/proc/self/pagemap", "/proc/self/mem"].filter(() => process.platform === "linux");
    for (const file of endless) {
      const before = process.memoryUsage.rss();
      expect(await client.call("fs/readFile", { path: file })).toMatchObject({ error: {} });
      expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1024 * 1024);
    }
    // Small files of the kernel have no size either.
    const { result } = await client.call("fs/readFile", {
      path: process.platform === "linux" ? "/proc/self/stat" : source,
    });
    expect((result as { dataBase64: string }).dataBase64).not.toBe("");
    for (const text of ["longer", "x"]) {
      const written = Buffer.from(text).toString("base64");
      await client.call("fs/writeFile", { path: source, dataBase64: written });
      expect(await client.call("fs/readFile", { path: source })).toMatchObject({
        result: { dataBase64: written },
      });
    }
    expect(server.failures).toEqual([]);
    await client.close();
  },
  { skip: onWindows },
);

verifies(
  ["engine.files", "security.s88"],
  "a search with any query and roots, and the longest content, leave the server to other clients",
  async () => {
    const walked: string[] = [];
    const names = Array.from({ length: 150_000 }, (_, n) => `folder/file-${n}`);
    const files: Files = {
      ...nodeFiles(),
      walk: (root) => {
        walked.push(root);
        return Promise.resolve(names.map((name) => ({ path: name, name, isDirectory: false, isFile: true })));
      },
    };
    await using server = new EngineServer(optionsOf(modelOf(), { files }));
    const client = await RawClient.connect(server);
    const search = async (query: string, roots: readonly string[]): Promise<unknown> => {
      const { result } = await client.call("fuzzyFileSearch", { query, roots });
      return (result as { files: unknown[] }).files.length;
    };
    expect(await search("x".repeat(4_000_000), ["/a"])).toBe(0);
    expect(
      await search(
        "file-77",
        Array.from({ length: 10_000 }, () => "/a"),
      ),
    ).toBeGreaterThan(0);
    walked.length = 0;
    await search(
      "file-149999",
      Array.from({ length: 10_000 }, (_, n) => `/${n}`),
    );
    expect(walked.length).toBeLessThan(10);
    await client.close();
    // An array of numbers cannot hold so many bytes.
    const bytes = fromBase64("QUJD".repeat(46_000_000));
    expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([138_000_000, 65, 67]);
  },
);

verifies("engine.files", "decodes base64 like Node", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.string({ maxLength: 3 }), (bytes, noise) => {
      const text = Buffer.from(bytes).toString("base64");
      expect([...fromBase64(text)]).toEqual([...bytes]);
      const rest = noise.replaceAll(/[A-Za-z0-9+/=]/g, "");
      expect([...fromBase64(rest + text)]).toEqual([...bytes]);
    }),
    { seed: 88 },
  );
});

verifies("engine.files", "ends watchers with their client, and refuses an identifier in use", async () => {
  const asked = deferred();
  const go = deferred();
  let watchers = 0;
  const files: Files = {
    ...nodeFiles(),
    metadata: async () => {
      asked.resolve();
      await go.promise;
      return { isDirectory: true, isFile: false, isSymlink: false, createdAtMs: 0, modifiedAtMs: 0 };
    },
    watch: (file) => {
      if (file.endsWith("full")) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      watchers++;
      return { close: () => void watchers-- };
    },
  };
  await using server = new EngineServer(optionsOf(modelOf(), { files }));
  const gone = await RawClient.connect(server);
  void gone.call("fs/watch", { watchId: "a", path: "/x" });
  await asked.promise;
  await gone.close();
  go.resolve();
  const client = await RawClient.connect(server);
  expect(await client.call("fs/watch", { watchId: "a", path: "/x" })).toMatchObject({ result: {} });
  expect(watchers).toBe(1);
  expect(await client.call("fs/watch", { watchId: "a", path: "/y" })).toMatchObject({
    error: { message: "watchId already exists: a" },
  });
  expect(await client.call("fs/watch", { watchId: "b", path: "/full" })).toMatchObject({
    error: { code: -32603, message: "no space" },
  });
  expect(await client.call("fs/unwatch", { watchId: "a" })).toMatchObject({ result: {} });
  expect(watchers).toBe(0);
  expect(server.failures).toEqual([]);
  await client.close();
});

verifies("engine.files", "reports the changes of 200 ms in one notification", async () => {
  let change: (file: string) => void = () => {};
  const files: Files = {
    ...nodeFiles(),
    metadata: () =>
      Promise.resolve({
        isDirectory: true,
        isFile: false,
        isSymlink: false,
        createdAtMs: 0,
        modifiedAtMs: 0,
      }),
    watch: (_, changed) => {
      change = changed;
      return { close: () => {} };
    },
  };
  await using server = new EngineServer(optionsOf(modelOf(), { files }));
  const client = await RawClient.connect(server);
  await client.call("fs/watch", { watchId: "a", path: "/x" });
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    change("/x/b");
    vi.advanceTimersByTime(199);
    change("/x/a");
    change("/x/b");
    expect(client.all("fs/changed")).toEqual([]);
    vi.advanceTimersByTime(1);
    change("/x/c");
    vi.advanceTimersByTime(200);
  } finally {
    vi.useRealTimers();
  }
  await client.told("fs/changed", 2);
  expect(client.all("fs/changed").map(({ params }) => params)).toEqual([
    { watchId: "a", changedPaths: ["/x/a", "/x/b"] },
    { watchId: "a", changedPaths: ["/x/c"] },
  ]);
  await client.close();
});
