import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { overlayFs } from "codexwright/workspace";
import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { filesIn, folder, pipeAt } from "./folders.ts";

/** Names at the system's limit of 255 bytes, and names with characters that are special in a shell or terminal. */
const NAMES = [
  "a".repeat(250),
  "a".repeat(255),
  "é".repeat(127),
  "漢".repeat(85),
  "😀".repeat(63),
  "-rf",
  "--",
  "line\nbreak",
  "tab\tand\rreturn",
  " ",
  "...",
  ".codexwright-00000000",
  "%s$(x)`y`",
  "\u202Ertl",
];

verifies("agent.resources.overlay-fs", "can write any name that the system accepts", async () => {
  using host = folder();
  const files = overlayFs(host.dir);
  for (const name of NAMES) {
    const file = `${name}/${name}`;
    const snapshot = files.snapshot();
    await files.write(file, "one");
    await files.write(file, "two");
    expect(await files.readText(file)).toBe("two");
    expect(await files.list(name)).toEqual([file]);
    await files.remove(file);
    expect(await files.exists(file)).toBe(false);
    await files.write(file, "three");
    await files.restore(snapshot);
    expect(readdirSync(host.dir)).toEqual([]);
  }
});

verifies("agent.resources.overlay-fs", "reads names of every kind back as they were written", async () => {
  using host = folder();
  const files = overlayFs(host.dir);
  const name = fc
    .string({ unit: "binary", minLength: 1, maxLength: 255 })
    .filter((text) => Buffer.byteLength(text) <= 255 && Buffer.from(text).toString() === text)
    .filter((text) => !/[/\\\0]|^[a-z]:|^\.{1,2}$/i.test(text));
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 4 }), fc.string(), async (parts, text) => {
      const file = parts.join("/");
      await files.write(file, text);
      expect(await files.readText(file)).toBe(text);
      expect(await files.list(parts[0])).toEqual([file]);
      await files.remove(parts[0] ?? "");
      expect(readdirSync(host.dir)).toEqual([]);
    }),
    { numRuns: 30, seed: 42 },
  );
});

verifies("agent.resources.overlay-fs", "a name that is too long leaves nothing behind", async () => {
  using host = folder();
  const files = overlayFs(host.dir);
  const long = "a".repeat(256);
  for (const file of [long, `new/${long}`, `new/er/${long}/file`])
    expect(await rejection(files.write(file, "x"))).toMatchObject({ code: "invalid_argument" });
  expect(readdirSync(host.dir)).toEqual([]);
});

verifies("agent.resources.overlay-fs", "supports paths longer than the system's path limit", async () => {
  using host = folder();
  const files = overlayFs(host.dir);
  const snapshot = files.snapshot();
  const file = `${`${"d".repeat(200)}/`.repeat(60)}file`;
  await files.write(file, "deep");
  expect(await files.readText(file)).toBe("deep");
  expect(await files.list()).toEqual([file]);
  await files.restore(snapshot);
  expect(readdirSync(host.dir)).toEqual([]);
});

verifies(
  "agent.resources.overlay-fs",
  "rejects folders that are nested too deep before any change",
  async () => {
    using host = folder();
    const files = overlayFs(host.dir);
    const deep = "d/".repeat(140);
    await files.write(`${deep}file`, "deep");
    await files.write("a", "a");
    for (const act of [async () => files.list(), async () => files.remove("")])
      expect(await rejection(act())).toMatchObject({ code: "invalid_argument" });
    expect(await files.readText("a")).toBe("a");
    await files.remove(`${deep}file`);
  },
);

verifies(
  "security.s24",
  "rejects pipes, sockets and devices immediately, and keeps the content of other hard links",
  async () => {
    using outside = folder({ secret: "s" });
    using host = folder({ "sub/file": "1" });
    pipeAt(host.path("pipe"));
    linkSync(outside.path("secret"), host.path("hard"));
    const files = overlayFs(host.dir);
    for (const file of ["pipe", "sub"])
      for (const act of [async () => files.read(file), async () => files.write(file, "x")])
        expect(await rejection(act())).toMatchObject({ code: "invalid_argument" });
    expect(await files.exists("pipe")).toBe(true);
    const snapshot = files.snapshot();
    await files.write("hard", "mine");
    await files.restore(snapshot);
    await files.remove("hard");
    expect(readFileSync(outside.path("secret"), "utf8")).toBe("s");
    expect(await files.list()).toEqual(["sub/file"]);
  },
);

verifies("agent.resources.overlay-fs", "the first write creates the folder if it is missing", async () => {
  using host = folder();
  const files = overlayFs(host.path("not", "yet"));
  expect([await files.list(), await files.exists("a"), await files.exists("")]).toEqual([[], false, false]);
  expect(await rejection(files.read("a"))).toMatchObject({ code: "file_not_found" });
  await files.write("a", "1");
  expect(filesIn(host.dir)).toEqual([path.join("not", "yet", "a")]);
});

verifies(
  "agent.resources.overlay-fs",
  "names that are not UTF-8 do not disturb other files",
  async () => {
    using host = folder({ a: "1" });
    const odd = Buffer.concat([Buffer.from(`${host.dir}/`), Buffer.from([0xff, 0xfe])]);
    mkdirSync(odd);
    writeFileSync(Buffer.concat([odd, Buffer.from("/inner")]), "x");
    const files = overlayFs(host.dir);
    expect(await files.list()).toHaveLength(2);
    await files.remove("a");
    expect(existsSync(odd)).toBe(true);
  },
  { skip: unlessLinux },
);
