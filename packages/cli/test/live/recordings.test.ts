import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { exec, realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { websocket } from "codexwright/websocket";
import { verifies } from "@codexwright/test-support/verifies";
import { command } from "../support/command.ts";
import { RunningCommand, runCommand, type StartOptions } from "../support/json-command.ts";

const PINNED = { against: "pinned" } as const;
const SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";

verifies(
  ["cli.recordings.run", "cli.recordings.whole", "cli.recordings.inspect"],
  "records a real run without secrets, inspects it, and plays it again without Codex",
  async () => {
    await using model = await scriptedModel([exec("echo done"), reply("Hello.")]);
    await using world = await realAppServer({ model });
    const { cwd, env, codexHome } = world.clientOptions;
    const options: StartOptions = { cwd, env: { ...env, CODEX_HOME: codexHome } };
    const file = path.join(world.root, "run.ndjson");
    const task = ["run", "--json", "--sandbox", "danger-full-access", `Say hello, ${SECRET}.`];

    const lived = await runCommand(["record", file, "--", ...task], options);
    expect([lived.code, lived.stderr]).toEqual([0, expect.stringContaining("Recorded in")]);
    expect(await readFile(file, "utf8")).not.toContain(SECRET);

    const { code, lines } = await runCommand(["inspect", file, "--json"], options);
    expect(code).toBe(0);
    const rows = lines.filter(({ type }) => type === "row");
    expect(rows.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["request", "item", "turn", "close"]),
    );
    const start = rows.find(({ method }) => method === "turn/start");
    expect(start?.["durationMs"]).toBeGreaterThanOrEqual(0);
    expect(lines.at(-1)).toMatchObject({ type: "recording", connections: 1, failed: 0 });

    const whole = await runCommand(["replay", file, "--json"], options);
    expect([whole.code, whole.lines[0]]).toMatchObject([0, { type: "replay", isWhole: true }]);

    // Codex, the login and the model are no longer needed.
    const alone: StartOptions = { cwd, env: { ...env, CODEX_HOME: world.home, CODEX_PATH: "/nowhere" } };
    const again = await runCommand(["replay", file, "--", ...task], alone);
    expect([again.code, again.lines.at(-1)?.type]).toEqual([0, lived.lines.at(-1)?.type]);
    const other = await runCommand(["replay", file, "--", ...task.slice(0, -1), "Say goodbye."], alone);
    expect([other.code, other.lines.at(-1)]).toMatchObject([1, { type: "error" }]);
    expect(model.requests.length).toBe(2);
    for (const name of ["inspect", "replay"]) {
      expect((await runCommand([name, "--json", "nowhere.ndjson"], options)).code).toBe(3);
    }
  },
  { ...PINNED, timeoutMs: 120_000 },
);

verifies(
  "cli.recordings.whole",
  "serves a recording to a client, and reports at the end whether the client acted as recorded",
  async () => {
    await using model = await scriptedModel([]);
    await using world = await realAppServer({ model });
    const { cwd, env, codexHome } = world.clientOptions;
    const options: StartOptions = { cwd, env: { ...env, CODEX_HOME: codexHome } };
    const file = path.join(world.root, "models.ndjson");
    expect((await runCommand(["record", file, "--", "models", "--json"], options)).code).toBe(0);

    const served = async (ask: (codex: CodexClient) => Promise<unknown>): Promise<number | null> => {
      await using replayed = new RunningCommand(
        ["replay", file, "--json", "--serve", "ws://127.0.0.1:0"],
        options,
      );
      const { url } = await replayed.line("serving");
      const codex = await CodexClient.connect({
        transport: websocket(String(url)),
        clientName: "codexwright_cli",
        clientTitle: "codexwright",
      });
      await ask(codex);
      await codex.disconnect();
      return await replayed.exit;
    };
    const list = async (codex: CodexClient): Promise<void> => {
      for await (const each of codex.models({ includeHidden: false })) expect(each.model).not.toBe("");
    };
    expect(await served(list)).toBe(0);
    expect(await served((codex) => codex.startThread().catch(() => {}))).toBe(1);
  },
  { ...PINNED, timeoutMs: 120_000 },
);

verifies(
  ["cli.recordings.run", "cli.run.demo"],
  "records the demo and plays it again, without Codex and from another folder, with the same text",
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "codexwright-record-"));
    try {
      const file = path.join(folder, "demo.ndjson");
      const lived = await command(["record", file, "--", "run", "--demo"]);
      expect(lived.exitCode).toBe(0);
      expect(lived.stderr).toContain("leap.sh +5 -1\n");
      const again = await command(["replay", file, "--", "run", "--demo"], {
        cwd: folder,
        env: { CODEX_HOME: folder, CODEX_PATH: "/nowhere" },
      });
      const steady = (text: string): string => text.replace(/in [\d.]+ s$/m, "in … s");
      expect({ ...again, stderr: steady(again.stderr) }).toEqual({
        exitCode: 0,
        stdout: lived.stdout,
        stderr: steady(lived.stderr).replace(/^Recorded in .*\n/m, ""),
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  PINNED,
);
