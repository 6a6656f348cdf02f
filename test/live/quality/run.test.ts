import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { chatApi } from "@codexwright/test-support/model-apis/chat";
import { listIn, type Answer, type Json } from "@codexwright/test-support/model-apis/server";
import { verifies } from "@codexwright/test-support/verifies";
import { TASKS } from "../../../quality/tasks/index.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const PROGRAM = path.join(ROOT, "build/quality/main.js");

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function quality(args: readonly string[], home: string): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, CODEX_HOME: home, HOME: home };
    execFile(process.execPath, [PROGRAM, ...args], { env, cwd: ROOT }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** The work of the model on a task. */
type Work = "solve" | "nothing" | "break" | "fail";

/** A model that knows the solutions. It finds the task by its prompt. */
function answerFor(body: Json, works: Readonly<Record<string, Work>>): Answer {
  const messages = listIn(body["messages"]);
  const said = JSON.stringify(messages);
  const task = TASKS.find(({ prompt }) => said.includes(JSON.stringify(prompt).slice(1, -1)))!;
  const work = works[task.name];
  if (work === "fail") return { status: 401, body: '{"error":{"message":"no such key","type":"auth"}}' };
  const usage = { input: 100, output: 10, cached: 40 };
  if (work === "nothing" || messages.at(-1)?.["role"] === "tool") return { text: "Done.", usage };
  const cmd = work === "solve" ? task.solution : "rm -f *.js";
  return { calls: [{ name: "exec_command", args: { cmd, login: false } }], usage };
}

verifies(
  "quality.run",
  "prints what a model solved, with tokens, turns and time",
  async () => {
    const works: Readonly<Record<string, Work>> = {
      "fix-failing-test": "solve",
      "rename-function": "break",
      "add-flag": "fail",
      "resolve-conflict": "solve",
      "keep-unicode": "nothing",
      "raise-version": "solve",
    };
    const home = await realpath(await mkdtemp(path.join(tmpdir(), "codexwright-quality-home-")));
    try {
      await using server = await chatApi(({ body }) => answerFor(body, works));
      await writeFile(
        path.join(home, "config.toml"),
        `[model_providers.own]\ncodexwright_api = "chat"\nbase_url = "${server.baseUrl}"\nrequest_max_retries = 0\n`,
      );
      const args = ["-c", "model_provider=own", "-c", "model=scripted", "--sandbox", "danger-full-access"];
      const ran = await quality([...args, "--json", ...Object.keys(works)], home);
      expect(ran.stderr).toBe("");
      const outcomes = ran.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Json);
      const ended = Object.fromEntries(outcomes.map(({ task, solved, turns }) => [task, [solved, turns]]));
      expect(ended).toEqual({
        "fix-failing-test": [true, 2],
        "rename-function": [false, 2],
        "add-flag": [false, 0],
        "resolve-conflict": [true, 2],
        "keep-unicode": [false, 1],
        "raise-version": [true, 2],
      });
      expect(outcomes[0]).toMatchObject({ tokens: { input: 200, cached: 80, output: 20 } });
      expect(outcomes.find(({ task }) => task === "add-flag")?.["why"]).toContain("no such key");
      expect(ran.code).toBe(1);

      const told = await quality([...args, "raise-version", "keep-unicode"], home);
      expect(told.stdout).toMatch(/solved +raise-version +220 +2 +\d+\.\d s/);
      expect(told.stdout).toMatch(/failed +keep-unicode +110 +1 +\d+\.\d s/);
      expect(told.stdout).toContain("1 of 2 solved, 300 tokens read (120 cached), 30 written, 3 turns");
      expect(told.code).toBe(1);
      expect((await quality([...args, "raise-version"], home)).code).toBe(0);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
  { timeoutMs: 300_000 },
);

verifies(
  "quality.run",
  "refuses wrong arguments, and lists the tasks",
  async () => {
    for (const [args, told] of [
      [["no-such-task"], 'no task is called "no-such-task"'],
      [["--sandbox", "none"], "--sandbox must be one of"],
      [["--minutes", "0"], "--minutes must be a positive number"],
    ] as const) {
      const { code, stderr } = await quality(args, ROOT);
      expect(code).not.toBe(0);
      expect(stderr).toContain(told);
    }
    expect((await quality(["--list"], ROOT)).stdout.trim().split("\n")).toHaveLength(30);
  },
  { timeoutMs: 120_000 },
);
