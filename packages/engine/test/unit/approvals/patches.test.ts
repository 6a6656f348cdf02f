import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { chmod, link, mkdir, readdir, readlink, stat, symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { nodeFiles, nodePlatform } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";
import { worldOf, type World } from "./world.ts";

const add = (file: string, text = "new"): string => `*** Add File: ${file}\n+${text}`;
const update = (file: string, before: string, after: string, rest = ""): string =>
  `*** Update File: ${file}${rest}\n@@\n-${before}\n+${after}`;

/** Answers patches, and records what it was asked. */
function answering(world: World, decision: "accept" | "acceptForSession" | "decline"): (string | null)[] {
  const asked: (string | null)[] = [];
  world.codex.onServerRequest("item/fileChange/requestApproval", ({ reason }) => {
    asked.push(reason ?? null);
    return { decision };
  });
  return asked;
}

verifies("engine.approvals.patch-matrix", "asks for patches outside of the writable roots only", async () => {
  const expected: Readonly<Record<string, string>> = {
    "never workspace-write in": "applied",
    "never workspace-write out": "refused",
    "never read-only in": "refused",
    "never danger-full-access out": "applied",
    "on-request workspace-write in": "applied",
    "on-request workspace-write out": "asked",
    "on-request read-only in": "asked",
    "on-request danger-full-access out": "applied",
    "untrusted workspace-write in": "asked",
    "untrusted danger-full-access out": "asked",
  };
  await using world = await worldOf();
  const asked = answering(world, "decline");
  let n = 0;
  for (const [cell, outcome] of Object.entries(expected)) {
    const [approvalPolicy, sandbox, place] = cell.split(" ");
    const file = path.join(place === "in" ? world.work : world.outside, `f${n++}`);
    asked.length = 0;
    const output = await world.patch(await world.start({ approvalPolicy, sandbox }), add(file));
    const seen = asked.length > 0 ? "asked" : existsSync(file) ? "applied" : "refused";
    expect([cell, seen]).toEqual([cell, outcome]);
    if (seen === "refused") expect(output).toContain("patch rejected");
    if (seen === "asked") expect(existsSync(file)).toBe(false);
  }
});

verifies(
  "engine.approvals.patch-session",
  "a file accepted for the session is not asked about again",
  async () => {
    await using world = await worldOf();
    const asked = answering(world, "acceptForSession");
    const thread = await world.start({ approvalPolicy: "on-request" });
    const [a, b] = ["a", "b"].map((name) => path.join(world.outside, name)) as [string, string];
    await world.patch(thread, add(a, "one"));
    await world.patch(thread, update(a, "one", "two"));
    expect(asked.length).toBe(1);
    // Another file, also together with the accepted one, is a new question.
    await world.patch(thread, `${update(a, "two", "three")}\n${add(b)}`);
    expect(asked.length).toBe(2);
    expect(readFileSync(a, "utf8")).toBe("three\n");
  },
);

verifies("engine.approvals.patch-whole", "changes no file if one of them does not match", async () => {
  await using world = await worldOf();
  const thread = await world.start({ approvalPolicy: "never" });
  writeFileSync(path.join(world.work, "b"), "other\n");
  for (const bad of [
    update("b", "one", "two"),
    "*** Delete File: c",
    update("missing", "x", "y"),
    "*** Nonsense",
  ]) {
    const output = await world.patch(thread, `${add("a")}\n${bad}`);
    expect(output).toContain("verification failed");
    expect([bad, await readdir(world.work)]).toEqual([bad, ["b"]]);
  }
  const output = await world.patch(
    thread,
    [
      add("sub/a"),
      update("b", "other", "moved", "\n*** Move to: sub/c"),
      update("sub/a", "new", "newer"),
    ].join("\n"),
  );
  expect(output).toContain("A sub/a\nM sub/c\nM sub/a");
  expect(await readdir(world.work)).toEqual(["sub"]);
  expect(readFileSync(path.join(world.work, "sub/a"), "utf8")).toBe("newer\n");
  expect(readFileSync(path.join(world.work, "sub/c"), "utf8")).toBe("moved\n");
});

verifies(
  "engine.approvals.patch-whole",
  "restores the files that were written before a failure, or names them",
  async () => {
    for (const restorable of [true, false]) {
      const files = nodeFiles();
      let broken = false;
      await using world = await worldOf({
        files: {
          ...files,
          replaceRegular: (file, bytes, expected) => {
            if (file.endsWith("b")) broken = true;
            if (broken && (file.endsWith("b") || !restorable)) return Promise.reject(new Error("disk full"));
            return files.replaceRegular(file, bytes, expected);
          },
        },
      });
      const thread = await world.start({ approvalPolicy: "never" });
      const a = path.join(world.work, "a");
      writeFileSync(a, "old\n");
      writeFileSync(path.join(world.work, "b"), "old\n");
      const output = await world.patch(thread, `${update("a", "old", "new")}\n${update("b", "old", "new")}`);
      expect(output).toContain("disk full");
      expect(output).toContain(restorable ? "No file was changed" : `could not be restored: ${a}`);
      expect(readFileSync(a, "utf8")).toBe(restorable ? "old\n" : "new\n");
    }
  },
);

verifies(
  "engine.approvals.patch-files",
  "keeps permissions, leaves hard links alone, and writes through links inside",
  async () => {
    await using world = await worldOf();
    const thread = await world.start({ approvalPolicy: "never" });
    const at = (name: string): string => path.join(world.work, name);
    await writeFile(at("script"), "old\n");
    await chmod(at("script"), 0o751);
    await link(at("script"), at("twin"));
    await symlink("script", at("pointer"));
    await world.patch(thread, update("pointer", "old", "new"));
    expect(readFileSync(at("script"), "utf8")).toBe("new\n");
    expect((await stat(at("script"))).mode & 0o777).toBe(0o751);
    expect(await readlink(at("pointer"))).toBe("script");
    expect(readFileSync(at("twin"), "utf8")).toBe("old\n");
    // Deleting a link keeps the file.
    await world.patch(thread, "*** Delete File: pointer");
    expect((await readdir(world.work)).toSorted()).toEqual(["script", "twin"]);
  },
);

verifies("engine.approvals.patch-command", "applies a patch that is a command, also after cd", async () => {
  await using world = await worldOf();
  const thread = await world.start({ approvalPolicy: "never" });
  await mkdir(path.join(world.work, "a b"));
  const patch = `*** Begin Patch\n${add("x")}\n*** End Patch`;
  for (const [n, command] of ["apply_patch", "cd sub && apply_patch", "cd 'a b' && apply_patch"].entries()) {
    const output = await world.run(thread, "exec_command", { cmd: `${command} <<'EOF'\n${patch}\nEOF` });
    expect(output).toContain("Success");
    expect(existsSync(path.join(world.work, ["", "sub", "a b"][n] ?? "", "x"))).toBe(true);
  }
});

verifies("security.s81", "patches write only what a confined command could write", async () => {
  await using world = await worldOf(({ root }) => ({
    platform: { ...nodePlatform(), tmpdir: undefined, ownCode: () => [path.join(root, "work/server")] },
  }));
  const thread = await world.start({ approvalPolicy: "never" });
  const at = (name: string): string => path.join(world.work, name);
  await Promise.all([".git", "server", "sub", ".codex"].map((name) => mkdir(at(name))));
  await writeFile(path.join(world.outside, "secret"), "old\n");
  await symlink(path.join(world.outside, "secret"), at("link"));
  await symlink(world.outside, at("out"));
  await symlink("out", at("out2"));
  await symlink("../../outside", at("sub/up"));
  await symlink(".git", at("git"));
  await symlink(path.join(world.outside, "missing"), at("dangling"));
  await writeFile(at("inside"), "old\n");
  const targets = [
    "../outside/x",
    "sub/../../outside/x",
    path.join(world.outside, "x"),
    "out/x",
    "out2/x",
    "out2/new/deep/x",
    "sub/up/x",
    "dangling",
    "link",
    ".git/hooks/pre-commit",
    "git/hooks/pre-commit",
    ".codex/config.toml",
    ".GIT/hooks/pre-commit",
    ".Codex/config.toml",
    ".agents/x",
    "server/index.js",
    path.join(world.home, "config.toml"),
    "../home/rules/default.rules",
    "//../../../../../../etc/codexwright-test",
    "/proc/self/mem",
  ];
  for (const target of targets) {
    const outputs = [
      await world.patch(thread, add(target)),
      await world.patch(thread, update("inside", "old", "new", `\n*** Move to: ${target}`)),
      // One bad file refuses the whole patch.
      await world.patch(thread, `${add("fine")}\n${add(target)}`),
    ];
    for (const output of outputs)
      expect([target, output]).toEqual([target, expect.stringMatching(/rejected|failed/)]);
  }
  for (const source of ["link", "out/secret", "../outside/secret"]) {
    for (const text of [update(source, "old", "new"), update(source, "old", "new", "\n*** Move to: fine")]) {
      if (source === "link" && text.includes("Move")) continue;
      expect(await world.patch(thread, text)).toMatch(/rejected/);
    }
  }
  expect(await readdir(world.outside)).toEqual(["secret"]);
  expect(await readdir(world.home)).toEqual([]);
  expect(await readdir(at(".git"))).toEqual([]);
  expect(await readdir(at("server"))).toEqual([]);
  expect(existsSync(at("fine"))).toBe(false);
  expect(readFileSync(path.join(world.outside, "secret"), "utf8")).toBe("old\n");
  expect(readFileSync(at("inside"), "utf8")).toBe("old\n");
});

verifies("security.s81", "a question about a patch says where links lead", async () => {
  await using world = await worldOf();
  const asked = answering(world, "accept");
  await symlink(world.outside, path.join(world.work, "out"));
  const thread = await world.start({ approvalPolicy: "on-request" });
  await world.patch(thread, add("out/x"));
  expect(asked).toEqual([
    `Through links: ${path.join(world.work, "out/x")} leads to ${path.join(world.outside, "x")}`,
  ]);
  expect(readFileSync(path.join(world.outside, "x"), "utf8")).toBe("new\n");
});

verifies("security.s82", "a file that changes while the user is asked is not overwritten", async () => {
  await using world = await worldOf();
  const a = path.join(world.outside, "a");
  const b = path.join(world.outside, "b");
  const changes: readonly (() => void)[] = [
    () => writeFileSync(a, "other\n"),
    () => execFileSync("mv", [b, a]),
    () => execFileSync("ln", ["-sf", b, a]),
    () => execFileSync("rm", [a]),
  ];
  for (const change of changes) {
    execFileSync("rm", ["-f", a]);
    writeFileSync(a, "old\n");
    writeFileSync(b, "old\n");
    world.codex.onServerRequest("item/fileChange/requestApproval", () => {
      change();
      return { decision: "accept" };
    });
    const thread = await world.start({ approvalPolicy: "on-request" });
    const output = await world.patch(
      thread,
      `${add(path.join(world.work, "n"))}\n${update(a, "old", "new")}`,
    );
    expect(output).toMatch(/changed|No such file|not a regular file|link/);
    for (const file of [a, b]) if (existsSync(file)) expect(readFileSync(file, "utf8")).not.toBe("new\n");
    expect(existsSync(path.join(world.work, "n"))).toBe(false);
  }
});

verifies(
  "security.s83",
  "special files, large files and costly patches are refused in bounded time",
  async () => {
    await using world = await worldOf();
    const thread = await world.start({ approvalPolicy: "never", sandbox: "danger-full-access" });
    execFileSync("mkfifo", [path.join(world.work, "fifo")]);
    await writeFile(path.join(world.work, "huge"), "");
    await truncate(path.join(world.work, "huge"), 20 * 1024 ** 3);
    await mkdir(path.join(world.work, "folder"));
    await writeFile(path.join(world.work, "binary"), Buffer.from([0xff, 0xfe, 0x00]));
    await symlink("loop", path.join(world.work, "loop"));
    for (const file of [
      "fifo",
      "huge",
      "folder",
      "binary",
      "loop",
      "/dev/zero",
      "/proc/kmsg",
      "/proc/self/mem",
      "/proc/self/environ",
      "/sys/kernel/notes",
    ]) {
      expect([file, await world.patch(thread, update(file, "x", "y"))]).toEqual([
        file,
        expect.stringContaining("failed"),
      ]);
    }
    // Twice the lines, twice the chunks and twice the files cost about twice the time, up to the bound.
    const same = "a\n".repeat(40_000);
    for (let n = 0; n < 60; n++) await writeFile(path.join(world.work, `f${n}`), same);
    const hunk = `@@\n${" a\n".repeat(4_000)}-b\n+c`;
    const costly = Array.from({ length: 60 }, (_, n) => `*** Update File: f${n}\n${hunk}`).join("\n");
    const began = performance.now();
    expect(await world.patch(thread, costly)).toMatch(/too many comparisons|Failed to find/);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(await world.patch(thread, "+".repeat(9 * 1024 * 1024))).toContain("longer than");
  },
);
