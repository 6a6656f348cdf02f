import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { folderWorld, NEVER, page } from "./folder-world.ts";

const GOOD = page("title: Good\nstate: todo");

/** Malformed files, with the place that the warning names. */
const MALFORMED: Readonly<Record<string, readonly [text: string | Uint8Array, place: string]>> = {
  empty: ["", "line 1, column 1"],
  plain: ["# A page without front matter\n", "line 1, column 1"],
  unterminated: ["---\ntitle: T\nstate: todo\n", "line 1, column 1"],
  "no-title": ["---\nstate: todo\n---\n", "line 2, column 1"],
  "blank-state": ["---\ntitle: T\nstate: '  '\n---\n", "line 3, column 8"],
  "null-state": ["---\ntitle: T\nstate: ~\n---\n", "line 3, column 8"],
  "list-state": ["---\ntitle: T\nstate: [todo]\n---\n", "line 2, column 1"],
  "not-a-map": ["---\n- a\n---\n", "line 2, column 1"],
  "bad-yaml": ["---\ntitle: T\nstate: [todo\n---\n", "line 4, column 1"],
  "bad-quote": ["---\ntitle: T\nstate: 'todo\n---\n", "line 4, column 1"],
  twice: ["---\ntitle: T\nstate: todo\nstate: done\n---\n", "line 4, column 1"],
  tabs: ["---\ntitle: T\n\tstate: todo\n---\n", "line 3"],
  nul: ["---\ntitle: T\nstate: todo\n---\nab\0c", "line 5, column 3"],
  latin1: [Buffer.from(page("title: caf\u00e9\nstate: todo"), "latin1"), "line 1, column 1"],
  "cut-utf8": [Buffer.concat([Buffer.from(GOOD), Buffer.from([0xe2, 0x82])]), "line 1, column 1"],
  "utf-16": [Buffer.from(`\uFEFF${GOOD}`, "utf16le"), "line 1, column 1"],
  "two-documents": ["---\ntitle: T\nstate: todo\n...\ntitle: U\n---\n", "line"],
};

verifies(
  ["fleet.tracker.folder.malformed", "symphony.17.3.malformed"],
  "a malformed file is left out with its name and place, once",
  async () => {
    await using world = await folderWorld();
    world.at.write("GOOD", GOOD);
    for (const [name, [text]] of Object.entries(MALFORMED)) world.at.write(name, text);
    for (let round = 0; round < 3; round++) expect(await world.ids()).toEqual(["GOOD"]);
    expect(world.warnings).toHaveLength(Object.keys(MALFORMED).length);
    for (const [name, [, place]] of Object.entries(MALFORMED)) {
      const warning = world.warnings.find((each) => each.startsWith(`${name}.md, `));
      expect(warning).toContain(place);
      await expect(world.one(name)).rejects.toMatchObject({
        code: "tracker_response",
        message: expect.stringContaining(place),
      });
    }
    expect(await world.one("GOOD")).toMatchObject({ title: "Good" });
    world.at.write("empty", GOOD);
    expect(await world.ids()).toEqual(["GOOD", "empty"]);
  },
);

verifies(
  "security.s102",
  "links, FIFOs, folders and huge files are not read and do not stop the others",
  async () => {
    await using world = await folderWorld();
    const { folder, home } = world.at;
    const secret = path.join(home, "secret");
    writeFileSync(secret, page("title: The secret\nstate: todo"));
    world.at.write("GOOD", GOOD);
    symlinkSync(secret, world.at.file("link"));
    symlinkSync("/dev/zero", world.at.file("zero"));
    symlinkSync("loop.md", world.at.file("loop"));
    symlinkSync("nowhere", world.at.file("dangling"));
    mkdirSync(world.at.file("folder"));
    execFileSync("mkfifo", [world.at.file("fifo")]);
    world.at.write("huge", `${GOOD}${"x".repeat(10_000_000)}`);
    world.at.write("sparse", GOOD);
    truncateSync(world.at.file("sparse"), 1e12);
    writeFileSync(Buffer.from(`${folder}/caf\u00e9.md`, "latin1"), GOOD);
    writeFileSync(path.join(folder, ".hidden.md"), GOOD);
    writeFileSync(path.join(folder, ".md"), GOOD);
    writeFileSync(path.join(folder, "GOOD.md~"), GOOD);
    writeFileSync(path.join(folder, "GOOD.MD"), GOOD);
    expect(await world.ids()).toEqual(["GOOD"]);
    const bad = ["link", "zero", "loop", "dangling", "folder", "fifo", "huge", "sparse"];
    for (const id of bad) await expect(world.one(id)).rejects.toMatchObject({ code: "tracker_response" });
    expect(world.warnings).toHaveLength(bad.length + 1);
    expect(JSON.stringify(world.warnings)).not.toContain("The secret");
    // The attack works on a program that follows links: the file is an issue.
    linkSync(secret, world.at.file("copy"));
    expect(await world.one("copy")).toMatchObject({ title: "The secret" });
  },
);

verifies("security.s102", "front matter that is made to be expensive costs little", async () => {
  await using world = await folderWorld();
  const bomb = Array.from({ length: 40 }, (_, at) => `k${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}]`)
    .slice(1)
    .join("\n");
  const hostile = {
    aliases: page(`title: T\nstate: todo\nk0: &a0 x\n${bomb}\nlabels: *a39\nblocked_by: *a39`),
    merge: page(`title: T\nstate: todo\nlabels: [<<, *x]`),
    brackets: page(`title: T\nstate: todo\nx: ${"[".repeat(15_000)}`),
    braces: page(`title: T\nstate: todo\nx: ${"{a: ".repeat(3_500)}`),
    dashes: page(`title: T\nstate: todo\nx:\n ${"- ".repeat(7_500)}`),
    keys: page(`title: T\nstate: todo\n${Array.from({ length: 2_000 }, (_, at) => `k${at}:`).join("\n")}`),
    huge: page(`title: T\nstate: todo\nx: ${"y".repeat(900_000)}`),
    tags: page(`title: !!js/function "x"\nstate: !!binary dG9kbw==\nx: !<tag:yaml.org,2002:map> {}`),
    prototype: page("title: T\nstate: todo\n__proto__: {polluted: 1}\nconstructor: x"),
    questions: page(`title: T\nstate: todo\n${"? ".repeat(7_000)}`),
    anchors: page(`title: T\nstate: todo\n${"&a ".repeat(5_000)}`),
    quotes: page(`title: T\nstate: todo\nx: "${"\\x41".repeat(3_500)}`),
  };
  world.at.write("GOOD", GOOD);
  await world.ids();
  for (const [name, text] of Object.entries(hostile)) {
    world.at.write(name, text);
    const before = process.cpuUsage();
    expect(await world.ids()).toContain("GOOD");
    const { user, system } = process.cpuUsage(before);
    expect([name, (user + system) / 1_000]).toEqual([name, expect.any(Number)]);
    expect((user + system) / 1_000).toBeLessThan(3_000);
  }
  expect(await world.one("aliases")).toMatchObject({ labels: [], blocked_by: [] });
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

verifies("security.s102", "no bytes in a file stop the tracker or hide the other issues", async () => {
  await using world = await folderWorld();
  world.at.write("GOOD", GOOD);
  const front = fc.array(
    fc.constantFrom(
      "title: T\n",
      "state: todo\n",
      "labels: ",
      "[",
      "]",
      "- a\n",
      "&x ",
      "*x ",
      "'",
      '"',
      "|\n",
      "---\n",
      "  ",
      "\t",
      "#",
      ":",
      "\0",
      "\uFEFF",
      "🦊",
    ),
    { maxLength: 30 },
  );
  const file = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    front.map((parts) => Buffer.from(page(parts.join("")))),
  );
  await fc.assert(
    fc.asyncProperty(file, async (bytes) => {
      world.at.write("FUZZ", bytes);
      const listed = await world.ids();
      expect(listed).toContain("GOOD");
      const one = await world.one("FUZZ").catch((error: unknown) => error);
      const isIssue = listed.includes("FUZZ");
      if (isIssue) expect(one).toMatchObject({ id: "FUZZ" });
      else if (one instanceof Error) expect(one).toMatchObject({ code: "tracker_response" });
      // An issue in another state is not in the list.
      else expect(one).toMatchObject({ title: expect.any(String) });
    }),
    { numRuns: 200 },
  );
});

verifies("security.s103", "ids and blockers that are paths lead nowhere", async () => {
  await using world = await folderWorld();
  writeFileSync(path.join(world.at.home, "OUT.md"), GOOD);
  mkdirSync(path.join(world.at.folder, "sub"));
  writeFileSync(path.join(world.at.folder, "sub", "IN.md"), GOOD);
  const paths = [
    "../OUT",
    "./../OUT",
    "sub/IN",
    "sub/../A",
    "/etc/passwd",
    `${world.at.home}/OUT`,
    "..",
    ".",
    "",
    "A\0",
    ".A",
  ];
  world.at.write(
    "A",
    page(
      `title: A\nstate: todo\nblocked_by: ${JSON.stringify(paths.map((each) => each.replace("A\0", "B/A")))}`,
    ),
  );
  expect([...(await world.tracker.byIds(new Set([...paths, "A"]), NEVER)).keys()]).toEqual(["A"]);
  expect((await world.one("A"))?.blocked_by.every(({ id, state }) => id === null && state === null)).toBe(
    true,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: "binary", maxLength: 300 })), async (ids) => {
      const found = await world.tracker.byIds(new Set(ids.filter((id) => id !== "A")), NEVER);
      expect(found.size).toBe(0);
    }),
    { numRuns: 20 },
  );
});
