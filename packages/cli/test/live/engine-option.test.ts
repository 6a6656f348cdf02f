import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { exec, realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { command } from "../support/command.ts";
import { runCommand } from "../support/json-command.ts";

const DEMO = path.resolve(import.meta.dirname, "../../../../build/demo/main.js");

verifies(
  "cli.engine",
  "runs a task, lists its thread, continues it, and runs a command, without Codex",
  async () => {
    await using model = await scriptedModel([exec("echo made >made.txt"), reply("Done."), reply("Again.")]);
    await using place = await realAppServer({ model });
    const { codexHome, cwd, env } = place.clientOptions;
    // A Codex that cannot be started: the commands must not need it.
    const options = { cwd, env: { ...env, CODEX_HOME: codexHome, CODEX_PATH: "/nonexistent/codex" } };
    const yes = ["--engine", "--json", "--sandbox", "danger-full-access"];

    const first = await runCommand(["run", ...yes, "make it"], options);
    expect(first.code).toBe(0);
    const result = first.lines.at(-1);
    expect(result).toMatchObject({ type: "result", status: "completed", text: "Done." });
    expect(readFileSync(path.join(place.workspace, "made.txt"), "utf8")).toBe("made\n");

    const id = String(result?.["threadId"]);
    const listed = await runCommand(["threads", "list", "--engine", "--json"], options);
    expect(listed.lines).toMatchObject([{ type: "thread", thread: { id } }, { type: "page" }]);
    const again = await runCommand(["run", ...yes, "--resume", id, "again"], options);
    expect(again.lines.at(-1)).toMatchObject({ type: "result", text: "Again.", threadId: id });
    expect(model.requests.at(-1)?.toolOutputs["call_0_0"]).toContain("exited with code 0");

    const ran = ["exec", "--engine", "--json", "--sandbox", "danger-full-access", "--", "sh", "-c", "exit 3"];
    expect(await runCommand(ran, options)).toMatchObject({ code: 3, lines: [{ type: "exit", exitCode: 3 }] });
  },
);

verifies("cli.engine", "reviews changes, without Codex, and prints the findings as data", async () => {
  const place = { absolute_file_path: "/a.ts", line_range: { start: 1, end: 2 } };
  const finding = { title: "[P2] Guard it", body: "b", confidence_score: 0.5, code_location: place };
  const answer = { findings: [finding], overall_explanation: "One problem." };
  await using model = await scriptedModel([reply(JSON.stringify(answer))]);
  await using server = await realAppServer({ model });
  const { codexHome, cwd, env } = server.clientOptions;
  const options = { cwd, env: { ...env, CODEX_HOME: codexHome, CODEX_PATH: "/nonexistent/codex" } };
  const args = ["review", "--engine", "--json", "--instructions", "Look at it."];
  const { code, lines } = await runCommand(args, options);
  expect(code).toBe(0);
  expect(lines.at(-1)).toMatchObject({
    type: "result",
    status: "completed",
    findings: [
      { title: "Guard it", priority: 2, confidence: 0.5, file: "/a.ts", lines: { start: 1, end: 2 } },
    ],
  });
});

verifies("cli.engine", "is refused together with a Codex, and where it has no meaning", async () => {
  for (const args of [
    ["run", "--engine", "--codex-path", "codex", "x"],
    ["exec", "--engine", "--codex-path", "codex", "--", "true"],
    ["review", "--engine", "--codex-path", "codex"],
    ["models", "--engine"],
  ]) {
    const { exitCode, stderr } = await command(args);
    expect({ args, exitCode }).toEqual({ args, exitCode: 2 });
    expect(stderr).toContain("--engine");
  }
});

verifies("cli.engine", "runs the demo", async () => {
  const { exitCode, stdout } = await command(["run", "--demo", "--engine"]);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: "Fixed: leap.sh now handles centuries correctly, and the check passes.\n",
  });
});

verifies(
  "cli.start",
  "shows a turn on both servers, with the same events",
  async () => {
    const { exitCode, stdout, stderr } = await command(["app-server"], { program: DEMO });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const rows = stdout.split("\n").flatMap((line) => /^(\S+\/\S+(?: \w+)?) {2,}(\S.*)$/.exec(line) ?? []);
    const pairs = rows.length / 3;
    expect(pairs).toBeGreaterThan(15);
    for (let at = 0; at < pairs; at++) expect(rows[3 * at + 2]).toBe(rows[3 * at + 1]);
    expect(stdout).toContain('The file says "hallo\\n" and "hallo\\n".');
    expect(stdout).toMatch(/The transcripts (?:are the same|differ in (?:one place|\d+ places))/);
  },
  { against: "pinned" },
);

verifies("cli.start", "runs the other commands of codexwright", async () => {
  const { exitCode, stdout } = await command(["completion", "bash"], { program: DEMO });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("_codexwright");
  expect(await command(["app-server", "--nosuch"], { program: DEMO })).toMatchObject({ exitCode: 2 });
});
