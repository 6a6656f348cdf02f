import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { EngineServer, type EngineServerOptions, type ModelProvider } from "@codexwright/engine";
import { rolloutStore } from "@codexwright/engine/node";
import type { CodexClient } from "codexwright";
import { connect, message, completed, optionsOf } from "../ports.ts";

/** A folder for threads, removed on disposal. */
export interface Home extends AsyncDisposable {
  readonly path: string;
  /** The rollout files, in the order of their names. */
  files(): Promise<string[]>;
  /** The lines of the only rollout file. */
  lines(): Promise<string[]>;
}

export async function temporaryHome(): Promise<Home> {
  const folder = await mkdtemp(path.join(tmpdir(), "codexwright-home-"));
  const files = async (): Promise<string[]> => {
    const names = await readdir(folder, { recursive: true });
    return names
      .filter((name) => /rollout-.*\.jsonl$/.test(name))
      .map((name) => path.join(folder, name))
      .toSorted();
  };
  return {
    path: folder,
    files,
    lines: async () => (await readFile((await files())[0] ?? "", "utf8")).split("\n").slice(0, -1),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A model that answers every request with `re` and the user's last text. */
export function echo(): ModelProvider & { readonly inputs: readonly string[][] } {
  const inputs: string[][] = [];
  return {
    id: "own",
    inputs,
    models: () => Promise.resolve([]),
    async *stream(request) {
      const said = request.input
        .filter(({ type, role }) => type === "message" && (role === "user" || role === "assistant"))
        .map((item) => (item["content"] as { text?: string }[]).map(({ text }) => text ?? "").join(""))
        .filter((text) => !text.startsWith("<"));
      inputs.push(said);
      yield* message(`m${inputs.length}-${crypto.randomUUID()}`, `re ${said.at(-1)}`);
      yield completed;
    },
  };
}

/** A server on the home, with a client. */
export async function serverOn(
  home: Home,
  model: ModelProvider,
  more: Partial<EngineServerOptions> = {},
): Promise<AsyncDisposable & { readonly codex: CodexClient; readonly server: EngineServer }> {
  const store = rolloutStore({ home: home.path });
  const server = new EngineServer(optionsOf(model, { store, home: home.path, ...more }));
  const codex = await connect(server);
  return {
    codex,
    server,
    [Symbol.asyncDispose]: async () => {
      await codex.disconnect();
      await server.close();
    },
  };
}
