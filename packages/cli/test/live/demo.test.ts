import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { exec, hang, reply, scriptedModel, type ScriptedModel } from "@codexwright/testing";
import { CODEX_VERSION } from "codexwright/protocol";
import { describe, expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { command, type RunningCommand, start } from "../support/command.ts";
import { jsonLines } from "../support/json-lines.ts";
import { processesOf } from "@codexwright/test-support/world";

const ROOT = path.join(import.meta.dirname, "../../../..");
const against = `codex ${CODEX_VERSION}` as const;

/** The folders of a user who runs the demo. */
interface User extends AsyncDisposable {
  readonly codexHome: string;
  readonly temp: string;
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  run(...args: string[]): RunningCommand;
}

async function newUser(): Promise<User> {
  const root = await mkdtemp(path.join(tmpdir(), "codexwright-demo-"));
  const folder = async (name: string): Promise<string> => {
    await mkdir(path.join(root, name));
    return path.join(root, name);
  };
  const [home, codexHome, temp, project] = (await Promise.all(
    ["home", "codex-home", "temp", "project"].map(folder),
  )) as [string, string, string, string];
  const bin = path.join(ROOT, "node_modules/.bin");
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: home,
    CODEX_HOME: codexHome,
    TMPDIR: temp,
    INIT_CWD: project,
  };
  return {
    codexHome,
    temp,
    project,
    env,
    // As npm does: the installed codex is on PATH.
    run: (...args) =>
      start(args, { program: demoProgram, env: { ...env, PATH: `${bin}${path.delimiter}${env["PATH"]}` } }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
}

/** The program that `npm start` runs. */
const demoProgram = path.join(ROOT, "build/demo/main.js");

/** Makes `model` the user's provider. */
async function useProvider({ codexHome }: User, { baseUrl }: ScriptedModel): Promise<void> {
  const config = `model = "mock-model"
model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = "${baseUrl}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[features]
plugins = false
# Interrupted, Codex's own sandbox on Linux leaves mount points in every folder that commands may write to.
[sandbox_workspace_write]
exclude_slash_tmp = true
`;
  await writeFile(path.join(codexHome, "config.toml"), config);
}

async function expectNothingLeft(user: User): Promise<void> {
  // Codex's Linux sandbox leaves its own files behind.
  const ours = (await readdir(user.temp)).filter(
    (name) => !/^(codex-bwrap-.*|\.agents|\.aws|\.codex|\.git)$/.test(name),
  );
  expect(ours).toEqual([]);
  expect(processesOf(user.temp)).toEqual([]);
}

describe("the command without a login", () => {
  verifies(
    ["cli.run.demo", "cli.exit-codes"],
    "exits 4 with advice, and starts no server",
    async () => {
      await using user = await newUser();
      const { exitCode, stdout, stderr } = await command(["run", "Do it"], { env: user.env });
      expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "" });
      expect(stderr).toContain("codexwright login");
      expect(stderr).toContain("codexwright run --demo");
      const json = await command(["run", "--json", "Do it"], { env: user.env });
      const lines = await jsonLines(json.stdout);
      expect(lines).toMatchObject([{ type: "error", code: "not_logged_in", exitCode: 4 }]);
      expect(await readdir(user.codexHome)).toEqual([]);
    },
    { against },
  );

  verifies(
    ["cli.run.demo", "cli.json"],
    "runs with --demo, and prints only documented lines with --json",
    async () => {
      await using user = await newUser();
      const { exitCode, stdout, stderr } = await command(["run", "--demo", "--json"], { env: user.env });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      const lines = await jsonLines(stdout);
      expect(lines[0]).toMatchObject({ type: "started", serverVersion: CODEX_VERSION });
      expect(lines.at(-1)).toMatchObject({ type: "result", status: "completed" });
      expect(lines.at(-1)?.["filesChanged"]).toMatchObject([{ added: 5, removed: 1 }]);
      await expectNothingLeft(user);
    },
    { against },
  );
});

describe("the demo without a login", () => {
  verifies(
    ["demo.run", "cli.run.demo"],
    "shows a command, a changed file and the answer, and leaves nothing behind",
    async () => {
      await using user = await newUser();
      const demo = user.run();
      const { exitCode, stderr, stdout } = await demo.done;
      expect(exitCode).toBe(0);
      expect(stderr).toContain("Codex is not logged in, so this runs `codexwright run --demo`.");
      expect(stderr).toContain("npx codex login");
      expect(stderr).toContain("$ sh check.sh\n  1900 yes: WRONG, should be no\n");
      expect(stderr).toContain("  exit code 1\n");
      expect(stderr).toContain("leap.sh +5 -1\n  @@ ");
      expect(stderr).toContain(
        "\n  -if [ $((year % 4)) -eq 0 ]; then\n  +if [ $((year % 400)) -eq 0 ]; then\n",
      );
      expect(stderr).toContain("$ sh check.sh\n  1900 no: right\n");
      expect(stderr).toMatch(/\nused {5}[\d,]+ tokens \(.+ in, of these .+ cached; .+ out\) in [\d.]+ s\n/);
      expect(stderr).toMatch(/\nthread {3}[\da-f-]{36}\n/);
      expect(stdout).toMatch(/^Fixed: .*\n$/);
      // No control characters except line feeds.
      expect(stderr).not.toMatch(/[^\P{Cc}\n]/u);
      for (const folder of [user.codexHome, user.temp, user.project])
        expect(await readdir(folder)).toEqual([]);
      await expectNothingLeft(user);
    },
    { against },
  );

  for (const [title, shown, signals] of [
    ["halfway", "I will run", 1],
    ["twice", "›", 2],
  ] as const) {
    verifies(
      ["demo.run", "cli.run.demo"],
      `leaves nothing behind when it is stopped ${title}`,
      async () => {
        await using user = await newUser();
        const demo = user.run();
        await demo.shows(shown, "stderr");
        for (let n = 0; n < signals; n++) demo.kill("SIGINT");
        expect((await demo.done).exitCode).toBe(130);
        for (const folder of [user.codexHome, user.project]) expect(await readdir(folder)).toEqual([]);
        await expectNothingLeft(user);
      },
      { against },
    );
  }

  verifies(
    ["demo.run", "cli.run.demo"],
    "says that the script ignores the task",
    async () => {
      await using user = await newUser();
      const demo = user.run("Paint", "the shed");
      const { exitCode, stderr } = await demo.done;
      expect(exitCode).toBe(0);
      expect(stderr).toContain("its own small job, not your task,");
      await expectNothingLeft(user);
    },
    { against },
  );
});

describe("the demo with a provider", () => {
  verifies(
    ["demo.run", "cli.run.demo"],
    "uses the provider in the user's folder, and says how to continue",
    async () => {
      await using user = await newUser();
      await using model = await scriptedModel([
        exec("echo one > made.txt && seq 100 && printf '\\033[31mred\\033[0m\\n'"),
        reply("All yours.", { deltas: 2 }),
      ]);
      await useProvider(user, model);
      const demo = user.run("Make a file");
      const { exitCode, stderr, stdout } = await demo.done;
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "All yours.\n" });
      expect(stderr).toContain("› Make a file\n");
      expect(stderr).toMatch(/\n {2}… 91 more lines\n {2}92\n/);
      expect(stderr).toContain("\n  100\n  red\n");
      const [, threadId] = /\nthread {3}([\da-f-]{36})\n/.exec(stderr) ?? [];
      expect(stderr).toContain(`codexwright run --resume ${threadId}`);
      expect(model.requests.length).toBe(2);
      expect(await readdir(user.project)).toEqual(["made.txt"]);
      await expectNothingLeft(user);
    },
    { against },
  );

  verifies(
    ["demo.run", "cli.run.demo"],
    "writes no file if there is no task",
    async () => {
      await using user = await newUser();
      await using model = await scriptedModel([exec("touch made.txt"), reply("I cannot.")]);
      await useProvider(user, model);
      const demo = user.run();
      expect((await demo.done).exitCode).toBe(0);
      expect(await readdir(user.project)).toEqual([]);
    },
    { against },
  );

  verifies(
    ["demo.run", "cli.run.demo"],
    "shows a failure in one line and exits with 1",
    async () => {
      await using user = await newUser();
      await using model = await scriptedModel([]);
      await useProvider(user, model);
      const demo = user.run("Fail");
      const { exitCode, stderr } = await demo.done;
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/\nerror turn_failed: [^\n]+\n$/);
      await expectNothingLeft(user);
    },
    { against },
  );

  verifies(
    ["demo.run", "cli.run.demo"],
    "stops cleanly on Ctrl-C",
    async () => {
      await using user = await newUser();
      await using model = await scriptedModel([exec("sleep 600"), hang()]);
      await useProvider(user, model);
      const demo = user.run("Wait");
      await demo.shows("$ sleep 600", "stderr");
      demo.kill("SIGINT");
      const { exitCode, stdout, stderr } = await demo.done;
      expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: "" });
      expect(stderr).toContain("\nerror interrupted: The turn was interrupted.\n");
      await expectNothingLeft(user);
    },
    { against },
  );
});
