import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { gate, reply } from "@codexwright/testing";
import { killAll } from "@codexwright/test-support/world";
import { rejection, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { RunningCommand } from "../support/json-command.ts";
import { commandLine, serveWorld } from "./serve-world.ts";

const PINNED = { against: "pinned" } as const;

verifies(
  "cli.serve.lost",
  "when Codex is killed, pending requests fail immediately with the reason, clients are closed and nothing is left",
  async () => {
    const held = gate();
    await using world = await serveWorld([[held, reply("Never.")]], { way: "unix" });
    const codex = await world.connect();
    const client = await world.lines();
    const turn = (await codex.startThread()).turn("slow");
    const lost = rejection(turn.completed);
    const params = { command: ["sleep", "10006"], disableTimeout: true };
    const pending = client.ask("command/exec", params);
    await held.reached;
    const before = world.upstream();
    expect(before.length).toBeGreaterThan(0);
    killAll(before);
    const { error } = await pending;
    expect(error?.code).toBe(-32603);
    expect(error?.message).toContain("the app-server is gone");
    await client.until(() => client.closed);
    expect(await lost).toMatchObject({ code: "connection_closed" });
    expect(await world.command.exit).toBe(1);
    expect(world.command.lines.at(-1)).toMatchObject({ type: "error", code: "upstream_lost" });
    expect(existsSync(world.url.slice("unix://".length))).toBe(false);
    await until(() => world.upstream().length === 0);
  },
  PINNED,
);

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  verifies(
    "cli.serve.shutdown",
    `${signal} closes the clients properly, ends Codex and its child processes, and removes the socket`,
    async () => {
      await using world = await serveWorld([], { way: "unix" });
      const codex = await world.connect();
      codex.on("error", () => {});
      const why = new Promise<string>((resolve) => codex.on("exit", ({ message }) => resolve(message)));
      const running = rejection(
        codex.exec(["sleep", "10007"], { sandboxPolicy: { type: "dangerFullAccess" } }).result,
      );
      await codex.request("model/list", {});
      world.command.kill(signal);
      expect(await world.command.exit).toBe(0);
      expect(await why).toContain("closed by the other end (1000)");
      expect(await running).toMatchObject({ code: "connection_closed" });
      const said = world.command.lines.map(({ type }) => type).filter((type) => type !== "clients");
      expect(said).toEqual(["serving", "stopping", "stopped"]);
      expect(existsSync(world.url.slice("unix://".length))).toBe(false);
      await until(() => world.upstream().length === 0);
    },
    PINNED,
  );
}

verifies(
  "cli.serve.shutdown",
  "a signal that arrives while Codex starts ends Codex too, and nothing is left",
  async () => {
    await using world = await serveWorld([]);
    const started = path.join(world.root, "started");
    const never = path.join(world.root, "never");
    await writeFile(never, `#!/bin/sh\ntouch "${started}"\nexec sleep 10008\n`, { mode: 0o755 });
    const flags = ["serve", "--json", "--token-file", path.join(world.root, "t"), "--codex-path", never];
    await using command = new RunningCommand(flags, world.options);
    await until(() => existsSync(started));
    command.kill("SIGTERM");
    expect(await command.exit).toBe(0);
    expect(command.lines.map(({ type }) => type)).toEqual(["stopped"]);
    await until(() => !world.upstream().some((pid) => commandLine(pid).includes("10008")));
  },
  PINNED,
);
