import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { exec, fail, hang, reply, toolCall } from "@codexwright/testing";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { command } from "../support/command.ts";
import { jsonLines, type Line } from "../support/json-lines.ts";
import { PINNED, realWorld, verifiesHere, type RealWorld } from "../support/real-world.ts";

/** One pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Runs the command with `--json`; returns its lines and its exit code. */
async function run(
  { folder: cwd, env }: RealWorld,
  ...args: string[]
): Promise<{ exitCode: number | null; lines: Line[] }> {
  const { exitCode, stdout } = await command(["run", "--json", ...args], { cwd, env });
  return { exitCode, lines: await jsonLines(stdout) };
}

verifies(
  ["cli.run.options", "cli.run.task"],
  "run passes --image, --model, --effort, --sandbox, --approval and --cwd to the real Codex",
  async () => {
    await using world = await realWorld([reply("A pixel.")]);
    const folder = path.join(world.folder, "inside");
    await mkdir(folder);
    await writeFile(path.join(folder, "dot.png"), PNG);
    const file = path.join(world.server.root, "run.ndjson");
    const options = ["--cwd", "inside", "--image", "dot.png", "--model", "other-model", "--effort", "high"];
    const args = [...options, "--sandbox", "read-only", "--approval", "untrusted", "What is this?"];
    const { folder: cwd, env, model } = world;
    const { exitCode, stdout } = await command(["record", file, "--", "run", "--json", ...args], {
      cwd,
      env,
    });
    expect(exitCode).toBe(0);
    const [started] = await jsonLines(stdout);
    expect(started).toMatchObject({ model: "other-model", cwd: folder });
    expect(model.requests[0]?.body).toMatchObject({ model: "other-model" });
    expect(JSON.stringify(model.requests[0]?.input)).toContain("data:image/png;base64,");
    // The server decides how to use these settings. This test checks only that it received them.
    const said = (await readFile(file, "utf8"))
      .split("\n")
      .filter((line) => line.includes('"direction":"out"'));
    const paramsOf = (method: string): unknown => {
      const line = said.find((each) => each.includes(`"method":"${method}"`)) ?? "{}";
      return (JSON.parse(line) as { message?: { params?: unknown } }).message?.params;
    };
    expect(paramsOf("thread/start")).toMatchObject({ sandbox: "read-only", approvalPolicy: "untrusted" });
    expect(paramsOf("turn/start")).toMatchObject({ effort: "high" });
  },
  PINNED,
);

verifiesHere(
  ["cli.run.options", "cli.threads"],
  "run continues a thread with --resume, continues a copy with --fork, and stores nothing with --ephemeral",
  async () => {
    await using world = await realWorld(({ lastUserText }) => reply(`To ${lastUserText}.`));
    const { folder: cwd, env, model } = world;
    const id = String((await run(world, "one")).lines[0]?.["threadId"]);
    const resumed = await run(world, "--resume", id.slice(0, 30), "two");
    expect(resumed.lines[0]?.["threadId"]).toBe(id);
    expect(JSON.stringify(model.requests.at(-1)?.input)).toContain("To one.");
    const forked = await run(world, "--fork", id, "three");
    expect(forked.lines[0]?.["threadId"]).not.toBe(id);
    expect((await run(world, "--resume", "nonsense", "x")).lines).toMatchObject([
      { code: "thread_not_found" },
    ]);
    expect(JSON.stringify(model.requests.at(-1)?.input)).toContain("To two.");
    const shown = await command(["threads", "show", id], { cwd, env });
    expect(shown.stdout).not.toContain("three");

    const ephemeral = await command(["run", "--ephemeral", "four"], { cwd, env });
    expect(ephemeral).toMatchObject({ exitCode: 0, stdout: "To four.\n" });
    expect(ephemeral.stderr).not.toContain("--resume");
    const list = await jsonLines((await command(["threads", "list", "--json"], { cwd, env })).stdout);
    expect(list.filter(({ type }) => type === "thread")).toHaveLength(2);
    expect((await run(world, "--resume", "01a1e034-e7c3-7ee0-b756-4cba61507aec", "x")).exitCode).toBe(3);
    expect((await run(world, "--fork", "01a1e034-e7c3-7ee0-b756-4cba61507aec", "x")).exitCode).toBe(3);
  },
  PINNED,
);

verifiesHere(
  ["cli.run.limits", "cli.exit-codes"],
  "run stops a turn of the real Codex at --timeout and at --max-tokens with exit code 5",
  async () => {
    await using world = await realWorld([
      hang(),
      exec("true", { usage: { inputTokens: 900, outputTokens: 200 } }),
      hang(),
    ]);
    const late = await run(world, "--timeout", "1500ms", "Wait");
    expect(late).toMatchObject({ exitCode: 5 });
    expect(late.lines.at(-1)).toMatchObject({ type: "error", code: "turn_timeout", exitCode: 5 });
    const dear = await run(world, "--max-tokens", "1_000", "--sandbox", "danger-full-access", "Spend");
    expect(dear).toMatchObject({ exitCode: 5 });
    expect(dear.lines.at(-1)).toMatchObject({ type: "error", code: "budget_exceeded", exitCode: 5 });
  },
  PINNED,
);

verifiesHere(
  ["cli.run.output", "cli.run.task"],
  "run reads its task from stdin and a file, and prints JSON that matches --output-schema",
  async () => {
    await using world = await realWorld([reply('{"n":3}'), reply("Read.")]);
    const { folder: cwd, env, model } = world;
    const schema = {
      type: "object",
      properties: { n: { type: "number" } },
      required: ["n"],
      additionalProperties: false,
    };
    await writeFile(path.join(cwd, "schema.json"), JSON.stringify(schema));
    await writeFile(path.join(cwd, "task.md"), "the file\n");
    const args = ["run", "--output-schema", "schema.json", "-"];
    const counted = await command(args, { cwd, env, stdin: "Count.\n" });
    expect(counted).toMatchObject({ exitCode: 0, stdout: '{\n  "n": 3\n}\n' });
    expect(model.requests[0]?.lastUserText).toBe("Count.");
    expect(JSON.stringify(model.requests[0]?.body)).toContain('"json_schema"');
    const read = await command(["run", "-q", "Read", "--file", "task.md"], { cwd, env });
    expect(read).toMatchObject({ exitCode: 0, stdout: "Read.\n" });
    expect(model.requests[1]?.lastUserText).toBe("Read\n\nthe file");
  },
  PINNED,
);

verifiesHere(
  "cli.run.tools",
  "run offers the real Codex the tools of a module",
  async () => {
    await using world = await realWorld([toolCall("add", { a: 1, b: 2 }), reply("Three.")]);
    const { folder: cwd, env, model } = world;
    const source = `import { tool, jsonSchema } from ${JSON.stringify(import.meta.resolve("codexwright"))};
      const number = { type: "number" };
      export const tools = [tool({
        name: "add",
        description: "Adds.",
        input: jsonSchema({ type: "object", properties: { a: number, b: number } }),
        run: ({ a, b }) => "sum " + (a + b),
      })];`;
    await writeFile(path.join(cwd, "tools.mjs"), source);
    const added = await command(["run", "--tool", "./tools.mjs", "Add"], { cwd, env });
    expect(added).toMatchObject({ exitCode: 0, stdout: "Three.\n" });
    expect(added.stderr).toContain('tool add {"a":1,"b":2}\n');
    expect(model.requests[1]?.toolOutputs["call_0_0"]).toContain("sum 3");
  },
  PINNED,
);

verifiesHere(
  "cli.exit-codes",
  "run exits with 4 if the model's provider rejects the login, and with 1 if it fails for another reason",
  async () => {
    await using world = await realWorld([fail(401), fail(400)]);
    const refused = await run(world, "Go");
    expect(refused).toMatchObject({ exitCode: 4 });
    expect(refused.lines.at(-1)).toMatchObject({ type: "error", code: "turn_failed", exitCode: 4 });
    expect(String(refused.lines.at(-1)?.["advice"])).toContain("codexwright login");
    expect(await run(world, "Go")).toMatchObject({ exitCode: 1 });
  },
  PINNED,
);
