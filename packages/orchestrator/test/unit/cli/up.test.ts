import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import {
  command,
  start,
  type CommandOptions,
  type RunningCommand,
} from "../../../../cli/test/support/command.ts";
import { jsonLines } from "../../../../cli/test/support/json-lines.ts";
import { hiddenIn, HOSTILE } from "../../../../cli/test/support/tainted.ts";
import { Terminal } from "../../../../cli/test/support/terminal.ts";
import { eventually } from "../../support/fleet-world.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../../..");
const WORKFLOW =
  "---\ntracker: { kind: folder, provider: { path: issues } }\nworkspace: { root: workspaces }\n---\nDo {{ issue.title }}.\n";

/** These tests start many processes, one after the other. */
const SLOW = { timeoutMs: 240_000 };

/** A folder with a WORKFLOW.md and no issues. */
class Project implements AsyncDisposable {
  readonly folder: string;
  readonly #running: RunningCommand[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<Project> {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), "codexwright-up-")));
    await mkdir(path.join(folder, "issues"));
    await writeFile(path.join(folder, "WORKFLOW.md"), WORKFLOW);
    return new Project(folder);
  }

  get env(): Record<string, string> {
    return { HOME: this.folder, XDG_STATE_HOME: path.join(this.folder, "xdg") };
  }

  async run(args: readonly string[], options: CommandOptions = {}): ReturnType<typeof command> {
    return await command(["fleet", ...args], this.#options(options));
  }

  start(args: readonly string[]): RunningCommand {
    const running = start(["fleet", ...args], this.#options());
    this.#running.push(running);
    return running;
  }

  async write(name: string, text: string): Promise<void> {
    await mkdir(path.dirname(path.join(this.folder, name)), { recursive: true });
    await writeFile(path.join(this.folder, name), text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const running of this.#running) running.kill("SIGKILL");
    await Promise.all(this.#running.map(async ({ done }) => await done));
    await rm(this.folder, { recursive: true, force: true });
  }

  #options(options: CommandOptions = {}): CommandOptions {
    return { cwd: this.folder, ...options, env: { ...this.env, ...options.env } };
  }
}

verifies(
  [
    "fleet.up.path",
    "symphony.17.1.path-given",
    "symphony.17.1.path-default",
    "symphony.17.7.path",
    "symphony.17.7.default",
    "symphony.17.7.missing",
  ],
  "the file is the argument, or ./WORKFLOW.md",
  async () => {
    await using project = await Project.open();
    await mkdir(path.join(project.folder, "team/issues"), { recursive: true });
    await project.write("team/FLOW.md", WORKFLOW);
    await symlink("team/FLOW.md", path.join(project.folder, "link.md"));
    const named: readonly (readonly [args: readonly string[], file: string])[] = [
      [[], "WORKFLOW.md"],
      [["FLOW.md", "-C", "team"], "team/FLOW.md"],
      [["link.md"], "team/FLOW.md"],
    ];
    for (const [args, file] of named) {
      const { exitCode, stdout } = await project.run(["up", ...args, "--once", "--json"]);
      const [first] = await jsonLines(stdout);
      expect([args, exitCode, first]).toMatchObject([args, 0, { workflow: path.join(project.folder, file) }]);
    }
    for (const args of [["missing.md"], ["team"], ["-C", "issues"]]) {
      const { exitCode, stdout } = await project.run(["up", ...args, "--json"]);
      const [line] = await jsonLines(stdout);
      expect([args, exitCode, line?.["code"]]).toEqual([args, 3, "missing_workflow_file"]);
    }
  },
  SLOW,
);

verifies(
  ["fleet.up.start", "symphony.17.7.failure", "symphony.17.7.nonzero"],
  "a fleet that cannot start says why, leaves nothing, and exits with its code",
  async () => {
    await using project = await Project.open();
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const bad = (front: string): string => `---\n${front}\n---\n`;
    const wrong: readonly (readonly [
      text: string,
      args: readonly string[],
      exitCode: number,
      code: string,
    ])[] = [
      [bad("tracker: [1"), [], 1, "workflow_parse_error"],
      [bad("- a"), [], 1, "workflow_front_matter_not_a_map"],
      [bad("tracker: { kind: folder }\nagent: { max_turns: 0 }"), [], 1, "workflow_invalid"],
      [bad("tracker: { kind: elsewhere }"), [], 1, "workflow_invalid"],
      [
        bad(
          "tracker: { kind: memory }\nworkspace: { root: workspaces }\ndatabase: { url: postgres://u:s3cr3t@127.0.0.1:9/x }",
        ),
        [],
        6,
        "database_unavailable",
      ],
      [WORKFLOW, ["--port", String(port)], 1, "listen_failed"],
      [WORKFLOW, ["--port", "x"], 2, "usage"],
      [WORKFLOW, ["a.md", "b.md"], 2, "usage"],
      [WORKFLOW, ["--data", "WORKFLOW.md"], 1, "unexpected"],
    ];
    for (const [text, args, exitCode, code] of wrong) {
      await project.write("WORKFLOW.md", text);
      const printed = await project.run(["up", ...args, "--json"]);
      const lines = await jsonLines(printed.stdout);
      expect([text, args, printed.exitCode, lines.at(-1)?.["code"]]).toEqual([text, args, exitCode, code]);
      expect(`${printed.stdout}${printed.stderr}`).not.toContain("s3cr3t");
    }
    taken.close();
    expect((await project.run(["status"])).exitCode).toBe(3);
  },
  SLOW,
);

verifies(
  ["fleet.up.start", "symphony.17.7.success", "symphony.17.7.nonzero"],
  "a second fleet in the same place does not start, and the first one goes on",
  async () => {
    await using project = await Project.open();
    const first = project.start(["up"]);
    await first.shows("runs: http://127.0.0.1:");
    const second = await project.run(["up"]);
    expect([second.exitCode, second.stdout]).toEqual([1, ""]);
    expect(second.stderr).toContain("error fleet_already_runs");
    first.kill("SIGTERM");
    const { exitCode, stdout, stderr } = await first.done;
    expect(exitCode).toBe(0);
    expect(stdout).toContain("The fleet has ended. In total 0 tokens in 0");
    expect(stderr).toContain("Ctrl-C lets the turns end");
  },
  SLOW,
);

verifies(
  ["fleet.up.start", "symphony.17.7.nonzero"],
  "a signal while it starts ends it with 130",
  async () => {
    await using project = await Project.open();
    // The start waits for a database that accepts connections and never answers.
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const connected = once(silent, "connection");
    const { port } = silent.address() as AddressInfo;
    const database = `database: { url: "postgres://u:p@127.0.0.1:${port}/x" }`;
    await project.write(
      "WORKFLOW.md",
      `---\ntracker: { kind: memory }\nworkspace: { root: workspaces }\n${database}\n---\n`,
    );
    const up = project.start(["up"]);
    const [socket] = (await connected) as [Socket];
    up.kill("SIGINT");
    // The connection times out.
    expect((await up.done).exitCode).toBe(130);
    socket.destroy();
    silent.close();
  },
  SLOW,
);

verifies(
  "fleet.up.screen",
  "on a terminal it shows the screen, drains at Ctrl-C and leaves the totals",
  async () => {
    await using project = await Project.open();
    await using terminal = await Terminal.open(["fleet", "up"], { cwd: project.folder, env: project.env });
    await terminal.shows("No issue is claimed");
    await terminal.shows(/http:\/\/127\.0\.0\.1:\d+ +Ctrl-C lets the turns end/);
    expect(await terminal.text()).not.toContain("event=tick.done");
    await terminal.key("C-c");
    expect(await terminal.exitCode()).toBe(0);
    expect(await terminal.text()).toContain("The fleet has ended.");
    // Not on a terminal: the log.
    const { stderr } = await project.run(["up", "--once"]);
    expect(stderr).toContain("event=tick.done");
  },
  { skip: unlessLinux, ...SLOW },
);

/** An SDK that writes the names of its spans to a file when it ends. */
const SDK = `
const fs = require("node:fs");
const api = require(${JSON.stringify(path.join(ROOT, "node_modules/@opentelemetry/api"))});
const names = [];
const span = { setAttribute() {}, setAttributes() {}, setStatus() {}, end() {}, spanContext: () => ({}) };
const tracer = {
  startSpan: (name) => (names.push(name), span),
  startActiveSpan: (name, ...rest) => (names.push(name), rest.at(-1)(span)),
};
exports.NodeSDK = class {
  constructor(options) { names.push(options.serviceName); }
  start() { if (process.env.REGISTERS) api.trace.setGlobalTracerProvider({ getTracer: () => tracer }); }
  async shutdown() { fs.writeFileSync(process.env.SPANS, JSON.stringify(names)); }
};
`;

verifies(
  "fleet.up.otlp",
  "loads the SDK of the user, or says what to install",
  async () => {
    await using project = await Project.open();
    const args = ["up", "--once", "--otlp", "--json"];
    const missing = await project.run(args);
    const [error] = await jsonLines(missing.stdout);
    expect([missing.exitCode, error?.["code"]]).toEqual([1, "missing_dependency"]);
    expect(error?.["message"]).toContain("npm install @opentelemetry/sdk-node @opentelemetry/api@1.10.0");

    await project.write("node_modules/@opentelemetry/sdk-node/index.js", SDK);
    const file = path.join(project.folder, "spans.json");
    const sent = await project.run(args, { env: { SPANS: file, REGISTERS: "1" } });
    expect(sent.exitCode).toBe(0);
    const names = JSON.parse(await readFile(file, "utf8")) as string[];
    expect(names).toEqual(expect.arrayContaining(["codexwright-fleet", "codexwright.fleet.tick"]));

    const deaf = await project.run(args, { env: { SPANS: file, REGISTERS: undefined } });
    expect([deaf.exitCode, (await jsonLines(deaf.stdout))[0]?.["code"]]).toEqual([1, "missing_dependency"]);
  },
  SLOW,
);

verifies(
  "fleet.up.json",
  "a drain by another process is a line, too",
  async () => {
    await using project = await Project.open();
    const up = project.start(["up", "--json"]);
    await up.shows('"started"');
    await eventually(async () => ((await project.run(["drain"])).exitCode === 0 ? true : undefined));
    const { exitCode, stdout } = await up.done;
    expect(exitCode).toBe(0);
    const lines = await jsonLines(stdout);
    expect(lines.filter(({ type }) => type === "fleet").map(({ phase }) => phase)).toEqual([
      "started",
      "draining",
      "stopped",
    ]);
    expect(existsSync(path.join(lines[0]?.["stateFolder"] as string, "endpoint.json"))).toBe(false);
  },
  SLOW,
);

verifies(
  ["fleet.up.screen", "fleet.up.json"],
  "texts of issues and errors change nothing on the terminal",
  async () => {
    await using project = await Project.open();
    const settings =
      "agent: { max_attempts: 1 }\nhooks: { before_run: 'cat title; exit 1', after_create: 'cp ../../title .' }";
    const tracker = "tracker: { kind: folder, provider: { path: issues } }\nworkspace: { root: workspaces }";
    await project.write("WORKFLOW.md", `---\n${tracker}\n${settings}\n---\nDo it.\n`);
    await project.write("title", HOSTILE);
    await project.write(
      "issues/A-1.md",
      `---\ntitle: ${JSON.stringify(HOSTILE)}\nstate: todo\n---\n${HOSTILE}\n`,
    );
    const text = await project.run(["up", "--once"]);
    expect([text.exitCode, hiddenIn(text.stdout), hiddenIn(text.stderr)]).toEqual([0, undefined, undefined]);
    expect(text.stdout).toContain("A-1 is blocked");
    const json = await project.run(["up", "--once", "--json"]);
    expect([hiddenIn(json.stdout), hiddenIn(json.stderr)]).toEqual([undefined, undefined]);
    await jsonLines(json.stdout);
  },
  SLOW,
);
