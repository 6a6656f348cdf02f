import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { CodexClient, type CodexClientOptions, type TransportFactory } from "codexwright";
import { realAppServer, scriptedModel, type ModelScript } from "@codexwright/testing";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { LineClient } from "@codexwright/test-support/line-client";
import { processesOf } from "@codexwright/test-support/world";
import { reaper } from "@codexwright/test-support/reaper";
import { RunningCommand, type StartOptions } from "../support/json-command.ts";

/** The transport that clients use. */
export type Way = "ws" | "unix";

export interface ServeWorldOptions {
  readonly flags?: readonly string[];
  readonly way?: Way;
  /** The Codex version; default: the one that the repository pins. */
  readonly version?: string;
  /** More TOML for Codex's configuration. */
  readonly config?: string;
}

export interface ServeWorld extends AsyncDisposable {
  /** The folder that contains all files. */
  readonly root: string;
  readonly workspace: string;
  /** The options with which a command finds this world's Codex. */
  readonly options: StartOptions;
  readonly command: RunningCommand;
  readonly url: string;
  /** Empty for a unix socket, which needs no token. */
  readonly token: string;
  readonly transport: TransportFactory;
  /** Adds a client, which the world disposes. */
  connect(options?: Partial<CodexClientOptions>): Promise<CodexClient>;
  /** Adds a client that exchanges raw lines and has completed the handshake. */
  lines(): Promise<LineClient>;
  /** The process ids of Codex and its child processes. */
  upstream(): readonly number[];
}

/** Starts `codexwright serve` in front of a real Codex with a scripted model. */
export async function serveWorld(
  script: ModelScript,
  { flags = [], way = "ws", version, config }: ServeWorldOptions = {},
): Promise<ServeWorld> {
  const stack: AsyncDisposable[] = [];
  const dispose = async (): Promise<void> => {
    for (const one of stack.splice(0).toReversed()) await one[Symbol.asyncDispose]();
  };
  try {
    const model = await scriptedModel(script);
    stack.push(model);
    const server = await realAppServer({
      model,
      ...(version !== undefined && { codexPath: await codexBinary(version) }),
      ...(config !== undefined && { config }),
    });
    stack.push(server, reaper(server.root));
    const { codexHome, cwd, env, codexPath } = server.clientOptions;
    const options: StartOptions = { cwd, env: { ...env, CODEX_HOME: codexHome, CODEX_PATH: codexPath } };
    const tokenFile = path.join(server.root, "token");
    const where =
      way === "ws" ? ["--token-file", tokenFile] : ["--listen", `unix://${path.join(server.root, "s.sock")}`];
    const command = new RunningCommand(["serve", "--json", ...where, ...flags], options);
    stack.push(command);
    const url = String((await command.line("serving"))["url"]);
    const token = way === "ws" ? (await readFile(tokenFile, "utf8")).trim() : "";
    const transport = way === "ws" ? websocket(url, { token }) : unixSocket(url.slice("unix://".length));
    const connect = async (settings: Partial<CodexClientOptions> = {}): Promise<CodexClient> => {
      const codex = await CodexClient.connect({ ...settings, cwd, transport } as CodexClientOptions);
      stack.push(codex);
      return codex;
    };
    const lines = async (): Promise<LineClient> => {
      const client = new LineClient(await transport(new AbortController().signal));
      stack.push({ [Symbol.asyncDispose]: () => client.hangUp() });
      await client.hello({ capabilities: { experimentalApi: true } });
      return client;
    };
    const { root, workspace } = server;
    const upstream = (): readonly number[] => processesOf(root).filter((pid) => pid !== command.pid);
    const world = { root, workspace, options, command, url, token, transport, connect, lines, upstream };
    return { ...world, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The arguments of a process; empty if it has ended. */
export function commandLine(pid: number): readonly string[] {
  try {
    if (existsSync("/proc")) return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return execFileSync("ps", ["-o", "args=", "-p", `${pid}`], { encoding: "utf8" })
      .trim()
      .split(" ");
  } catch {
    return [];
  }
}
