import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, vi } from "vitest";
import { folderKind } from "@codexwright/orchestrator/tracker";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { HeldFolder } from "codexwright/internal/node";
import { failing, folderWorld, NEVER, page } from "./folder-world.ts";

verifies("fleet.tracker.folder.fields", "a file has the fields of an issue", async () => {
  await using world = await folderWorld();
  world.at.write(
    "ABC-1",
    page(
      `title: "A: title" # a comment
state: In Progress
priority: 2
labels: [ Bug, bug, " UI ", "", 7 ]
blocked_by: []
branch_name: fix/abc-1
created_at: 2026-01-02T03:04:05+01:00
estimate: 5`,
      "\n# Heading\n\n---\n\nText\n",
    ),
  );
  const { mtime } = statSync(world.at.file("ABC-1"), { bigint: true });
  expect(await world.one("ABC-1")).toEqual({
    id: "ABC-1",
    native_ref: { file: "ABC-1.md" },
    identifier: "ABC-1",
    title: "A: title",
    description: "# Heading\n\n---\n\nText",
    priority: 2,
    state: "In Progress",
    branch_name: "fix/abc-1",
    url: null,
    assignee_id: null,
    labels: ["bug", "ui"],
    blocked_by: [],
    dispatchable: true,
    created_at: "2026-01-02T02:04:05.000Z",
    updated_at: mtime.toISOString(),
  });
});

verifies(
  ["fleet.tracker.folder.fields", "symphony.17.3.optional"],
  "unusable optional values are null or left out",
  async () => {
    await using world = await folderWorld();
    const unusable = "priority: high\nlabels: {a: 1}\nblocked_by:\nbranch_name: [x]\ncreated_at: yesterday";
    world.at.write("A", page(`title: 2026\nstate: todo\n${unusable}`));
    world.at.write("B", page("title: yes\nstate: todo\nlabels: one\ncreated_at: 2026-01-02\npriority: 1.5"));
    world.at.write(
      "C",
      page("title: T\nstate: todo\nlabels: [a, [b], {c: d}, null]\ncreated_at: 2026-13-45"),
    );
    const nothing = { priority: null, labels: [], blocked_by: [], branch_name: null, created_at: null };
    expect(await world.one("A")).toMatchObject({ ...nothing, title: "2026", description: null });
    expect(await world.one("B")).toMatchObject({
      title: "yes",
      labels: ["one"],
      created_at: "2026-01-02T00:00:00.000Z",
      priority: null,
    });
    expect(await world.one("C")).toMatchObject({ labels: ["a"], created_at: null });
    expect(world.warnings).toEqual([]);
  },
);

verifies("fleet.tracker.folder.fields", "line ends of Windows and a byte order mark do no harm", async () => {
  await using world = await folderWorld();
  world.at.write("A", "\uFEFF---\r\ntitle: T\r\nstate: todo\r\n---\r\nText\r\n");
  world.at.write("B", "---\ntitle: T\nstate: todo\n---");
  expect(await world.one("A")).toMatchObject({ title: "T", state: "todo", description: "Text" });
  expect(await world.one("B")).toMatchObject({ title: "T", description: null });
});

verifies(
  ["fleet.tracker.folder.path", "security.s103", "symphony.17.3.candidates"],
  "provider.path leads only below the folder",
  async () => {
    const wrong = [
      "/etc",
      "..",
      "../x",
      "a/../..",
      "./..",
      "",
      " ",
      ".",
      "./",
      "a/..",
      "a\0b",
      "C:\\x",
      "\\\\x\\y",
      1,
      null,
      [],
    ];
    for (const value of wrong) {
      expect(folderKind.check({ path: value })).toEqual([expect.stringMatching(/^path must/)]);
      const config = {
        provider: { path: value },
        activeStates: [],
        terminalStates: [],
        folder: "/",
        warn: () => {},
      };
      await expect((async () => await folderKind.open(config))()).rejects.toMatchObject({
        code: "invalid_tracker_config",
      });
    }
    for (const value of ["issues", "./issues/", "a/b/../c", "..a", "a b"])
      expect(folderKind.check({ path: value })).toEqual([]);
    expect(folderKind.check({})).toEqual([]);
  },
);

verifies("security.s103", "a link on the way to the folder is refused", async () => {
  await using world = await folderWorld();
  const outside = path.join(world.at.home, "outside");
  mkdirSync(path.join(outside, "issues"), { recursive: true });
  writeFileSync(path.join(outside, "issues", "X.md"), page("title: Stolen\nstate: todo"));
  rmSync(world.at.folder, { recursive: true });
  symlinkSync("outside/issues", world.at.folder);
  await expect(world.all()).rejects.toMatchObject({ code: "invalid_tracker_config" });
  symlinkSync("outside", path.join(world.at.home, "link"));
  const config = { activeStates: ["todo"], terminalStates: ["done"], folder: world.at.home, warn: () => {} };
  const through = await folderKind.open({ ...config, provider: { path: "link/issues" } });
  await expect(through.byStates(["todo"], NEVER)).rejects.toMatchObject({ code: "invalid_tracker_config" });
  // The same folder without a link.
  const straight = await folderKind.open({ ...config, provider: { path: "outside/issues" } });
  expect(await straight.byStates(["todo"], NEVER)).toHaveLength(1);
});

verifies(
  ["fleet.tracker.folder.unreadable", "security.s104"],
  "a folder that cannot be read is an error and never an empty list",
  async () => {
    await using world = await folderWorld();
    const id = await world.at.create({ title: "T", state: "todo" });
    const away = `${world.at.folder}-away`;
    const expectErrors = async (): Promise<void> => {
      await expect(world.all()).rejects.toMatchObject({ code: "tracker_request" });
      await expect(world.one(id)).rejects.toMatchObject({ code: "tracker_request" });
    };
    renameSync(world.at.folder, away);
    await expectErrors();
    writeFileSync(world.at.folder, "a file");
    await expectErrors();
    rmSync(world.at.folder);
    renameSync(away, world.at.folder);
    expect(await world.ids()).toEqual([id]);
    for (const code of ["EIO", "EACCES", "ESTALE", "EMFILE", "ETIMEDOUT"]) {
      using _broken = failing("readdir", code);
      await expect(world.all()).rejects.toMatchObject({ code: "tracker_request" });
    }
    for (const code of ["EIO", "EACCES", "ESTALE", "EMFILE"]) {
      using _broken = failing("lstat", code);
      await expectErrors();
    }
    expect(await world.ids()).toEqual([id]);
  },
);

verifies("security.s104", "a file that cannot be read is not a file that is gone", async () => {
  await using world = await folderWorld();
  const id = await world.at.create({ title: "T", state: "todo" });
  for (const code of ["EIO", "EMFILE", "ENFILE", "ENOMEM"]) {
    using _broken = failing("open", code);
    await expect(world.all()).rejects.toMatchObject({ code: "tracker_request" });
    await expect(world.one(id)).rejects.toMatchObject({ code: "tracker_request" });
  }
  using _broken = failing("open", "EACCES");
  expect(await world.ids()).toEqual([]);
  await expect(world.one(id)).rejects.toMatchObject({ code: "tracker_response" });
  expect(world.warnings).toEqual([expect.stringContaining("AB-1.md")]);
});

verifies(
  ["fleet.tracker.folder.unreadable", "security.s104"],
  "an empty folder on another file system is one that is not mounted",
  async () => {
    await using world = await folderWorld();
    const id = await world.at.create({ title: "T", state: "todo" });
    expect(await world.ids()).toEqual([id]);
    rmSync(world.at.file(id));
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its object below
    const look = HeldFolder.prototype.look;
    const spy = vi.spyOn(HeldFolder.prototype, "look").mockImplementation(function (this: HeldFolder, name) {
      const stats = look.call(this, name);
      if (stats && name === ".") stats.dev += 1n;
      return stats;
    });
    try {
      await expect(world.all()).rejects.toMatchObject({ code: "tracker_request" });
      await expect(world.one(id)).rejects.toMatchObject({ code: "tracker_request" });
    } finally {
      spy.mockRestore();
    }
    // On the same file system, the issue is gone.
    expect(await world.one(id)).toBeUndefined();
  },
);

verifies(
  ["fleet.tracker.folder.blockers", "symphony.17.3.dispatchable"],
  "blockers block until they are in a terminal state",
  async () => {
    await using world = await folderWorld();
    world.at.write("A", page("title: A\nstate: todo\nblocked_by: [B, C]"));
    world.at.write("B", page("title: B\nstate: Done"));
    world.at.write("C", page("title: C\nstate: in progress"));
    world.at.write("D", page("title: D\nstate: todo\nblocked_by: [NOWHERE, ../B, 7]"));
    world.at.write("E", page("title: E\nstate: todo\nblocked_by: E"));
    expect(await world.one("A")).toMatchObject({
      dispatchable: false,
      blocked_by: [
        { id: "B", identifier: "B", state: "Done" },
        { id: "C", identifier: "C", state: "in progress" },
      ],
    });
    expect((await world.one("D"))?.blocked_by).toEqual(
      ["NOWHERE", "../B", "7"].map((identifier) => ({ id: null, identifier, state: null })),
    );
    const free = async (): Promise<string[]> =>
      (await world.all()).filter(({ dispatchable }) => dispatchable).map(({ id }) => id);
    expect(await free()).toEqual(["B", "C"]);
    world.at.write("C", page("title: C\nstate: cancelled"));
    expect(await free()).toEqual(["A", "B", "C"]);
    expect((await world.one("A"))?.dispatchable).toBe(true);
    // The state of the blocker is unknown, so the refresh fails.
    await world.at.spoil("C");
    expect(await free()).toEqual(["B"]);
    await expect(world.one("A")).rejects.toMatchObject({ code: "tracker_response", message: /C\.md/ });
  },
);

verifies(
  "fleet.tracker.folder.replaced",
  "an issue that is replaced in two steps does not look gone",
  async () => {
    await using world = await folderWorld();
    const id = await world.at.create({ title: "T", state: "todo" });
    rmSync(world.at.file(id));
    const refresh = world.one(id);
    // The file comes back while the tracker waits for its second look.
    await new Promise((resolve) => setImmediate(resolve));
    world.at.write(id, page("title: Saved\nstate: todo"));
    expect(await refresh).toMatchObject({ title: "Saved" });
  },
);

verifies("fleet.tracker.folder.cache", "an unchanged file is not read again", async () => {
  await using world = await folderWorld();
  const ids = [
    await world.at.create({ title: "A", state: "todo" }),
    await world.at.create({ title: "B", state: "done" }),
  ];
  const { ctimeMs } = statSync(world.at.file("AB-2"));
  await until(() => Date.now() - ctimeMs > 200);
  expect(await world.ids()).toEqual(ids);
  {
    using _broken = failing("open", "EIO");
    expect(await world.ids()).toEqual(ids);
    expect(await world.one("AB-1")).toMatchObject({ title: "A" });
  }
  world.at.write("AB-1", page("title: Changed\nstate: todo"));
  expect(await world.one("AB-1")).toMatchObject({ title: "Changed" });
});

verifies(
  "fleet.tracker.folder.cache",
  "a change that leaves size and time as they were is seen",
  async () => {
    await using world = await folderWorld();
    const then = new Date("2026-01-01T00:00:00Z");
    for (const title of ["one", "two", "six", "ten", "ape", "bee", "cat", "dog"]) {
      world.at.write("A", page(`title: ${title}\nstate: todo`));
      utimesSync(world.at.file("A"), then, then);
      expect(await world.one("A")).toMatchObject({ title });
      expect((await world.all())[0]).toMatchObject({ title });
    }
  },
);
