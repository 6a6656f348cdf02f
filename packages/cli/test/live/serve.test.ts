import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient, type ApprovalRequest } from "codexwright";
import { exec, gate, reply } from "@codexwright/testing";
import { websocket } from "codexwright/websocket";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { killAll } from "@codexwright/test-support/world";
import { ask, UPGRADE } from "@codexwright/test-support/raw-http";
import { runCommand } from "../support/json-command.ts";
import { serveWorld } from "./serve-world.ts";

const PINNED = { against: "pinned" } as const;

for (const way of ["ws", "unix"] as const) {
  verifies(
    ["cli.serve.clients", "cli.serve.dropped"],
    `two clients each run a turn, and one that is disconnected during an approval is asked again (${way})`,
    async () => {
      await using world = await serveWorld(
        (request) => {
          if (!request.lastUserText.includes("touch")) return reply("Hello.");
          return Object.keys(request.toolOutputs).length > 0 ? reply("Done.") : exec("touch made.txt");
        },
        { way },
      );
      const asked = deferred<ApprovalRequest>();
      const first = await world.connect({
        sandbox: "danger-full-access",
        approvalPolicy: "untrusted",
        onApproval: (request) => {
          asked.resolve(request);
          return new Promise<never>(() => {});
        },
      });
      const second = await world.connect({ sandbox: "read-only" });
      const thread = await first.startThread();
      const other = await second.startThread();
      const turn = thread.turn("touch the file");
      const lost = rejection(turn.completed);
      await asked.promise;
      expect((await other.run("hello")).agentMessage).toBe("Hello.");

      await first.disconnect();
      await lost;
      expect(existsSync(path.join(world.workspace, "made.txt"))).toBe(false);
      expect((await other.run("hello again")).agentMessage).toBe("Hello.");

      const again = deferred<ApprovalRequest>();
      const back = await world.connect({
        onApproval: (request) => {
          again.resolve(request);
          return "accept";
        },
      });
      const completed = new Promise<unknown>((resolve) => {
        back.on("turn:completed", ({ status }, { threadId }) => threadId === thread.id && resolve(status));
      });
      await back.resumeThread(thread.id);
      expect((await again.promise).kind).toBe("command");
      expect(await completed).toBe("completed");
      expect(existsSync(path.join(world.workspace, "made.txt"))).toBe(true);
    },
    PINNED,
  );
}

verifies(
  "cli.serve.shutdown",
  "a signal waits for running turns, and starts no new ones",
  async () => {
    const held = gate();
    await using world = await serveWorld((request) =>
      request.lastUserText.includes("slow") ? [held, reply("Late.")] : reply("Hello."),
    );
    const codex = await world.connect();
    const thread = await codex.startThread();
    const other = await codex.startThread();
    const turn = thread.turn("slow");
    await Promise.all([turn.started, held.reached]);
    world.command.kill("SIGTERM");
    await world.command.line("stopping");
    const refused = (await rejection(other.run("hello"))) as Error;
    expect(refused.message).toContain("shutting down");
    held.open();
    expect((await turn.completed).agentMessage).toBe("Late.");
    expect(await world.command.exit).toBe(0);
  },
  PINNED,
);

verifies(
  "cli.serve.auth",
  "rejects a client without the token, or from an origin that is not allowed; probes need no token",
  async () => {
    await using world = await serveWorld([], { flags: ["--allow-origin", "https://console.example"] });
    const stranger = CodexClient.connect({ transport: websocket(world.url, { token: "guessed" }) });
    expect(((await rejection(stranger)) as { code: string }).code).toBe("auth_failed");
    const bearer = `Authorization: Bearer ${world.token}`;
    const knock = async (...headers: readonly string[]): Promise<string> => {
      const { status, body } = await ask(world.url, { headers: [...UPGRADE, ...headers] });
      return `${status} ${body}`.trim();
    };
    expect(await knock()).toBe("401 missing websocket bearer token");
    expect(await knock("Authorization: Bearer guessed")).toBe("401 invalid websocket bearer token");
    expect(await knock(bearer)).toBe("101");
    expect(await knock(bearer, "Origin: https://console.example")).toBe("101");
    expect(await knock(bearer, "Origin: https://elsewhere.example")).toBe("403");
    const probe = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${world.url.replace("ws:", "http:")}/readyz`, { headers })).status;
    expect(await probe({})).toBe(200);
    expect(await probe({ Origin: "https://console.example" })).toBe(200);
    expect(await probe({ Origin: "https://elsewhere.example" })).toBe(403);
    expect(JSON.stringify(world.command.lines) + world.command.stderr).not.toContain(world.token);
  },
  PINNED,
);

verifies(
  "cli.serve.shutdown",
  "a second signal does not wait for running turns",
  async () => {
    const held = gate();
    await using world = await serveWorld([[held, reply("Never.")]]);
    const codex = await world.connect();
    const turn = (await codex.startThread()).turn("slow");
    const lost = rejection(turn.completed);
    await held.reached;
    world.command.kill("SIGINT");
    await world.command.line("stopping");
    world.command.kill("SIGINT");
    expect(await world.command.exit).toBe(130);
    expect((await lost) as { code: string }).toMatchObject({ code: "connection_closed" });
  },
  PINNED,
);

verifies(
  "cli.serve.lost",
  "with --restart, clients continue with a new Codex after it is killed",
  async () => {
    await using world = await serveWorld([reply("One."), reply("Two.")], { flags: ["--restart"] });
    const codex = await world.connect({ reconnect: {} });
    const thread = await codex.startThread();
    expect((await thread.run("one")).agentMessage).toBe("One.");
    const reconnected = new Promise<void>((resolve) => codex.on("reconnected", () => resolve()));
    killAll(world.upstream());
    await world.command.line("restarted");
    await reconnected;
    expect((await thread.run("two")).agentMessage).toBe("Two.");
  },
  PINNED,
);

verifies(
  "cli.serve.auth",
  "exits with advice if the port is in use, or if there is neither a terminal nor a token",
  async () => {
    await using world = await serveWorld([]);
    const flags = ["serve", "--json", "--listen", world.url];
    const taken = await runCommand([...flags, "--token-sha256", "0".repeat(64)], world.options);
    expect([taken.code, taken.lines.at(-1)]).toMatchObject([1, { type: "error", code: "listen_failed" }]);
    const bare = await runCommand(flags, world.options);
    expect([bare.code, bare.lines.at(-1)?.["message"]]).toEqual([2, expect.stringContaining("--token-file")]);
  },
  PINNED,
);
