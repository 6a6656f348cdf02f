import fc from "fast-check";
import { expect } from "vitest";
import {
  decodeByTable,
  encodeByTable,
  fromBase64,
  toBase64,
} from "../../../../../src/client/services/files/base64.ts";
import { CodexFs, watch } from "../../../../../src/client/services/files/index.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeHost } from "../commands/host.ts";

verifies(
  "fs.methods",
  "base64 of any bytes equals that of other implementations, with and without native support",
  () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = Buffer.from(bytes).toString("base64");
        expect(encodeByTable(bytes)).toBe(text);
        expect(toBase64(bytes)).toBe(text);
        expect(Buffer.compare(decodeByTable(text), bytes)).toBe(0);
        expect(Buffer.compare(fromBase64(text), bytes)).toBe(0);
      }),
    );
    const big = new Uint8Array(3_000_000).map((_, n) => n * 7);
    expect(Buffer.compare(decodeByTable(encodeByTable(big)), big)).toBe(0);
  },
);

verifies("fs.paths", "rejects paths that are not absolute on any system, and sends nothing", async () => {
  const { host, asked } = fakeHost();
  const fs = new CodexFs(host);
  for (const path of ["", "a", "./a", "../a", "~/a", "C:", "C:a", String.raw`\a`, "file:///a"]) {
    for (const outcome of [
      fs.readFile(path),
      fs.readText(path),
      fs.writeFile(path, ""),
      fs.createDirectory(path),
      fs.stat(path),
      fs.readDirectory(path),
      fs.remove(path),
      fs.copy(path, "/a"),
      fs.copy("/a", path),
    ])
      expect(await rejection(outcome)).toMatchObject({ code: "invalid_argument" });
    expect(() => watch(host, path)).toThrow(/absolute/);
  }
  expect(asked).toEqual([]);
  for (const path of ["/", "/a", String.raw`C:\a`, "c:/a", String.raw`\\server\share`]) {
    void fs.stat(path);
    expect(asked.at(-1)?.params).toEqual({ path });
  }
});

verifies(
  "fs.methods",
  "rejects data that is neither text nor bytes, because writing it would empty the file",
  async () => {
    const { host, asked } = fakeHost();
    const fs = new CodexFs(host);
    for (const data of [undefined, null, 5, { a: 1 }, [1, 2], new ArrayBuffer(2), new Uint16Array(2)])
      expect(await rejection(fs.writeFile("/a", data as unknown as string))).toMatchObject({
        code: "invalid_argument",
      });
    expect(asked).toEqual([]);
    for (const data of ["hi", Buffer.from("hi"), new TextEncoder().encode("hi")]) {
      void fs.writeFile("/a", data);
      expect(asked.at(-1)?.params).toEqual({ path: "/a", dataBase64: "aGk=" });
    }
  },
);

verifies("fs.methods", "files are unsupported before 0.115, and watching before 0.120", async () => {
  const { host, asked } = fakeHost("0.110.0");
  expect(await rejection(new CodexFs(host).stat("/"))).toMatchObject({ code: "unsupported" });
  expect(() => watch(fakeHost("0.115.0").host, "/a")).toThrow(/0\.120/);
  expect(asked).toEqual([]);
});

verifies(
  "fs.watch",
  "keeps changes that arrive before the answer, and ignores those of other watches",
  async () => {
    const server = fakeHost();
    const watching = watch(server.host, "/a");
    const watchId = server.asked[0]?.params["watchId"] as string;
    server.notify("fs/changed", { watchId, changedPaths: ["/a/1"] });
    server.notify("fs/changed", { watchId: "other", changedPaths: ["/b"] });
    server.asked[0]?.answer({ path: "/real/a" });
    expect(await watching.ready).toBe("/real/a");
    server.notify("fs/changed", { watchId, changedPaths: ["/a/2", "/a/3"] });
    expect((await watching.next()).value).toEqual({ changedPaths: ["/a/1"] });
    const unwatched = server.next("fs/unwatch");
    for await (const { changedPaths } of watching) {
      expect(changedPaths).toEqual(["/a/2", "/a/3"]);
      void unwatched.then((request) => request.answer({}));
      break;
    }
    expect((await unwatched).params).toEqual({ watchId });
    await watching.close();
    expect((await watching.next()).done).toBe(true);
    expect(server.methods()).toEqual(["fs/watch", "fs/unwatch"]);
  },
);

verifies("fs.watch", "joins changes for a consumer that lags, with each path once", async () => {
  const server = fakeHost();
  const watching = watch(server.host, "/a");
  const watchId = server.asked[0]?.params["watchId"] as string;
  for (let n = 0; n < 10_000; n++) server.notify("fs/changed", { watchId, changedPaths: [`/a/${n % 100}`] });
  server.close();
  const seen: string[] = [];
  let batches = 0;
  const error = await rejection(
    (async () => {
      for await (const { changedPaths } of watching) {
        batches++;
        seen.push(...changedPaths);
      }
    })(),
  );
  expect(error).toMatchObject({ code: "connection_closed" });
  expect(batches).toBe(65);
  expect(new Set(seen).size).toBe(100);
  expect(seen).toHaveLength(164);
  await watching.close();
});

verifies("fs.watch", "a refusal or a signal ends the watch with its error", async () => {
  const server = fakeHost();
  const refused = watch(server.host, "/a");
  const next = rejection(refused.next());
  server.asked[0]?.refuse(new TypeError("no"));
  expect(await rejection(refused.ready)).toBeInstanceOf(TypeError);
  expect(await next).toBeInstanceOf(TypeError);

  const controller = new AbortController();
  const aborted = watch(server.host, "/a", { signal: controller.signal });
  server.asked[1]?.answer({ path: "/a" });
  const unwatched = server.next("fs/unwatch");
  const waiting = rejection(aborted.next());
  controller.abort("enough");
  expect(await waiting).toMatchObject({ code: "aborted", cause: "enough" });
  (await unwatched).answer({});
  await aborted.close();

  const never = watch(server.host, "/a", { signal: AbortSignal.abort() });
  expect(await rejection(never.next())).toMatchObject({ code: "aborted" });
  await never[Symbol.asyncDispose]();
  expect(server.methods()).toEqual(["fs/watch", "fs/watch", "fs/unwatch"]);
});
