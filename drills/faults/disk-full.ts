import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CodexClient } from "codexwright";
import { realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { deferred } from "../../packages/test-support/src/events.ts";
import type { Drill } from "../lib/drill.ts";
import { fill, mountSmall } from "../lib/mounts.ts";

/**
 * Puts CODEX_HOME on a file system of 32 MiB that fills up between two turns, is freed, and fills up again.
 */
export const diskFull: Drill = {
  name: "disk-full",
  fault: "the disk of CODEX_HOME is full",
  needs: () => (process.getuid?.() === 0 ? undefined : "needs root, to mount a small file system"),
  async run(run) {
    await using model = await scriptedModel(() => reply("ok"));
    await using server = await realAppServer({ model });
    const config = path.join(server.codexHome, "config.toml");
    const settings = readFileSync(config);
    using _disk = mountSmall(server.codexHome, 32);
    writeFileSync(config, settings);
    const filler = path.join(server.codexHome, "filler");
    let id: string;
    {
      await using codex = await CodexClient.connect(server.clientOptions);
      const thread = await codex.startThread();
      id = thread.id;
      await thread.run("go");
      const warned = deferred<string>();
      codex.onNotification("warning", ({ message }) => {
        if (message.includes("No space left on device")) warned.resolve(message);
      });
      fill(filler);
      run.fault();
      await run.works("a turn", thread.run("go"), () => "works, and is stored later");
      await run.works(
        "a listener of `warning`",
        warned.promise,
        (message) => `"${message.split(".")[0] ?? ""}"`,
      );
      await run.works("a new thread", codex.startThread());
      rmSync(filler);
      run.fault();
      await run.works("a turn when there is space again", thread.run("go"));
    }
    {
      await using codex = await CodexClient.connect(server.clientOptions);
      const { state } = await codex.resumeThread(id);
      assert.equal(state.turns.length, 3, "the server did not write the data that it could not write before");
    }
    // Simulate a home that Codex has not used yet: it cannot create its databases.
    for (const name of readdirSync(server.codexHome))
      if (name !== "config.toml") rmSync(path.join(server.codexHome, name), { recursive: true });
    fill(filler);
    run.fault();
    await run.fails("`connect()`", CodexClient.connect(server.clientOptions), {
      code: "connection_closed",
      exitCode: 1,
    });
  },
};
