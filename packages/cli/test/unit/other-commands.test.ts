import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { reply } from "@codexwright/testing";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { completion } from "../../src/completion.ts";
import { COMMAND_NAMES } from "../../src/shared/command-names.ts";
import { makeProgram } from "../../src/program.ts";
import { targetOf } from "../../src/review.ts";
import { jsonLines } from "../support/json-lines.ts";
import { command as runCommand } from "../support/command.ts";
import { newUser } from "../support/user.ts";

const FAKE: VerifiesOptions = { against: "fake", timeoutMs: 60_000 };

describe("threads", () => {
  verifies(
    ["cli.threads", "cli.json"],
    "lists, shows, names, forks, archives, restores, resumes and deletes threads",
    async () => {
      await using user = await newUser({ model: (request) => reply(`To ${request.lastUserText}.`) });
      const first = await jsonLines((await user.run(["run", "--json", "one"])).stdout);
      const id = String(first[0]?.["threadId"]);
      const resumed = await user.run(["threads", "resume", "-q", "--sandbox", "read-only", id, "two"]);
      expect(resumed).toEqual({ exitCode: 0, stdout: "To two.\n", stderr: "" });
      const shown = await user.run(["threads", "show", id]);
      expect(shown.stdout).toContain("› one\n\nTo one.\n\n› two\n\nTo two.\n");
      const lastOnly = await user.run(["threads", "show", "--last", "1", id]);
      expect(lastOnly.stdout).not.toContain("To one.");
      expect((await user.run(["threads", "name", id, "My work"])).exitCode).toBe(0);
      const list = await user.run(["threads", "list"]);
      expect(list.stdout).toMatch(new RegExp(String.raw`^THREAD .*\n${id} .*My work\n$`));
      const fork = (await user.run(["threads", "fork", id])).stdout.trim();
      expect(fork).toMatch(/^[\da-f-]{36}$/);
      const page = await jsonLines((await user.run(["threads", "list", "--json", "--limit", "1"])).stdout);
      expect(page.map(({ type }) => type)).toEqual(["thread", "page"]);
      const cursor = String(page[1]?.["nextCursor"]);
      const next = await jsonLines(
        (await user.run(["threads", "list", "--json", "--limit", "1", "--page", cursor])).stdout,
      );
      expect(next[0]?.["thread"]).not.toEqual(page[0]?.["thread"]);
      await jsonLines((await user.run(["threads", "archive", "--json", id])).stdout);
      expect((await user.run(["threads", "list", "--archived"])).stdout).toContain(id);
      expect((await user.run(["run", "--resume", id, "three"])).exitCode).toBe(3);
      expect((await user.run(["threads", "unarchive", id])).exitCode).toBe(0);
      const unsure = await user.run(["threads", "delete", fork]);
      expect({ code: unsure.exitCode, told: unsure.stderr.includes("--yes") }).toEqual({
        code: 2,
        told: true,
      });
      const gone = await jsonLines((await user.run(["threads", "delete", "--yes", "--json", fork])).stdout);
      expect(gone).toEqual([{ type: "change", change: "deleted", threadId: fork }]);
      const missing = await user.run(["threads", "show", "--json", fork]);
      expect(missing.exitCode).toBe(3);
      expect((await jsonLines(missing.stdout))[0]).toMatchObject({ type: "error", exitCode: 3 });
    },
    { ...FAKE, timeoutMs: 180_000 },
  );
});

verifies(
  "cli.models",
  "prints models as a table or as lines",
  async () => {
    await using user = await newUser({ model: [] });
    const { stdout } = await user.run(["models"]);
    expect(stdout).toMatch(/^ +MODEL +NAME/);
    const lines = await jsonLines((await user.run(["models", "--json"])).stdout);
    for (const line of lines) expect(line.type).toBe("model");
    expect(stdout.split("\n").length).toBe(lines.length + 2);
  },
  FAKE,
);

describe("review", () => {
  verifies("cli.review", "takes one target, by default the uncommitted changes", () => {
    expect(targetOf({})).toEqual({ type: "uncommittedChanges" });
    expect(targetOf({ base: "main" })).toEqual({ type: "baseBranch", branch: "main" });
    expect(targetOf({ commit: "abc" })).toEqual({ type: "commit", sha: "abc" });
    expect(targetOf({ instructions: "x" })).toEqual({ type: "custom", instructions: "x" });
  });
});

verifies(
  ["cli.exec", "cli.exit-codes"],
  "reports an interrupted command like other interruptions",
  async () => {
    await using user = await newUser({
      model: [],
      commands: () => ({ output: "out\n", run: async ({ signal }) => void (await once(signal, "abort")) }),
    });
    const running = user.start(["exec", "--", "sleep", "100"]);
    await running.shows("out");
    running.kill("SIGINT");
    const { exitCode, stderr } = await running.done;
    expect(stderr).toContain("error interrupted: The command was interrupted.");
    expect(exitCode).toBe(130);
  },
  FAKE,
);

verifies(
  ["cli.exec", "cli.json"],
  "exec passes on stdin and both streams, and exits with the command's exit code",
  async () => {
    await using user = await newUser({
      model: [],
      commands: () => ({ output: "out\n", stderr: "err\n", exitCode: 7 }),
    });
    const plain = await user.run(["exec", "--", "make", "-k"]);
    expect(plain).toEqual({ exitCode: 7, stdout: "out\n", stderr: "err\n" });
    const { stdout, exitCode } = await user.run(["exec", "--json", "--", "make"]);
    expect(exitCode).toBe(7);
    const lines = await jsonLines(stdout);
    expect(lines.filter(({ stream }) => stream === "stdout").map(({ text }) => text)).toEqual(["out\n"]);
    expect(lines.at(-1)).toMatchObject({ type: "exit", exitCode: 7 });
  },
  FAKE,
);

verifies(
  ["cli.account", "cli.json"],
  "reads a key from stdin, and reports who is logged in",
  async () => {
    await using user = await newUser({ model: [], openaiAuth: true });
    const login = await user.run(["login", "--api-key-stdin", "--json"], { stdin: "sk-secret\n" });
    expect(await jsonLines(login.stdout)).toEqual([{ type: "account", account: { type: "apiKey" } }]);
    expect(login.stdout + login.stderr).not.toContain("sk-secret");
    for (const stdin of ["\n", "sk-one\nsk-two\n"])
      expect((await user.run(["login", "--api-key-stdin"], { stdin })).exitCode).toBe(2);
    expect((await user.run(["logout", "--json"])).exitCode).toBe(0);
    const nobody = await user.run(["whoami"], { env: { CODEX_HOME: user.folder } });
    expect({ code: nobody.exitCode, told: nobody.stderr.includes("codexwright login") }).toEqual({
      code: 4,
      told: true,
    });
  },
  FAKE,
);

verifies(
  ["cli.json", "cli.exit-codes"],
  "reports an invalid command line as JSON if --json was given",
  async () => {
    await using user = await newUser({ model: [] });
    const { exitCode, stdout, stderr } = await user.run(["run", "--json", "--nonsense", "x"]);
    expect(exitCode).toBe(2);
    expect(await jsonLines(stdout)).toMatchObject([{ type: "error", code: "usage", exitCode: 2 }]);
    expect(stderr).toBe("");
    const others = await user.run(["exec", "--nonsense", "--", "x", "--json"]);
    expect(others).toMatchObject({ exitCode: 2, stdout: "" });
    const plain = await user.run(["thread"]);
    expect(plain).toMatchObject({ exitCode: 2, stdout: "" });
    expect(plain.stderr).toContain("Did you mean threads?");
  },
  FAKE,
);

verifies(
  ["cli.errors", "cli.recordings.run"],
  "reports once that a command differs from its recording",
  async () => {
    await using user = await newUser({ model: () => reply("Yes.") });
    const file = path.join(user.folder, "..", "hello.ndjson");
    expect((await user.run(["record", file, "--", "run", "-q", "hello"])).exitCode).toBe(0);
    for (const args of [["run", "-q", "other"], ["models"], ["run", "-q", "--ephemeral", "hello"]]) {
      const { exitCode, stdout, stderr } = await user.run(["replay", file, "--", ...args]);
      expect({ args, exitCode, stdout }).toEqual({ args, exitCode: 1, stdout: "" });
      expect(stderr.match(/^error /gm)).toHaveLength(1);
      expect(stderr).toContain("error replay_mismatch: ");
    }
    const same = await user.run(["replay", file, "--", "run", "-q", "hello"]);
    expect(same).toMatchObject({ exitCode: 0, stdout: "Yes.\n", stderr: "" });
  },
  FAKE,
);

describe("help and completion", () => {
  const program = makeProgram("1.0.0");

  verifies("cli.help", "every command has a description and examples", () => {
    for (const command of program.commands.flatMap((each) => [each, ...each.commands])) {
      expect(command.description().endsWith(".")).toBe(true);
      let help = "";
      command.configureOutput({ writeOut: (text) => (help += text) });
      command.outputHelp();
      expect(help).toContain("Examples:");
    }
  });

  verifies("cli.help", "every command has a row in the documentation", () => {
    const page = readFileSync(path.resolve(import.meta.dirname, "../../../../docs/cli/index.md"), "utf8");
    const cells = page.split("\n").flatMap((line) => /^\| (`.*?`) +\|/.exec(line)?.[1] ?? []);
    const documented = new Set(
      cells.flatMap((cell) => [...cell.matchAll(/`([\w-]+)/g)].map(([, name]) => name)),
    );
    const names = program.commands.map((command) => command.name()).filter((name) => name !== "help");
    expect(names.filter((name) => !documented.has(name))).toEqual([]);
  });

  verifies("cli.help", "the list of the commands' names is complete", () => {
    expect(program.commands.map((command) => command.name())).toEqual(COMMAND_NAMES);
  });

  verifies("cli.completion", "bash completes commands, options and their values", () => {
    const script = completion(program, "bash");
    const complete = (...words: string[]): string[] => {
      const list = words.map((word) => `'${word}'`).join(" ");
      const run = `${script}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _codexwright; echo "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", run], { encoding: "utf8" }).trim().split(" ");
    };
    expect(complete("codexwright", "thr")).toEqual(["threads"]);
    expect(complete("codexwright", "threads", "arch")).toEqual(["archive"]);
    expect(complete("codexwright", "run", "--sandbox", "read")).toEqual(["read-only"]);
    expect(complete("codexwright", "run", "x", "--output")).toEqual(["--output-schema"]);
  });

  verifies("cli.completion", "--json prints the script in one line", async () => {
    const { stdout, exitCode } = await runCommand(["completion", "bash", "--json"]);
    expect(exitCode).toBe(0);
    const plain = await runCommand(["completion", "bash"]);
    expect(await jsonLines(stdout)).toEqual([{ type: "completion", shell: "bash", script: plain.stdout }]);
  });

  verifies("cli.completion", "zsh and fish scripts contain every command and option", () => {
    const names = program.commands.flatMap((command) => [command, ...command.commands]);
    for (const shell of ["zsh", "fish"]) {
      const script = completion(program, shell);
      for (const command of names) {
        expect(script).toContain(command.name());
        for (const { long } of command.options) expect(script).toContain(String(long).slice(2));
      }
    }
    expect(() => completion(program, "tcsh")).toThrow("bash, zsh or fish");
  });
});
