import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { bubblewrap } from "@codexwright/engine/node";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { emptied } from "./shells.ts";
import { eventsOf, exec, world, write } from "./turns.ts";

const BWRAP = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"].some((file) => existsSync(file));

verifies(
  "engine.exec.confined",
  "runs commands of the model and of clients in the sandbox: output, terminals, Ctrl-C and ends",
  async () => {
    const daemon = "setsid env -i /bin/sleep 600 & echo up; sleep 600";
    await using place = await world(
      [
        exec("echo inside > inside.txt; echo out > /usr/outside.txt; echo $?"),
        exec("trap 'echo caught; exit 5' INT; echo up; while :; do sleep 0.05; done", {
          tty: true,
          yield_time_ms: 1_000,
        }),
        write("\u0003", { yield_time_ms: 30_000 }),
        exec(daemon, { yield_time_ms: 1_000 }),
        exec("exit 7"),
        exec("kill -9 $$"),
      ],
      {
        sandbox: bubblewrap(),
        config: { model: "own-model", sandboxMode: "workspace-write", approvalPolicy: "never" },
      },
    );
    const { client, folder, threadId } = place;
    const outputs = await place.turn();
    expect(await readFile(path.join(folder, "inside.txt"), "utf8")).toBe("inside\n");
    expect(outputs[0]).toContain("Read-only file system");
    expect(outputs[2]).toContain("caught");
    expect(outputs[2]).toContain("Process exited with code 5");
    expect(outputs[3]).toContain("up");
    expect(outputs[4]).toContain("Process exited with code 7");
    expect(outputs[5]).toContain("Process exited with code 137");
    expect(eventsOf(client, "c1-0").at(-1)).toBe("completed");
    const denied = ["/bin/bash", "-c", "echo x > /usr/outside.txt; cat inside.txt"];
    const { result } = await client.ask("command/exec", { command: denied });
    expect(result).toMatchObject({ exitCode: 0, stdout: "inside\n" });
    expect((result as { stderr: string }).stderr).toContain("Read-only file system");
    await client.ask("thread/backgroundTerminals/clean", { threadId });
    await emptied(folder);
    expect(place.server.failures).toEqual([]);
  },
  { skip: unlessLinux || (!BWRAP && "it needs bubblewrap"), timeoutMs: 60_000 },
);
