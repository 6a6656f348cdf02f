import {
  chmod,
  chown,
  copyFile,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { userInfo } from "node:os";
import path from "node:path";
import {
  FleetError,
  newToken,
  publishEndpoint,
  scopeOf,
  stateFolderOf,
} from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { expect } from "vitest";
import { command } from "../../../../cli/test/support/command.ts";
import { jsonLines } from "../../../../cli/test/support/json-lines.ts";
import { hiddenIn, HOSTILE } from "../../../../cli/test/support/tainted.ts";
import { anIssue, asking, retrying, running } from "../../support/fake-fleet.ts";
import { newFleetUser } from "../../support/fleet-command.ts";

const { username } = userInfo();

verifies(
  ["fleet.cli.status", "fleet.cli.json", "symphony.17.6.status", "symphony.17.6.summaries"],
  "status shows what runs, waits and needs a person",
  async () => {
    await using user = await newFleetUser();
    const soon = new Date(Date.now() + 600_000).toISOString();
    user.fleet.claims = [
      running(anIssue("MT-649", { title: "Fix the parser" }), { lastMessage: "Working on tests" }),
      { ...retrying(anIssue("MT-650"), "no available orchestrator slots"), dueAt: soon } as never,
      asking(anIssue("MT-651"), "Which database?"),
    ];
    user.fleet.snapshot = {
      paused: { by: "ann", reason: "a release", at: soon },
      rateLimits: {
        primary: { usedPercent: 42, windowDurationMins: 300, resetsAt: Date.now() / 1000 + 3600 },
      },
    };
    const { exitCode, stdout, stderr } = await user.run(["status"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("1 of 10 running, 0 queued, 1 retrying, 1 blocked");
    expect(stdout).toContain("today 0 of 1,000,000 ░░░░░░░░░░ 0% tokens, in total 2,000 tokens");
    expect(stdout).toContain("paused by ann: a release");
    expect(stdout).toMatch(/limit ████░░░░░░ 42%, resets in 60m 0s|limit ████░░░░░░ 42%, resets in 59m/);
    expect(stdout).toMatch(
      /MT-649 +\d+m \d+s +7 +2,000 +laptop +Fix the parser +turn_completed: Working on tests/,
    );
    expect(stdout).toMatch(
      /MT-650 +(?:10m 0s|9m \d+s) +3 +failure +Title of MT-650 +no available orchestrator slots/,
    );
    expect(stdout).toMatch(/MT-651 .*an answer: Which database\?/);
    const [line] = await jsonLines((await user.run(["status", "--json"])).stdout);
    expect(line).toMatchObject({ type: "state", state: { counts: { running: 1, retrying: 1, blocked: 1 } } });
  },
);

verifies("fleet.cli.status", "status --watch follows the fleet, and ends when the fleet ends", async () => {
  await using user = await newFleetUser();
  const watching = user.start(["status", "--watch", "-q"]);
  const json = user.start(["status", "--watch", "--json"]);
  await Promise.all([watching.shows("No issue is claimed"), json.shows('"type":"state"')]);
  while (user.fleet.streams() < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  user.fleet.claims = [running(anIssue("MT-1"))];
  user.fleet.emit({ event: "run.started", message: "the first run", identifier: "MT-1", issueId: "id-MT-1" });
  await Promise.all([watching.shows("the first run"), json.shows("MT-1")]);
  await user.server.close();
  expect((await watching.done).exitCode).toBe(0);
  const printed = await json.done;
  expect(printed.exitCode).toBe(0);
  expect((await jsonLines(printed.stdout)).map(({ type }) => type)).toEqual(["state", "state"]);
});

verifies(
  ["fleet.cli.orders", "fleet.cli.json"],
  "orders reach the fleet with the name of the user",
  async () => {
    await using user = await newFleetUser();
    user.fleet.claims = [asking(anIssue("MT-1"), "Which?"), asking(anIssue("a/b c%2F"), "Which?")];
    const lines: readonly (readonly string[])[] = [
      ["stop", "MT-1", "--reason", "a decision"],
      ["retry", "a/b c%2F"],
      ["answer", "MT-1", "use", "PostgreSQL"],
      ["answer", "MT-1", "--protocol", '{"decision":"accept"}'],
      ["clean", "id-MT-1"],
      ["pause", "--reason", "a release"],
      ["resume"],
      ["drain", "--now"],
    ];
    for (const args of lines) {
      const { exitCode, stdout } = await user.run([...args, "--json"]);
      const [line] = await jsonLines(stdout);
      expect([args, exitCode, line?.["order"]]).toEqual([args, 0, args[0]]);
    }
    const piped = await user.run(["answer", "MT-1", "-"], { stdin: "two\nlines\n" });
    expect(piped).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "MT-1: answered; its next run begins with the answer.\n",
    });
    const by = username;
    expect(user.fleet.asked).toEqual([
      { issueId: "id-MT-1", order: { kind: "stop", by, reason: "a decision" } },
      { issueId: "id-a/b c%2F", order: { kind: "retry", by } },
      { issueId: "id-MT-1", order: { kind: "answer", by, answer: { text: "use PostgreSQL" } } },
      { issueId: "id-MT-1", order: { kind: "answer", by, answer: { json: { decision: "accept" } } } },
      { issueId: "id-MT-1", order: { kind: "clean", by } },
      { issueId: "id-MT-1", order: { kind: "answer", by, answer: { text: "two\nlines\n" } } },
    ]);
    expect(user.fleet.calls.filter((call) => call !== "refresh")).toEqual([
      `pause ${by} a release`,
      `resume ${by}`,
      `drain ${by} true`,
    ]);
  },
);

verifies(
  ["cli.errors", "fleet.cli.exit-codes", "fleet.cli.json"],
  "wrong uses exit with their codes",
  async () => {
    await using user = await newFleetUser();
    user.fleet.claims = [asking(anIssue("MT-1"), "Which?")];
    const wrong: readonly (readonly [args: readonly string[], exitCode: number, code: string])[] = [
      [["explain", "MT-9"], 3, "issue_not_found"],
      [["stop", "MT-9"], 3, "issue_not_found"],
      [["stop"], 2, "usage"],
      [["answer", "MT-1"], 2, "usage"],
      [["answer", "MT-1", "a", "--protocol", "1"], 2, "usage"],
      [["answer", "MT-1", "--protocol", "{"], 2, "usage"],
      [["answer", "MT-1", " "], 2, "usage"],
      [["logs", "--last", "0"], 2, "usage"],
      [["pause", "--reason", "x".repeat(2000)], 1, "request_failed"],
    ];
    for (const [args, exitCode, code] of wrong) {
      const printed = await user.run([...args, "--json"]);
      const lines = await jsonLines(printed.stdout);
      expect([args, printed.exitCode, lines]).toMatchObject([
        args,
        exitCode,
        [{ type: "error", code, exitCode }],
      ]);
    }
    expect(user.fleet.asked).toEqual([]);
    user.fleet.before = async () => {
      throw new FleetError("database_unavailable", "the database is away");
    };
    for (const args of [["status"], ["stop", "MT-1"], ["logs"]]) {
      const away = await user.run(args);
      expect([args, away.exitCode]).toEqual([args, 6]);
      expect(away.stderr).toContain(
        "error database_unavailable: the database is away\n  Check that the database runs",
      );
    }
  },
);

verifies(
  "fleet.cli.find",
  "a fleet is found by its WORKFLOW.md, also through a link and by its name",
  async () => {
    await using user = await newFleetUser();
    const env = { XDG_STATE_HOME: path.join(user.folder, "../xdg") };
    const workflow = path.join(user.folder, "WORKFLOW.md");
    const stateFolder = stateFolderOf(scopeOf(workflow), env);
    await mkdir(stateFolder, { recursive: true });
    const files = ["endpoint.json", "token"];
    for (const file of files) await copyFile(path.join(user.data, file), path.join(stateFolder, file));
    const link = path.join(user.folder, "../link");
    await symlink(user.folder, link);
    const other = path.join(user.folder, "..");
    for (const [args, cwd] of [
      [[], user.folder],
      [[], link],
      [["--cwd", user.folder], other],
      [["--workflow", "project/WORKFLOW.md"], other],
      [["--workflow", "link/WORKFLOW.md"], other],
      [["--workflow", workflow], "/"],
    ] as const) {
      const { exitCode, stderr } = await command(["fleet", "status", ...args], { cwd, env });
      expect([args, cwd, exitCode, stderr]).toEqual([args, cwd, 0, ""]);
    }
    const none = await command(["fleet", "status"], { cwd: other, env });
    expect([none.exitCode, none.stderr.split("\n")[0]]).toEqual([
      3,
      `error missing_workflow_file: there is no workflow file at ${path.join(other, "WORKFLOW.md")}`,
    ]);
    await rename(path.join(stateFolder, "endpoint.json"), path.join(stateFolder, "away"));
    const stopped = await command(["fleet", "status"], { cwd: user.folder, env });
    expect([stopped.exitCode, stopped.stderr]).toEqual([
      3,
      `error fleet_not_running: no fleet runs for ${workflow}\n  Start it with \`codexwright fleet up\`.\n` +
        "  If it runs with another WORKFLOW.md or another --data, name the same one here.\n",
    ]);
  },
);

verifies("fleet.cli.find", "a fleet that was killed does not run", async () => {
  await using user = await newFleetUser();
  await user.server.close();
  for (const args of [["status"], ["logs", "-f"], ["stop", "MT-1"], ["status", "--watch"]]) {
    const { exitCode, stderr } = await user.run(args);
    expect([args, exitCode, stderr.includes("fleet_not_running")]).toEqual([args, 3, true]);
  }
});

verifies("security.s119", "files that another user could have written are not used", async () => {
  await using user = await newFleetUser();
  const endpoint = path.join(user.data, "endpoint.json");
  const good = await readFile(endpoint, "utf8");
  expect((await stat(endpoint)).mode & 0o777).toBe(0o600);
  expect((await stat(path.join(user.data, "token"))).mode & 0o777).toBe(0o600);
  const token = path.join(user.data, "token");
  const goodToken = await readFile(token, "utf8");
  const attacks: Readonly<Record<string, () => Promise<void>>> = {
    "a token that others can write": async () => await chmod(token, 0o620),
    "a token that is a link": async () => {
      await rename(token, `${token}.real`);
      await symlink(`${token}.real`, token);
    },
    "a token that is gone": async () => await rm(token),
    "a token that is too large": async () => await writeFile(token, goodToken.trim().padEnd(1_000_000)),
    ...(process.getuid?.() === 0 && {
      "a token of another user": async () => await chown(token, 65_534, 65_534),
      "an address of another user": async () => await chown(endpoint, 65_534, 65_534),
    }),
    "writable by others": async () => await chmod(endpoint, 0o666),
    "a link": async () => {
      await rename(endpoint, `${endpoint}.real`);
      await symlink(`${endpoint}.real`, endpoint);
    },
    "not JSON": async () => await writeFile(endpoint, "{"),
    null: async () => await writeFile(endpoint, "null"),
    "another scheme": async () => await writeFile(endpoint, '{"url":"file:///etc/passwd","pid":1}'),
    "no number": async () => await writeFile(endpoint, good.replace(/\d+\}/, '"1"}')),
    "too large": async () => await writeFile(endpoint, good.trim().padEnd(1_000_000)),
    "a folder": async () => {
      await rm(endpoint);
      await mkdir(endpoint);
    },
  };
  const restore = async (): Promise<void> => {
    for (const [file, text] of [
      [endpoint, good],
      [token, goodToken],
    ] as const) {
      await rm(file, { recursive: true, force: true });
      await writeFile(file, text, { mode: 0o600 });
    }
  };
  user.fleet.claims = [asking(anIssue("MT-1"), "Which?")];
  const works = async (): Promise<void> => expect((await user.run(["retry", "MT-1"])).exitCode).toBe(0);
  await works();
  for (const [name, attack] of Object.entries(attacks)) {
    await attack();
    expect([name, (await user.run(["retry", "MT-1"])).exitCode]).toEqual([name, 3]);
    expect([name, user.fleet.asked.length]).toEqual([name, 1]);
    await restore();
  }
  await works();
});

verifies("security.s119", "a token that leaked is of no use after a restart", async () => {
  await using user = await newFleetUser();
  const before = await newToken(user.data);
  await publishEndpoint(user.data, user.server.url);
  expect(await newToken(user.data)).not.toBe(before);
  expect(before.length).toBeGreaterThanOrEqual(43);
});

verifies(
  "security.s120",
  "no command prints the text of an issue, an agent or the fleet unescaped",
  async () => {
    await using user = await newFleetUser();
    const text = `a ${HOSTILE}\nsecond line`;
    const issue = anIssue(text, { id: "id-1", title: text, state: text, url: text });
    user.fleet.claims = [
      running(issue, { lastMessage: text }),
      retrying(anIssue("b", { title: text }), text),
      asking(anIssue("c"), text),
    ];
    user.fleet.snapshot = {
      paused: { by: text, reason: text, at: text },
      waiting: { until: text, why: text },
      tick: { host: text, at: null, polledAt: null, error: text },
      hosts: [{ name: text, slots: 1, running: 1, draining: false, seenAt: text }],
    };
    user.fleet.emit({ event: "warning", message: text, identifier: text, issueId: "id-1" });
    user.fleet.explanations.set("c", {
      issueId: "id-c",
      identifier: text,
      issue,
      eligible: false,
      verdicts: [{ rule: text, ok: false, why: text }],
      claim: user.fleet.claims[1] ?? null,
      next: [text],
    });
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    const colours = /\u001B\[(?:[0-4]|7|9|2[2-9]|3[0-46]|39|9[0-7])?m/g;
    for (const args of [["status"], ["explain", "c"], ["logs"], ["stop", text], ["explain", text]]) {
      for (const json of [[], ["--json"]]) {
        const env = json.length === 0 ? { FORCE_COLOR: "1" } : {};
        const { stdout, stderr } = await user.run([...args, ...json], { env });
        const printed = stdout + stderr;
        expect([args, hiddenIn(printed.replaceAll(colours, ""))]).toEqual([args, undefined]);
        expect([args, /<U\+200F>|\\u200f/.test(printed)]).toEqual([args, true]);
        // A line feed in a text does not begin a line.
        expect([args, /^second line/m.test(printed)]).toEqual([args, false]);
      }
    }
  },
);

verifies("fleet.cli.explain", "explain prints every rule with its verdict", async () => {
  await using user = await newFleetUser();
  user.fleet.explanations.set("MT-1", {
    issueId: "id-MT-1",
    identifier: "MT-1",
    issue: anIssue("MT-1"),
    eligible: false,
    verdicts: [
      { rule: "state_active", ok: true, why: "the state is todo" },
      { rule: "slot_free", ok: false, why: "10 of 10 agents run" },
    ],
    claim: null,
    next: ["an agent ends"],
  });
  const { stdout } = await user.run(["explain", "MT-1"]);
  expect(stdout).toBe(
    "MT-1  Title of MT-1\nnot eligible\n\n  ok  state_active  the state is todo\n  no  slot_free     10 of 10 agents run\n\nTo change this:\n  an agent ends\n",
  );
  const [line] = await jsonLines((await user.run(["explain", "MT-1", "--json"])).stdout);
  expect(line).toMatchObject({
    type: "explanation",
    explanation: { verdicts: [{ ok: true }, { ok: false }] },
  });
});

verifies(["fleet.cli.diff", "fleet.cli.json"], "diff prints the patch of an issue or of a run", async () => {
  await using user = await newFleetUser();
  user.fleet.patch = "--- a/x\n+++ b/x\n-old\u001b[2J\n+new\n";
  const { exitCode, stdout } = await user.run(["diff", "MT-1"]);
  expect([exitCode, stdout]).toEqual([0, "--- a/x\n+++ b/x\n-old\n+new\n"]);
  const [line] = await jsonLines((await user.run(["diff", "MT-1", "--run", "r1", "--json"])).stdout);
  expect(line).toMatchObject({ type: "diff", changes: { runs: ["r1"], patch: user.fleet.patch } });
  user.fleet.patch = "";
  expect((await user.run(["diff", "MT-1"])).stdout).toBe("Nothing has changed.\n");
  expect(user.fleet.calls).toEqual(["changes MT-1 all", "changes MT-1 r1", "changes MT-1 all"]);
});

verifies(
  ["fleet.cli.logs", "fleet.cli.json"],
  "logs prints past events, and follows new ones of an issue",
  async () => {
    await using user = await newFleetUser();
    for (const at of [1, 2, 3]) user.fleet.emit({ event: "tick.done", message: `tick ${at}` });
    user.fleet.emit({ event: "run.started", message: "began", identifier: "MT-1", issueId: "id-MT-1" });
    const last = await user.run(["logs", "-n", "2"]);
    expect(last.stdout.split("\n").map((line) => line.replace(/^\S+ +/, ""))).toEqual([
      "tick.done         tick 3",
      "run.started       MT-1  began",
      "",
    ]);
    const follow = user.start(["logs", "-f", "--issue", "MT-1", "--json"]);
    await follow.shows("began");
    user.fleet.emit({ event: "tick.done", message: "tick 4" });
    user.fleet.emit({ event: "run.ended", message: "ended", identifier: "MT-1", issueId: "id-MT-1" });
    await follow.shows("ended");
    follow.kill("SIGINT");
    const { exitCode, stdout } = await follow.done;
    expect(exitCode).toBe(0);
    expect((await jsonLines(stdout)).map(({ message }) => message)).toEqual(["began", "ended"]);
  },
);
