import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { bubblewrap, nodeShell } from "@codexwright/engine/node";
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

verifies(
  "security.s79",
  "the loader of the programs that build the sandbox reads no variable that names files: only the command gets it",
  async () => {
    const traces = await mkdtemp(path.join(await realpath(tmpdir()), "codexwright-loader-"));
    try {
      // The loader of each program writes a file, so the files show which programs had the variables.
      const loader = {
        LD_DEBUG: "statistics",
        LD_DEBUG_OUTPUT: path.join(traces, "trace"),
        BASH_X: "$(id) ",
      };
      const shell = nodeShell({ env: { ...process.env, ...loader }, program: "/bin/bash" });
      const bare = await shell.start({ argv: ["/bin/true"], cwd: "/", onData: () => {} });
      await bare.exited;
      expect((await readdir(traces)).length).toBeGreaterThan(0);
      for (const name of await readdir(traces)) await rm(path.join(traces, name));
      const show = 'echo "$LD_DEBUG:$BASH_X:$LD_OF_CLIENT:$LD_LIBRARY_PATH"';
      await using place = await world([exec(show), exec(show, { tty: true })], {
        shell,
        sandbox: bubblewrap(),
        // The commands have the variables, but cannot write a file in the temporary folder.
        config: {
          model: "own-model",
          sandboxMode: "workspace-write",
          workspaceWrite: {
            writableRoots: [],
            networkAccess: false,
            excludeSlashTmp: true,
            excludeTmpdirEnvVar: true,
          },
          approvalPolicy: "never",
        },
      });
      for (const output of await place.turn()) expect(output).toContain("statistics:$(id) ::");
      await symlink("/bin/sh", path.join(place.folder, "a=b"));
      const { result } = await place.client.ask("command/exec", {
        command: ["./a=b", "-c", show],
        env: { LD_OF_CLIENT: "a 'b\n$c", LD_LIBRARY_PATH: "", LD_DEBUG: null },
      });
      expect(result).toMatchObject({ exitCode: 0, stdout: ":$(id) :a 'b\n$c:\n" });
      expect(await readdir(traces)).toEqual([]);
    } finally {
      await rm(traces, { recursive: true, force: true });
    }
  },
  { skip: unlessLinux || (!BWRAP && "it needs bubblewrap"), timeoutMs: 60_000 },
);
