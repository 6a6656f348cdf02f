import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, describe, expect } from "vitest";
import { issueRunner, type FleetCore, type NewIssue } from "@codexwright/orchestrator/internal";
import { rejection, until } from "../../../../test-support/src/events.ts";
import { verifies } from "../../../../test-support/src/verifies.ts";
import { claimIn, eventually, FleetWorld, removeTemplate } from "../../support/fleet-world.ts";

function todo(identifier: string, changes: Partial<NewIssue> = {}): NewIssue {
  return { identifier, title: identifier, state: "Todo", ...changes };
}

/** Files that are not a WORKFLOW.md, with the code of the error and a part of its text. */
const BAD: Readonly<Record<string, readonly [text: string | Uint8Array | null, code: string, part: string]>> =
  {
    missing: [null, "missing_workflow_file", "WORKFLOW.md"],
    empty: ["", "workflow_invalid", "tracker.kind"],
    "broken YAML": ["---\ntracker: [\n---\nWork.\n", "workflow_parse_error", "line 2"],
    "a list": ["---\n- memory\n---\nWork.\n", "workflow_front_matter_not_a_map", "line 2"],
    "a wrong value": [
      "---\ntracker: {kind: memory}\nagent: {max_turns: 0}\n---\n",
      "workflow_invalid",
      "line 3",
    ],
    "an unknown tracker": [
      "---\ntracker: {kind: abacus}\n---\nWork.\n",
      "workflow_invalid",
      "tracker.kind must be one of",
    ],
    "not UTF-8": [Buffer.from([0x2d, 0xff, 0xfe, 0x0a]), "workflow_parse_error", "UTF-8"],
  };

async function tickError(fleet: FleetCore): Promise<string> {
  return await eventually(async () => {
    fleet.refresh();
    return (await fleet.store.read(fleet.scope)).tick.error ?? undefined;
  });
}

async function tickWorks(fleet: FleetCore): Promise<void> {
  await eventually(async () => {
    fleet.refresh();
    return (await fleet.store.read(fleet.scope)).tick.error === null || undefined;
  });
}

function stopped(world: FleetWorld): readonly boolean[] {
  return world.runs.map(({ control }) => control.signal.aborted);
}

async function put(file: string, text: string | Uint8Array | null): Promise<void> {
  await (text === null ? rm(file) : writeFile(file, text));
}

const canMount = process.platform === "linux" && process.getuid?.() === 0 && mounts();

function mounts(): boolean {
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("faults of a fleet", () => {
  afterAll(removeTemplate);

  verifies(
    "fleet.faults.workflow",
    "a bad WORKFLOW.md at the start is an error, and leaves nothing",
    async () => {
      await using world = await FleetWorld.open([todo("A")]);
      const good = await readFile(world.workflow);
      for (const [name, [text, code, part]] of Object.entries(BAD)) {
        await put(world.workflow, text);
        const error = await rejection(world.start());
        expect({ name, error }).toMatchObject({ name, error: { code } });
        expect(String(error)).toContain(part);
        await writeFile(world.workflow, good);
      }
      await world.start();
      await world.run(0);
    },
  );

  verifies("fleet.faults.workflow", "a WORKFLOW.md that becomes bad stops no agent", async () => {
    await using world = await FleetWorld.open([todo("A")]);
    const good = await readFile(world.workflow, "utf8");
    const fleet = await world.start();
    await world.run(0);
    let count = 1;
    for (const [name, [text, code, part]] of Object.entries(BAD)) {
      await put(world.workflow, text);
      const error = await tickError(fleet);
      expect({ name, error }).toEqual({ name, error: expect.stringContaining(part) });
      expect(error).toContain(code);
      world.issues.put(todo(`${name}-issue`));
      fleet.refresh();
      await writeFile(world.workflow, `${good}\n${name}\n`);
      await tickWorks(fleet);
      await world.run(count++);
      expect(world.runs[count - 1]?.task.workflow.promptTemplate).toContain(name);
    }
    expect(stopped(world)).toEqual(Array.from({ length: count }, () => false));
  });

  verifies(
    "fleet.faults.issues",
    "hostile issues run or are refused, and do not stop the others",
    async () => {
      const text = "x".repeat(10_000_000);
      const labels = Array.from({ length: 5_000 }, (_, at) => `label-${at}`);
      const hostile = [
        todo("NUL\0IDENTIFIER", { title: "a\0b", description: "\0", labels: ["\0"] }),
        todo("SURROGATE", { id: "\ud800", title: "\udfff", description: "\ud800\ud800" }),
        todo("HUGE", { description: text, title: text }),
        todo("LABELS", { labels }),
        todo("x".repeat(100_000)),
        todo("../../../etc/passwd", { branch_name: "../../x; rm -rf /" }),
        todo("$(touch pwned)", { title: "{{ issue.id }}{% raw %}", description: "`touch pwned`" }),
        todo("CON"),
        todo("..", { native_ref: { __proto__: null, nested: [[[]]] } }),
        todo("EMPTY", { title: " " }),
        todo("TWIN", { id: "twin-1" }),
        todo("TWIN", { id: "twin-2" }),
        todo("CYCLE-1", { blocked_by: [{ id: "CYCLE-2", identifier: "CYCLE-2", state: "Todo" }] }),
        todo("CYCLE-2", { blocked_by: [{ id: "CYCLE-1", identifier: "CYCLE-1", state: "Todo" }] }),
      ];
      const settings = "agent:\n  max_concurrent_agents: 100\nworker:\n  slots: 100\n";
      await using world = await FleetWorld.open([...hostile, todo("GOOD", { priority: 4 })], settings);
      const fleet = await world.start();
      const names = (): string[] => world.runs.map(({ task }) => task.claim.issue.identifier);
      await until(() => names().includes("GOOD") && world.runs.length >= 11);
      expect(names().filter((name) => name === "TWIN")).toHaveLength(1);
      expect(names()).not.toContain("EMPTY");
      const of = (name: string) =>
        world.runs.find(({ task }) => task.claim.issue.identifier === name)?.task.claim.issue;
      expect(of("NUL\0IDENTIFIER")).toMatchObject({ title: "a\0b", description: "\0" });
      expect(of("SURROGATE")).toMatchObject({ id: "\ud800", title: "\udfff" });
      // One more tick sees them as they were.
      fleet.refresh();
      await tickWorks(fleet);
      const folders = new Set(world.runs.map(({ workspace }) => workspace));
      expect(folders.size).toBe(world.runs.length);
      expect([...folders].map((folder) => path.dirname(folder))).toEqual(
        Array.from(folders, () => path.join(world.folder, "workspaces")),
      );
      const twins = world.runs.find(({ task }) => task.claim.issue.identifier === "TWIN")?.task.claim.issueId;
      world.issues.change(twins ?? "", { state: "Done" });
      fleet.refresh();
      await until(() => names().filter((name) => name === "TWIN").length === 2);
    },
  );

  verifies("fleet.faults.text", "no text of an issue becomes a path, a command or a template", async () => {
    const pwned = (name: string): string =>
      `$(touch pwned-${name})\`touch pwned-${name}\`;touch pwned-${name}`;
    const identifiers = [
      pwned("1"),
      "../../escape",
      "a/../../b",
      "-rf",
      "~",
      "a\nb",
      "NUL\0",
      "\ud800",
      "x".repeat(10_000),
      "a\u2028b",
      "{{ issue.id }}",
      "%2e%2e",
    ];
    const attacks = identifiers.map((identifier) =>
      todo(identifier, {
        title: "{{ 'ren' | append: 'dered' }}",
        description: pwned("2"),
        branch_name: "--upload-pack=touch pwned-3",
        labels: [pwned("4")],
      }),
    );
    const settings = [
      "agent: {max_concurrent_agents: 20, max_retry_backoff_ms: 1000}",
      "worker: {slots: 20}",
      "hooks:",
      '  before_run: echo "$CODEXWRIGHT_ISSUE_IDENTIFIER" >hook-was-here',
      "codex: {command: 'pwd >agent-was-here; exit 1'}\n",
    ].join("\n");
    await using world = await FleetWorld.open(attacks, settings);
    const before = await readdir(world.folder);
    const ended: string[] = [];
    await world.start(
      {},
      {
        newRunner: (services) => {
          const run = issueRunner(services);
          return async (...args) => {
            const result = await run(...args);
            ended.push(args[0].claim.issue.identifier);
            return result;
          };
        },
      },
    );
    await until(() => new Set(ended).size === attacks.length);
    expect([...new Set(ended)].toSorted()).toEqual(identifiers.toSorted());
    const root = path.join(world.folder, "workspaces");
    expect((await readdir(world.folder)).toSorted()).toEqual(
      [...new Set([...before, "workspaces"])].toSorted(),
    );
    const folders = (await readdir(root)).filter((name) => !name.startsWith("."));
    expect(folders).toHaveLength(identifiers.length);
    for (const folder of folders) {
      expect((await readdir(path.join(root, folder))).toSorted()).toEqual([
        "agent-was-here",
        "hook-was-here",
      ]);
      const cwd = await readFile(path.join(root, folder, "agent-was-here"), "utf8");
      expect(cwd.trim()).toBe(path.join(root, folder));
    }
    // The attack works on a hook that lets the shell read the text again.
    await world.write(settings.replace("echo", "eval echo"));
    await until(() =>
      ["pwned-1"].every((name) => folders.some((folder) => existsSync(path.join(root, folder, name)))),
    );
  });

  verifies("fleet.faults.tracker", "a folder of issues that disappears stops no agent", async () => {
    await using world = await FleetWorld.open([]);
    const workflow = await readFile(world.workflow, "utf8");
    await writeFile(world.workflow, workflow.replace("kind: memory", "kind: folder"));
    const issues = path.join(world.folder, "issues");
    await mkdir(issues);
    const file = (name: string, front: string): Promise<void> =>
      writeFile(path.join(issues, `${name}.md`), `---\ntitle: ${name}\nstate: todo\n${front}---\nText\n`);
    await file("GOOD", "");
    await file("BROKEN", "labels: [\n");
    await file("NUL", "priority: 1\n---\n\0");
    await file("CYCLE-1", "blocked_by: [CYCLE-2]\n");
    await file("CYCLE-2", "blocked_by: [CYCLE-1]\n");
    const fleet = await world.start();
    await world.run(0);
    expect(world.lines.filter((line) => /BROKEN\.md|NUL\.md/.test(line)).length).toBeGreaterThanOrEqual(2);

    for (let round = 1; round <= 2; round++) {
      await rename(issues, `${issues}-away`);
      expect(await tickError(fleet)).toContain("tracker_request");
      expect((await fleet.store.read(fleet.scope)).claims).toHaveLength(round);
      await rename(`${issues}-away`, issues);
      await tickWorks(fleet);
      await file(`NEW-${round}`, "");
      fleet.refresh();
      await world.run(round);
    }
    expect(world.runs.map(({ task }) => task.claim.issueId)).toEqual(["GOOD", "NEW-1", "NEW-2"]);
    expect(stopped(world)).toEqual([false, false, false]);
  });

  verifies(
    "fleet.faults.disk",
    "a full disk of the state folder stops no agent, and loses nothing",
    async () => {
      await using world = await FleetWorld.open([todo("A"), todo("B")]);
      // The limit of this file system can be changed, so nothing has to be filled.
      const data = path.join(world.folder, "small");
      await mkdir(data);
      const mount = (...options: string[]): void =>
        void execFileSync("mount", ["-t", "tmpfs", "-o", options.join(","), "none", data]);
      mount("size=4g");
      try {
        const fleet = await world.start({ data });
        await world.run(1);
        const { blocks, bfree, bsize } = await statfs(data);
        const used = (blocks - bfree) * bsize;
        mount("remount", `size=${used + bsize}`);
        // No space for a line of the log of the database.
        await writeFile(path.join(data, "ballast"), Buffer.alloc(bsize)).catch(() => {});
        world.issues.put(todo("C"));
        await until(() => {
          fleet.refresh();
          return world.lines.some(
            (line) => /event=tick\.(failed|done)/.test(line) && /disk|MiB|unavailable/i.test(line),
          );
        });
        world.runs[0]?.end({ kind: "failed", code: "turn_failed", message: "it broke" });
        expect(stopped(world)).toEqual([false, false]);
        await rm(path.join(data, "ballast"), { force: true });
        mount("remount", "size=4g");
        const first = world.runs[0]?.task.claim.issueId ?? "";
        expect(await claimIn(fleet, first, "retrying")).toMatchObject({ failures: 1 });
        fleet.refresh();
        await until(() => world.runs.some(({ task }) => task.claim.issueId === "C"));
        expect(stopped(world).slice(1)).toEqual([false, false]);
        await fleet.close();
        const next = await world.start({ data });
        const { claims } = await next.store.read(next.scope);
        expect(claims.map(({ issueId }) => issueId).toSorted()).toEqual(["A", "B", "C"]);
        await next.close();
      } finally {
        execFileSync("umount", ["-l", data]);
      }
    },
    { skip: canMount ? false : "only root can make a small disk" },
  );
});
