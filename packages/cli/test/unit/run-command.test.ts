import { existsSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { exec, hang, reply, toolCall, truncate } from "@codexwright/testing";
import { describe, expect } from "vitest";
import { IS_BUN, onBun } from "@codexwright/test-support/skips";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { briefly } from "../../src/run/run.ts";
import { inputOf } from "../../src/run/task.ts";
import { COMMAND } from "../support/command.ts";
import { jsonLines } from "../support/json-lines.ts";
import { newUser } from "../support/user.ts";

const FAKE: VerifiesOptions = { against: "fake", timeoutMs: 60_000 };

describe("the task", () => {
  verifies(
    "cli.run.task",
    "comes from the command line, from stdin, or from a file that is appended to the words",
    async () => {
      await using user = await newUser({ model: () => reply("Yes.") });
      await writeFile(path.join(user.folder, "task.md"), "from a file\n");
      await user.run(["run", "-q", "some", "words"]);
      await user.run(["run", "-q"], { stdin: "from a pipe\n" });
      await user.run(["run", "-q", "Read this:", "--file", "task.md"]);
      const texts = user.fake.requests.map(({ lastUserText }) => lastUserText);
      expect(texts).toEqual(["some words", "from a pipe", "Read this:\n\nfrom a file"]);
    },
    FAKE,
  );

  verifies(
    ["cli.run.task", "cli.exit-codes"],
    "exits with a usage or not-found code if the task or its file is missing",
    async () => {
      await using user = await newUser({ model: [] });
      const none = await user.run(["run"]);
      expect({ ...none, stderr: none.stderr.includes("no task:") }).toEqual({
        exitCode: 2,
        stdout: "",
        stderr: true,
      });
      expect((await user.run(["run", "--file", "nowhere.md"])).exitCode).toBe(3);
      expect((await user.run(["run", "--sandbox", "none", "x"])).exitCode).toBe(2);
      expect((await user.run(["run", "--cwd", "/nowhere", "x"])).exitCode).toBe(2);
      expect((await user.run(["run", "--resume", "a", "--fork", "b", "x"])).exitCode).toBe(2);
    },
    FAKE,
  );
});

verifies("cli.run.task", "shows a long task by its first lines, without control characters", () => {
  const task = `\u001B[2Jone\n${"more\n".repeat(20)}`;
  expect(briefly(task).split("\n")).toEqual(["one", ...Array<string>(7).fill("more"), "… 13 more lines"]);
  expect(briefly("a".repeat(3_000))).toBe(`${"a".repeat(500)}… 2500 more characters`);
});

verifies("cli.run.task", "images are files in the folder, or URLs", () => {
  expect(inputOf("Look", ["a.png", "https://b.example/c.png"], "/w").slice(1)).toEqual([
    { type: "localImage", path: "/w/a.png" },
    { type: "image", url: "https://b.example/c.png" },
  ]);
});

describe("without a terminal", () => {
  verifies(
    "cli.run.text",
    "prints the plain answer on stdout and the rest on stderr; --quiet prints only the answer",
    async () => {
      await using user = await newUser({
        model: [
          [reply("First I look."), exec("echo hi", { output: "hi\n" })],
          reply("It **is** done."),
          reply("Short."),
        ],
      });
      const { exitCode, stdout, stderr } = await user.run(["run", "-s", "danger-full-access", "Do it"]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "It **is** done.\n" });
      expect(stderr).toContain("› Do it\n\nFirst I look.\n\n$ echo hi\n  hi\n\nran      1 command\n");
      expect(stderr).not.toMatch(/[^\P{Cc}\n]/u);
      const quiet = await user.run(["run", "-q", "Again"]);
      expect(quiet).toEqual({ exitCode: 0, stdout: "Short.\n", stderr: "" });
    },
    FAKE,
  );

  verifies(
    "cli.run.approvals",
    "declines approvals, and accepts them with --yes",
    async () => {
      const step = exec("rm x", { justification: "It must go." });
      await using user = await newUser({ model: [step, reply("No."), step, reply("Yes.")] });
      const declined = await user.run(["run", "Do it"]);
      expect(declined.stdout).toBe("No.\n");
      expect(declined.stderr).toMatch(/\$ rm x\nDeclined a command: .*\n {2}declined\n/);
      // A declined command was not run, and does not count as failed.
      expect(declined.stderr).toContain("ran      0 commands, 1 declined\n");
      expect(declined.stderr).toContain("there is no terminal to ask on");
      const lines = await jsonLines((await user.run(["run", "--yes", "--json", "Do it"])).stdout);
      expect(lines.find(({ type }) => type === "approval")).toMatchObject({
        kind: "command",
        decision: "accept",
        by: "rule",
      });
    },
    FAKE,
  );

  verifies(
    "cli.json",
    "--json prints only documented lines, with the result and the error last",
    async () => {
      await using user = await newUser({ model: [reply("Done.", { deltas: 2 })] });
      const { stdout, stderr, exitCode } = await user.run(["run", "--json", "Do it"]);
      expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
      const lines = await jsonLines(stdout);
      expect(lines[0]).toMatchObject({ type: "started", command: "run", cwd: user.folder });
      expect(lines.some(({ method }) => method === "item/agentMessage/delta")).toBe(true);
      expect(lines.at(-1)).toMatchObject({ type: "result", status: "completed", text: "Done." });
      // The script has no more steps: the turn fails.
      const failed = await user.run(["run", "--json", "Again"]);
      const [result, error] = (await jsonLines(failed.stdout)).slice(-2);
      expect(result).toMatchObject({ type: "result", status: "failed" });
      expect(error).toMatchObject({ type: "error", code: "turn_failed", exitCode: 1 });
      expect(failed.exitCode).toBe(1);
    },
    FAKE,
  );

  verifies(
    "cli.run.output",
    "--output-schema prints only the validated JSON, and rejects an answer that does not match",
    async () => {
      await using user = await newUser({ model: [reply('{"n":3}'), reply("three")] });
      const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
      await writeFile(path.join(user.folder, "schema.json"), JSON.stringify(schema));
      const good = await user.run(["run", "--output-schema", "schema.json", "Count"]);
      expect({ exitCode: good.exitCode, stdout: good.stdout }).toEqual({
        exitCode: 0,
        stdout: '{\n  "n": 3\n}\n',
      });
      const bad = await user.run(["run", "--output-schema", "schema.json", "Count"]);
      expect({ exitCode: bad.exitCode, stdout: bad.stdout }).toEqual({ exitCode: 1, stdout: "" });
      expect(bad.stderr).toContain("output_invalid");
    },
    FAKE,
  );

  verifies(
    ["cli.run.limits", "cli.exit-codes"],
    "a turn that exceeds its time or its tokens exits with 5",
    async () => {
      await using user = await newUser({
        model: [hang(), exec("true", { usage: { inputTokens: 900, outputTokens: 200 } }), hang()],
      });
      const late = await user.run(["run", "--timeout", "300ms", "Wait"]);
      expect(late.exitCode).toBe(5);
      expect(late.stderr).toContain("turn_timeout");
      const dear = await user.run(["run", "--max-tokens", "1_000", "--json", "Spend"]);
      expect(dear.exitCode).toBe(5);
      const lines = await jsonLines(dear.stdout);
      expect(lines.at(-1)).toMatchObject({ type: "error", code: "budget_exceeded", exitCode: 5 });
      expect(lines.at(-2)).toMatchObject({ type: "result", usage: { totalTokens: 1_100 } });
    },
    FAKE,
  );

  verifies(
    ["cli.run.interrupt", "cli.exit-codes"],
    "a signal interrupts the turn, and the command reports what the turn did",
    async () => {
      await using user = await newUser({ model: [[reply("Wait.\n\nStill"), hang()], hang()] });
      const running = user.start(["run", "Wait"]);
      await user.fake.request(0);
      await running.shows("› Wait", "stderr");
      running.kill("SIGINT");
      const { exitCode, stdout, stderr } = await running.done;
      expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: "" });
      expect(stderr).toContain("resume ");
      expect(stderr).toContain("error interrupted: ");
      const program = user.start(["run", "--json", "Wait"]);
      await program.shows('"turn/started"');
      program.kill("SIGTERM");
      const lines = await jsonLines((await program.done).stdout);
      expect(lines.slice(-2)).toMatchObject([
        { type: "result", status: "interrupted" },
        { type: "error", code: "interrupted" },
      ]);
    },
    FAKE,
  );
});

verifies(
  "cli.run.tools",
  "the model calls the tools that a module exports; a module without tools is rejected",
  async () => {
    await using user = await newUser({
      model: [toolCall("add", { a: 1, b: 2 }), reply("Three."), reply("Again.")],
    });
    const library = import.meta.resolve("codexwright");
    const source = `import { tool, jsonSchema } from ${JSON.stringify(library)};
      export const add = tool({
        name: "add",
        description: "Adds.",
        input: jsonSchema({ type: "object", properties: { a: { type: "number" }, b: { type: "number" } } }),
        run: ({ a, b }) => "sum " + (a + b),
      });`;
    await writeFile(path.join(user.folder, "tools.mjs"), source);
    await writeFile(path.join(user.folder, "none.mjs"), "export const x = 1;");
    const { exitCode, stderr } = await user.run(["run", "--tool", "./tools.mjs", "Add"]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('tool add {"a":1,"b":2}');
    expect(JSON.stringify(user.fake.requests[1])).toContain("sum 3");
    expect((await user.run(["run", "--tool", "./none.mjs", "Add"])).exitCode).toBe(2);
    await writeFile(path.join(user.folder, "tools.ts"), `const none: number = 1;\n${source}`);
    const typed = await user.run(["run", "--tool", "./tools.ts", "Add"]);
    const features = process.features as { readonly typescript?: unknown };
    const loads = Boolean(features.typescript) || IS_BUN;
    expect({ exitCode: typed.exitCode, told: typed.stderr.includes("22.18") }).toEqual({
      exitCode: loads ? 0 : 2,
      told: !loads,
    });
    expect((await user.run(["run", "--tool", "./nowhere.mjs", "Add"])).exitCode).toBe(3);
  },
  FAKE,
);

describe("a module of --tool", () => {
  const GOOD = `import { tool, jsonSchema } from "codexwright";
    export const add = tool({ name: "add", description: "Adds.", input: jsonSchema({ type: "object" }), run: () => "" });`;
  for (const [name, file, source, exitCode, words] of [
    ["throws", "a.mjs", "throw new Error('boom')", 2, "boom"],
    ["throws in a timer", "a.mjs", `${GOOD}setImmediate(() => { throw new Error("boom"); });`, 1, "boom"],
    ["leaves a rejection", "a.mjs", `${GOOD}Promise.reject(new Error("boom"));`, 1, "boom"],
    ["requires the library", "a.cjs", "require('codexwright')", 2, "Use `import`"],
    ["never ends", "a.mjs", "await new Promise(() => {})", 2, "never settles"],
  ] as const) {
    verifies(
      ["cli.run.tools", "cli.errors"],
      `that ${name} is an error, also as JSON`,
      async () => {
        await using user = await newUser({ model: [hang()] });
        await writeFile(path.join(user.folder, file), source);
        const shown = await user.run(["run", "--tool", file, "Go", "-q"]);
        expect({ ...shown, stderr: "" }).toEqual({ exitCode, stdout: "", stderr: "" });
        expect(shown.stderr).toMatch(/^error (?:usage|unexpected): [^\n]*\n(?: {2}[^\n]*\n)?$/);
        expect(shown.stderr).toContain(words);
        const json = await user.run(["run", "--tool", file, "Go", "--json"]);
        expect({ exitCode: json.exitCode, stderr: json.stderr }).toEqual({ exitCode, stderr: "" });
        expect((await jsonLines(json.stdout)).at(-1)).toMatchObject({ type: "error", exitCode });
      },
      { ...FAKE, skip: name === "never ends" && onBun("Bun waits for such a module without end") },
    );
  }
});

verifies(
  ["cli.exit-codes", "cli.errors"],
  "the command fails if its result cannot be written",
  async () => {
    await using user = await newUser({ model: () => reply("Yes.") });
    const program = path.join(user.folder, "full.mjs");
    const shell = `spawnSync("sh", ["-c", 'exec "$0" "$@" > /dev/full', process.execPath, ${JSON.stringify(COMMAND)}, ...process.argv.slice(2)], { stdio: "inherit" })`;
    await writeFile(
      program,
      `import { spawnSync } from "node:child_process"; process.exitCode = ${shell}.status;`,
    );
    for (const args of [
      ["run", "-q", "Go"],
      ["threads", "list"],
      ["completion", "bash"],
    ]) {
      const { exitCode, stderr } = await user.run(args, { program });
      expect({ args, exitCode }).toEqual({ args, exitCode: 1 });
      expect(stderr).toMatch(/^error unexpected: cannot write to stdout: .*ENOSPC.*\n$/);
    }
  },
  { ...FAKE, skip: !existsSync("/dev/full") && "it needs /dev/full" },
);

verifies(
  "cli.threads.find",
  "--last finds the thread of a folder that is given as a symbolic link",
  async () => {
    await using user = await newUser({ model: () => reply("Yes.") });
    const link = path.join(user.folder, "..", "link");
    await symlink(user.folder, link);
    await user.run(["run", "-q", "first"]);
    const again = await user.run(["run", "-q", "--cwd", link, "--last", "second"]);
    expect(again).toEqual({ exitCode: 0, stdout: "Yes.\n", stderr: "" });
    const { stdout } = await user.run(["threads", "list", "--json", "--here", "--cwd", link]);
    expect((await jsonLines(stdout)).map(({ type }) => type)).toEqual(["thread", "page"]);
  },
  FAKE,
);

verifies(
  "cli.run.warnings",
  "warns on stderr that a model cannot be reached, also with --output-schema, but not with --quiet or --json",
  async () => {
    await using user = await newUser({
      model: ({ index }) => (index % 2 === 0 ? truncate() : reply('{"n":1}')),
      streamRetries: 2,
    });
    const warning = /warning: turn \S+ of thread \S+: the server retries after an error: Reconnecting/;
    const shown = await user.run(["run", "go"]);
    expect(shown.stderr).toMatch(warning);
    expect(shown.stdout).not.toMatch(warning);
    const schema = {
      type: "object",
      properties: { n: { type: "number" } },
      required: ["n"],
      additionalProperties: false,
    };
    await writeFile(path.join(user.folder, "schema.json"), JSON.stringify(schema));
    const data = await user.run(["run", "--output-schema", "schema.json", "go"]);
    expect(data.stderr).toMatch(warning);
    expect(JSON.parse(data.stdout)).toEqual({ n: 1 });
    const quiet = await user.run(["run", "-q", "go"]);
    expect(quiet.stderr).not.toContain("warning");
    const json = await user.run(["run", "--json", "go"]);
    expect(json.stderr).not.toContain("warning");
    expect((await jsonLines(json.stdout)).some(({ method }) => method === "error")).toBe(true);
  },
  FAKE,
);
