import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient, tool, jsonSchema, type CodexClientOptions } from "codexwright";
import { exec, gate, hang, realAppServer, reply, scriptedModel, toolCall } from "@codexwright/testing";
import { deferred, rejection, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import {
  killAll,
  PINNED,
  processesOf,
  world,
  type LiveWorld,
  type WorldOptions,
} from "@codexwright/test-support/world";

/** Kills the world's app-server with kill -9. */
function kill(live: LiveWorld): void {
  killAll(processesOf(live.server.root));
}

const BOTH = [
  { name: "without reconnect", reconnect: false as const },
  { name: "with reconnect", reconnect: {} },
];

for (const { name, reconnect } of BOTH) {
  const options = (more: Partial<CodexClientOptions> = {}): WorldOptions => ({
    client: { reconnect, ...more },
  });
  /** Returns the outcome of a turn that was running when the server was killed. */
  const ended = reconnect ? { code: "turn_interrupted", recovered: true } : { code: "connection_closed" };

  verifies(
    ["recovery.resume", "client.server-death"],
    `kill -9 in a streaming turn, ${name}`,
    async () => {
      const held = gate();
      await using live = await world(
        (request) => (request.index === 0 ? reply("never", { deltas: ["nev", held, "er"] }) : reply("back")),
        options(),
      );
      const thread = await live.codex.startThread();
      const turn = thread.turn("go");
      const outcome = rejection(turn.completed);
      await held.reached;
      kill(live);
      expect(await outcome).toMatchObject(ended);
      const next = thread.run("again");
      if (reconnect) expect((await next).agentMessage).toBe("back");
      else expect(await rejection(next)).toMatchObject({ code: "connection_closed", delivery: "notSent" });
    },
    PINNED,
  );

  verifies(
    ["recovery.resume", "client.server-death"],
    `kill -9 in thread/start, ${name}`,
    async () => {
      await using live = await world(() => reply("back"), options());
      // The server is stopped first. On a busy machine it could otherwise answer before it is killed.
      for (const pid of processesOf(live.server.root)) process.kill(pid, "SIGSTOP");
      const starting = rejection(live.codex.startThread());
      kill(live);
      expect(await starting).toMatchObject({ code: "connection_closed", delivery: "unknown" });
      const next = live.codex.startThread();
      if (reconnect) expect((await (await next).run("go")).agentMessage).toBe("back");
      else expect(await rejection(next)).toMatchObject({ code: "connection_closed" });
    },
    PINNED,
  );

  verifies(
    ["recovery.resume", "requests.resolved"],
    `kill -9 while an approval is open, ${name}`,
    async () => {
      const asked = deferred();
      const aborted = deferred();
      let approvals = 0;
      await using live = await world(
        (request) => (request.index === 0 ? exec("touch x", { justification: "to see" }) : reply("back")),
        {
          ...options({
            onApproval: async ({ signal }): Promise<"accept"> => {
              approvals++;
              signal.addEventListener("abort", () => aborted.resolve());
              asked.resolve();
              await aborted.promise;
              return "accept";
            },
          }),
          approvalPolicy: "on-request",
          sandbox: "read-only",
        },
      );
      const thread = await live.codex.startThread();
      const turn = thread.turn("go");
      const outcome = rejection(turn.completed);
      await asked.promise;
      kill(live);
      expect(await outcome).toMatchObject(ended);
      await aborted.promise;
      if (reconnect) expect((await thread.run("again")).agentMessage).toBe("back");
      expect(approvals).toBe(1);
      expect(thread.state.pendingRequests).toEqual([]);
    },
    PINNED,
  );

  verifies(
    ["recovery.resume", "tools.deadline"],
    `kill -9 while a tool runs, ${name}`,
    async () => {
      const started = deferred();
      const aborted = deferred();
      let calls = 0;
      const slow = tool({
        name: "slow",
        description: "Takes its time",
        input: jsonSchema({ type: "object", properties: {} }),
        run: async (_input, { signal }) => {
          calls++;
          if (calls > 1) return "quick this time";
          signal.addEventListener("abort", () => aborted.resolve());
          started.resolve();
          await aborted.promise;
          return "too late";
        },
      });
      await using live = await world(
        (request) => (request.index === 1 || request.index > 2 ? reply("back") : toolCall("slow", {})),
        options(),
      );
      const thread = await live.codex.startThread({ tools: [slow] });
      const turn = thread.turn("go");
      const outcome = rejection(turn.completed);
      await started.promise;
      kill(live);
      expect(await outcome).toMatchObject(ended);
      await aborted.promise;
      expect(calls).toBe(1);
      if (reconnect) expect((await thread.run("again")).agentMessage).toBe("back");
    },
    PINNED,
  );
}

verifies(
  ["client.startup", "client.server-death"],
  "kill -9 in the handshake rejects connect with the signal",
  async () => {
    await using model = await scriptedModel([]);
    await using server = await realAppServer({ model });
    const codex = new CodexClient({ ...server.clientOptions, reconnect: {} });
    const connecting = rejection(codex.connect());
    await until(() => processesOf(server.root).length > 0);
    killAll(processesOf(server.root));
    expect(await connecting).toMatchObject({ code: "connection_closed", exitSignal: "SIGKILL" });
    await codex.disconnect();
  },
  PINNED,
);

verifies(
  "recovery.orphans",
  "neither the app-server nor its children survive when our own process is killed",
  async () => {
    await using model = await scriptedModel([exec("touch running; sleep 1000"), hang()]);
    await using server = await realAppServer({ model });
    const { codexHome, cwd, env } = server.clientOptions;
    const entry = path.resolve(import.meta.dirname, "../../dist/lib/index.js");
    const program = `
      const { CodexClient } = await import(${JSON.stringify(entry)});
      const codex = await CodexClient.connect(${JSON.stringify({ codexHome, cwd })});
      const thread = await codex.startThread();
      await thread.run("go");
    `;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    await until(() => existsSync(path.join(cwd, "running")));
    const others = (): number[] => processesOf(server.root).filter((pid) => pid !== child.pid);
    expect(others().length).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await once(child, "exit");
    await until(() => others().length === 0);
  },
  PINNED,
);
