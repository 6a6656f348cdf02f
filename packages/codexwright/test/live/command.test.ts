import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient, type CodexClientOptions } from "codexwright";
import { findCodex, ServerLease } from "codexwright/stdio";
import { exec, realAppServer, reply, scriptedModel, type ModelScript } from "@codexwright/testing";
import { deferred, rejection, until } from "@codexwright/test-support/events";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { processesOf } from "@codexwright/test-support/world";

const LIVE = { against: "pinned", skip: onWindows } as const;
const ENGINE = path.resolve(import.meta.dirname, "../../../cli/dist/codexwright.js");

/** A client whose server is the command. The profile of its user is a file of this world. */
async function world(script: ModelScript, profile: string, options: CodexClientOptions) {
  const model = await scriptedModel(script);
  const server = await realAppServer({ model, sandbox: "danger-full-access", approvalPolicy: "never" });
  const { codexPath: _, ...rest } = server.clientOptions;
  writeFileSync(path.join(server.home, ".bash_profile"), profile);
  const codex = new CodexClient({ ...rest, ...options } as CodexClientOptions);
  return {
    codex,
    root: server.root,
    workspace: server.workspace,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await codex.disconnect();
      await server.close();
      await model.close();
    },
  };
}

const SERVERS = [
  ["Codex", "codex app-server", `export PATH='${path.dirname(findCodex().command)}':"$PATH"\n`],
  ["our engine", `"$NODE" '${ENGINE}' app-server`, `export NODE='${process.execPath}'\n`],
] as const;

for (const [name, command, profile] of SERVERS) {
  verifies(
    "stdio.command",
    `shell text starts ${name} with the settings of the user's profile, and it runs a turn`,
    async () => {
      await using live = await world([exec("echo made >made.txt"), reply("Done.")], profile, { command });
      await live.codex.connect();
      const thread = await live.codex.startThread();
      expect((await thread.run("make it")).agentMessage).toBe("Done.");
      expect(readFileSync(path.join(live.workspace, "made.txt"), "utf8")).toBe("made\n");
      await live.codex.disconnect();
      await until(() => processesOf(live.root).length === 0);
    },
    LIVE,
  );

  verifies(
    "stdio.lease",
    `a lease that ends in a turn of ${name} rejects the turn with its reason and ends the command of the turn`,
    async () => {
      const lease = new ServerLease(600_000);
      await using live = await world([exec("sleep 600")], profile, { command, lease });
      await live.codex.connect();
      const thread = await live.codex.startThread();
      const begun = deferred();
      live.codex.onNotification("item/started", ({ item }) => {
        if (item.type === "commandExecution") begun.resolve();
      });
      const outcome = rejection(thread.run("sleep"));
      await begun.promise;
      lease.renew(100);
      expect(await outcome).toMatchObject({ code: "connection_closed", cause: { code: "lease_ended" } });
      await until(() => processesOf(live.root).length === 0);
    },
    LIVE,
  );
}
