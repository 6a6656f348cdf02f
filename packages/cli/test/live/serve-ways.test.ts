import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient, type TransportFactory } from "codexwright";
import { realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import { signed } from "@codexwright/test-support/jwt";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { RunningCommand } from "../support/json-command.ts";
import { serveWorld } from "./serve-world.ts";

const PINNED = { against: "pinned" } as const;

verifies(
  "cli.serve.auth",
  "a unix socket needs no token, and the issuer and audience of a signed token are checked",
  async () => {
    await using model = await scriptedModel(() => reply("Hello."));
    await using world = await realAppServer({ model });
    const { cwd, env, codexHome } = world.clientOptions;
    const serve = (...flags: readonly string[]): RunningCommand =>
      new RunningCommand(["serve", "--json", ...flags], { cwd, env: { ...env, CODEX_HOME: codexHome } });
    const answer = async (transport: TransportFactory): Promise<string> => {
      await using codex = await CodexClient.connect({ transport, cwd });
      return (await (await codex.startThread()).run("hello")).agentMessage;
    };

    const socket = path.join(world.root, "s.sock");
    await using local = serve("--listen", `unix://${socket}`);
    await local.line("serving");
    expect(await answer(unixSocket(socket))).toBe("Hello.");

    const secret = "a secret that is long enough to sign with";
    const file = path.join(world.root, "secret");
    await writeFile(file, secret, { mode: 0o600 });
    await using remote = serve("--jwt-secret-file", file, "--jwt-issuer", "i", "--jwt-audience", "a");
    const url = String((await remote.line("serving"))["url"]);
    const exp = Math.floor(Date.now() / 1000) + 60;
    expect(await answer(websocket(url, { token: signed({ exp, iss: "i", aud: "a" }, secret) }))).toBe(
      "Hello.",
    );
    const foreign = websocket(url, { token: signed({ exp, iss: "other", aud: "a" }, secret) });
    expect(((await rejection(answer(foreign))) as { code: string }).code).toBe("auth_failed");
  },
  PINNED,
);

verifies(
  ["cli.serve.clients", "cli.serve.unknown"],
  "serves an old Codex unchanged: its own methods, errors and events",
  async () => {
    await using world = await serveWorld(() => reply("Hello."), { version: "0.98.0" });
    const codex = await world.connect();
    expect([
      codex.server.version,
      codex.supports("thread/rollback"),
      codex.supports("thread/revert"),
    ]).toEqual(["0.98.0", true, false]);
    const legacy: unknown[] = [];
    codex.onNotification("codex/event/task_started" as never, (params) => legacy.push(params));
    const thread = await codex.startThread();
    expect((await thread.run("hello")).agentMessage).toBe("Hello.");
    expect(legacy).toMatchObject([{ conversationId: thread.id }]);
    await codex.disconnect();
    world.command.kill("SIGTERM");
    expect(await world.command.exit).toBe(0);
    expect(world.command.lines.filter(({ type }) => type === "warning")).toEqual([]);
  },
  { against: "codex 0.98.0" },
);
