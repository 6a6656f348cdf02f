import { readFile } from "node:fs/promises";
import path from "node:path";
import { EngineServer } from "@codexwright/engine";
import { configFiles, engineDefaults } from "@codexwright/engine/node";
import { modelOf } from "../ports.ts";
import { RawClient } from "../raw-client.ts";
import { makeHome, type Home } from "./home.ts";

/** An engine with configuration files in folders of its own, and a client. */
export interface ConfigWorld extends AsyncDisposable, Pick<Home, "root" | "home" | "project" | "write"> {
  readonly server: EngineServer;
  readonly client: RawClient;
  /** The text of the user's `config.toml`. */
  text(): Promise<string>;
  /** Sends a write of one value. Returns the answer. */
  set(keyPath: string, value: unknown, more?: object): ReturnType<RawClient["call"]>;
}

export async function configWorld(
  files: Readonly<Record<string, string>>,
  overrides: readonly string[] = [],
): Promise<ConfigWorld> {
  const home = await makeHome(files);
  const { root, project, write } = home;
  const options = { home: home.home, cwd: project, overrides };
  const server = new EngineServer(
    await engineDefaults({
      ...options,
      provider: modelOf(),
      configFiles: configFiles({ ...options, systemFile: path.join(root, "system.toml") }),
    }),
  );
  const client = await RawClient.connect(server);
  return {
    root,
    home: home.home,
    project,
    write,
    server,
    client,
    text: () => readFile(path.join(home.home, "config.toml"), "utf8"),
    set: (keyPath, value, more = {}) =>
      client.call("config/value/write", { keyPath, value, mergeStrategy: "replace", ...more }),
    async [Symbol.asyncDispose]() {
      await server.close();
      await home[Symbol.asyncDispose]();
    },
  };
}
