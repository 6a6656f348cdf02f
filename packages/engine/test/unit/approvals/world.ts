import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { CodexClient, Thread } from "codexwright";
import { EngineServer, type EngineServerOptions, type ModelEvent } from "@codexwright/engine";
import { nodeFiles, nodePlatform } from "@codexwright/engine/node";
import { call, completed, connect, message, modelOf, optionsOf } from "../ports.ts";

/** A thread, or anything else that runs turns. */
interface Turns {
  run(text: string): Promise<unknown>;
}

/** A server on real files, with one tool call for each response of the model. */
export interface World extends AsyncDisposable {
  readonly root: string;
  readonly work: string;
  readonly home: string;
  readonly outside: string;
  readonly server: EngineServer;
  readonly codex: CodexClient;
  /** Starts a thread in `work`. */
  start(params?: object): Promise<Thread>;
  /** Lets the model make one call in a turn. Returns its output. */
  run(thread: Thread, name: string, args: unknown): Promise<string>;
  /** Lets the model make calls in a turn, one after the other. Returns their outputs. */
  runAll(thread: Turns, calls: readonly (readonly [name: string, args: unknown])[]): Promise<string[]>;
  /** Lets the model apply a patch in a turn. Returns the output. */
  patch(thread: Thread, text: string): Promise<string>;
}

const WORKSPACE = {
  writableRoots: [],
  networkAccess: false,
  excludeTmpdirEnvVar: true,
  excludeSlashTmp: true,
};

type Options = Partial<Omit<EngineServerOptions, "provider" | "home" | "cwd">>;

export async function worldOf(
  options: Options | ((folders: { readonly root: string }) => Options) = {},
): Promise<World> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "approvals-")));
  const [work, home, outside] = ["work", "home", "outside"].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([work, home, outside].map((folder) => mkdir(folder)));
  const next: ModelEvent[] = [];
  let n = 0;
  const outputs: string[] = [];
  const model = {
    ...modelOf(),
    async *stream(request: Parameters<ReturnType<typeof modelOf>["stream"]>[0]) {
      await Promise.resolve();
      const last = request.input.at(-1);
      if (last?.["type"] === "function_call_output") outputs.push(String(last["output"]));
      const event = next.shift();
      yield* event ? [event, completed] : [...message(`m${n++}`, "done"), completed];
    },
  };
  const own = typeof options === "function" ? options({ root }) : options;
  const server = new EngineServer(
    optionsOf(model, {
      files: nodeFiles(),
      // The worlds are in the folder for temporary files, which is writable by default.
      config: { model: "own-model", workspaceWrite: WORKSPACE },
      platform: { ...nodePlatform(), tmpdir: undefined },
      ...own,
      home,
      cwd: work,
    }),
  );
  const codex = await connect(server);
  const runAll: World["runAll"] = async (thread, calls) => {
    next.splice(0, next.length, ...calls.map(([name, args]) => call(`c${n++}`, name, args)));
    outputs.length = 0;
    await thread.run("go").catch((error: unknown) => outputs.push((error as Error).message));
    return [...outputs];
  };
  const run: World["run"] = async (thread, name, args) => (await runAll(thread, [[name, args]])).at(-1) ?? "";
  return {
    root,
    work,
    home,
    outside,
    server,
    codex,
    start: (params = {}) => codex.startThread({ cwd: work, sandbox: "workspace-write", ...params }),
    run,
    runAll,
    patch: (thread, text) => run(thread, "apply_patch", { input: `*** Begin Patch\n${text}\n*** End Patch` }),
    [Symbol.asyncDispose]: async () => {
      await codex.close();
      await server.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
