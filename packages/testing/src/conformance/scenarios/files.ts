import type { CommandOutcome } from "../../fake/scripted-shell.ts";
import { expectMatch, expectRejection, expectThat } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { scenario, send, since } from "../steps.ts";

/** A command that does not end by itself. */
const ended: NonNullable<CommandOutcome["run"]> = ({ signal }) =>
  new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

export const FILES: readonly Scenario[] = [
  scenario(
    "fs.files",
    "writes, reads, copies, describes and removes files",
    {
      model: [],
      run: async (world) => {
        const { fs } = await world.connect();
        const file = `${world.workspace}/a.bin`;
        const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
        await fs.writeFile(file, bytes);
        expectMatch([...(await fs.readFile(file))], [...bytes], "the bytes");
        await fs.copy(file, `${world.workspace}/b.bin`);
        expectMatch(
          await fs.stat(`${world.workspace}/b.bin`),
          { isFile: true, isDirectory: false, ...(since(world, "0.121.0") && { isSymlink: false }) },
          "the copy",
        );
        await fs.remove(file);
        await fs.remove(file);
        await expectRejection(fs.readFile(file), { code: "rpc", rpcCode: -32603 }, "reading a removed file");
      },
    },
    { since: "0.115.0" },
  ),
  scenario(
    "fs.folders",
    "creates folders with their parents, lists, copies and removes them",
    {
      model: [],
      run: async (world) => {
        const { fs } = await world.connect();
        const top = `${world.workspace}/top`;
        await fs.createDirectory(`${top}/sub`, { recursive: true });
        await fs.writeFile(`${top}/sub/a.txt`, "a");
        const names = async (path: string): Promise<string[]> =>
          (await fs.readDirectory(path)).map(
            ({ fileName, isDirectory }) => `${fileName}${isDirectory ? "/" : ""}`,
          );
        expectMatch(await names(top), ["sub/"], "the folder");
        await fs.copy(top, `${world.workspace}/other`, { recursive: true });
        expectMatch(await names(`${world.workspace}/other/sub`), ["a.txt"], "the copy");
        await fs.remove(top, { recursive: true });
        expectMatch(await names(world.workspace), ["other/"], "the remaining entries");
      },
    },
    { since: "0.115.0" },
  ),
  scenario(
    "fs.refused",
    "rejects relative paths and bytes that are not base64; a missing file is an internal error",
    {
      model: [],
      run: async (world) => {
        const codex = await world.connect();
        await expectRejection(
          send(codex, "fs/readFile", { path: "a.txt" }),
          { rpcCode: -32600 },
          "a relative path",
        );
        const path = `${world.workspace}/a.txt`;
        await expectRejection(
          send(codex, "fs/writeFile", { path, dataBase64: "%" }),
          { rpcCode: -32600 },
          "bytes that are not base64",
        );
        await expectRejection(
          send(codex, "fs/readFile", { path }),
          { rpcCode: -32603, message: "No such file or directory (os error 2)" },
          "a missing file",
        );
      },
    },
    { since: "0.115.0" },
  ),
  scenario(
    "fs.watch",
    "reports a change in a watched folder with its path",
    {
      model: [],
      run: async (world) => {
        const codex = await world.connect();
        const watch = codex.watch(world.workspace);
        await watch.ready;
        await codex.fs.writeFile(`${world.workspace}/new.txt`, "new");
        for await (const { changedPaths } of watch) {
          expectThat(
            changedPaths.every((path) => path.startsWith(world.workspace)),
            "the paths are inside the folder",
          );
          if (changedPaths.includes(`${world.workspace}/new.txt`)) break;
        }
      },
    },
    { since: "0.120.0" },
  ),
  scenario(
    "exec.buffered",
    "runs a command without a thread to its end, and returns the exit code and both streams",
    {
      model: [],
      commands: {
        "echo out; echo err >&2; exit 3": { output: "out\n", stderr: "err\n", exitCode: 3 },
      },
      run: async (world) => {
        const codex = await world.connect();
        const command = ["sh", "-c", "echo out; echo err >&2; exit 3"];
        const sandboxPolicy = { type: "dangerFullAccess" } as const;
        expectMatch(
          await codex.request("command/exec", { command, sandboxPolicy }),
          { exitCode: 3, stdout: "out\n", stderr: "err\n" },
          "the result",
        );
      },
    },
  ),
  scenario(
    "exec.streamed",
    "streams the output of a command before the answer, and writes its input while it runs",
    {
      model: [],
      commands: {
        "echo ready; read answer; echo got $answer": {
          output: "ready\n",
          run: async ({ read, write }) => write(`got ${await read()}`),
        },
      },
      run: async (world) => {
        const codex = await world.connect();
        const command = codex.exec(["sh", "-c", "echo ready; read answer; echo got $answer"], {
          stdin: true,
        });
        const lines = command.stdout.lines();
        expectMatch((await lines.next()).value, "ready", "the first line");
        await command.stdin.write("yes\n");
        expectMatch((await lines.next()).value, "got yes", "the second line");
        expectMatch(await command.result, { exitCode: 0 }, "the result");
      },
    },
    { since: "0.115.0" },
  ),
  scenario(
    "exec.terminate",
    "ends a command on request, and its exit code shows it",
    {
      model: [],
      commands: { "echo on; sleep 1000": { output: "on\n", run: ended } },
      run: async (world) => {
        const codex = await world.connect();
        const command = codex.exec(["sh", "-c", "echo on; sleep 1000"]);
        expectMatch((await command.stdout.lines().next()).value, "on", "the first line");
        await command.kill();
        expectMatch(await command.result, { exitCode: since(world, "0.140.0") ? 137 : -1 }, "the result");
      },
    },
    { since: "0.115.0" },
  ),
  scenario(
    "exec.timeout",
    "ends a command that takes too long, with exit code 124",
    {
      model: [],
      commands: { "sleep 1000": { run: ended } },
      run: async (world) => {
        const codex = await world.connect();
        const answer = await codex.request("command/exec", {
          command: ["sleep", "1000"],
          timeoutMs: 100,
          sandboxPolicy: { type: "dangerFullAccess" },
        });
        expectMatch(answer, { exitCode: 124 }, "the result");
      },
    },
    { since: "0.113.0" },
  ),
  scenario(
    "exec.refused",
    "rejects an empty command, streaming without an id, and an unknown id",
    {
      model: [],
      run: async (world) => {
        const codex = await world.connect();
        for (const [method, params, what] of [
          ["command/exec", { command: [] }, "an empty command"],
          ["command/exec", { command: ["true"], streamStdoutStderr: true }, "streaming without an id"],
          ["command/exec/terminate", { processId: "nobody" }, "ending an unknown command"],
        ] as const) {
          await expectRejection(send(codex, method, params), { rpcCode: -32600 }, what);
        }
      },
    },
    { since: "0.113.0" },
  ),
  scenario(
    "search.files",
    "finds files by a part of their name, best match first",
    {
      model: [],
      run: async (world) => {
        const codex = await world.connect();
        for (const name of ["alpha.txt", "beta.txt", "alphabet.md"]) {
          await codex.fs.writeFile(`${world.workspace}/${name}`, "");
        }
        const found = await codex.search("alpha", { roots: [world.workspace] });
        expectMatch(found.map(({ path }) => path).toSorted(), ["alpha.txt", "alphabet.md"], "the files");
        expectMatch(found[0], { root: world.workspace, file_name: /^alpha/ }, "the first");
      },
    },
    { since: "0.115.0" },
  ),
];
