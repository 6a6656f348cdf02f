import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { EngineServer, type Shell } from "@codexwright/engine";
import { engine, engineDefaults } from "@codexwright/engine/node";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { call, completed, message, modelOf } from "../ports.ts";
import { temporaryPlace } from "./place.ts";

verifies("engine.ways.transport", "runs a command and a patch of a turn on this machine", async () => {
  await using place = temporaryPlace();
  place.write("a.txt", "one\n");
  const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch";
  const provider = modelOf(
    [
      call("c1", "exec_command", { cmd: 'echo "$OWN in $(basename $PWD)" >made.txt' }),
      call("c2", "exec_command", { cmd: `apply_patch <<'PATCH'\n${patch}\nPATCH` }),
      completed,
    ],
    [...message("m1", "all done"), completed],
  );
  const { home, work } = place;
  const transport = engine({ provider, home, cwd: work, env: { HOME: home, OWN: "mine" } });
  await using codex = await CodexClient.connect({ transport, sandbox: "danger-full-access" });
  expect(codex.server.codexHome).toBe(home);
  const thread = await codex.startThread();
  expect(thread.cwd).toBe(work);
  const result = await thread.run("change it");

  expect(result.agentMessage).toBe("all done");
  expect(place.read("a.txt")).toBe("two\n");
  expect(place.read("made.txt")).toBe("mine in work\n");
});

verifies(
  "engine.ways.transport",
  "opens an engine for each client, and closes it with the client",
  async () => {
    await using place = temporaryPlace();
    const { home, work } = place;
    let closed = 0;
    const shell: Shell = {
      start: () => Promise.reject(new Error("not used")),
      async close() {
        await Promise.resolve(closed++);
      },
    };
    const transport = engine({ provider: modelOf(), home, cwd: work, shell });
    const first = await CodexClient.connect({ transport });
    const second = await CodexClient.connect({ transport });
    const { id } = await first.startThread();
    expect(await rejection(second.resumeThread(id))).toMatchObject({ code: "no_rollout" });
    await first.disconnect();
    expect(closed).toBe(1);
    await second.startThread();
    await second.disconnect();
    expect(closed).toBe(2);
  },
);

verifies("engine.ways.transport", "opens nothing if the connection is given up", async () => {
  const reason = new Error("given up");
  const opening = engine({ provider: modelOf(), cwd: import.meta.dirname })(AbortSignal.abort(reason));
  expect(await rejection(Promise.resolve(opening))).toBe(reason);
});

verifies("engine.ways.defaults", "fills in what is left out, and keeps what is given", async () => {
  const provider = modelOf();
  const defaults = await engineDefaults({ provider, config: { sandboxMode: "read-only" } });
  expect(defaults).toMatchObject({ provider, cwd: process.cwd(), config: { sandboxMode: "read-only" } });
  expect(defaults.home).not.toBe("");
  await using server = new EngineServer(defaults);
  expect(server.methods).toContain("turn/start");

  const { shell, files, platform } = defaults;
  const given = { provider, shell, files, platform, home: "/own/home", cwd: "/own/work", version: "9.9.9" };
  expect(await engineDefaults(given)).toMatchObject(given);
});

verifies("engine.ways.options", "rejects missing, unknown and mistyped options by name", async () => {
  const provider = modelOf();
  for (const [wrong, name] of [
    [{ provider: 7 }, "provider"],
    [{ provider, baseUrl: "http://127.0.0.1:1" }, "baseUrl"],
    [{ provider, cwd: 7 }, "cwd"],
    [{ provider, home: "" }, "home"],
    [{ provider, env: { A: 1 } }, "env"],
    [{ provider, config: { sandbox: "read-only" } }, "sandbox"],
    [{ provider, config: { approvalPolicy: "always" } }, "approvalPolicy"],
    [{ provider, shell: "bash" }, "shell"],
  ] as const) {
    expect(() => engine(wrong as never)).toThrow(name);
    expect(String(await rejection(engineDefaults(wrong as never)))).toContain(name);
  }
});
