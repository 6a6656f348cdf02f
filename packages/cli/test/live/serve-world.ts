import { readFile } from "node:fs/promises";
import path from "node:path";
import { CodexClient, type CodexClientOptions } from "codexwright";
import { realAppServer, scriptedModel, type ModelScript } from "codexwright/testing";
import { websocket } from "codexwright/websocket";
import { RunningCommand, type StartOptions } from "../support/json-command.ts";

export interface ServeWorld extends AsyncDisposable {
  /** The folder that holds everything. */
  readonly root: string;
  readonly workspace: string;
  /** What a command needs to find this world's Codex. */
  readonly options: StartOptions;
  readonly command: RunningCommand;
  readonly url: string;
  readonly token: string;
  /** One more client; the world disposes it. */
  connect(options?: Partial<CodexClientOptions>): Promise<CodexClient>;
}

/** `codexwright serve` in front of a real Codex with a scripted model. */
export async function serveWorld(script: ModelScript, flags: readonly string[] = []): Promise<ServeWorld> {
  const stack: AsyncDisposable[] = [];
  const dispose = async (): Promise<void> => {
    for (const one of stack.splice(0).toReversed()) await one[Symbol.asyncDispose]();
  };
  try {
    const model = await scriptedModel(script);
    stack.push(model);
    const server = await realAppServer({ model });
    stack.push(server);
    const tokenFile = path.join(server.root, "token");
    const { codexHome, cwd, env, codexPath } = server.clientOptions;
    const options: StartOptions = { cwd, env: { ...env, CODEX_HOME: codexHome, CODEX_PATH: codexPath } };
    const command = new RunningCommand(["serve", "--json", "--token-file", tokenFile, ...flags], options);
    stack.push(command);
    const url = String((await command.line("serving"))["url"]);
    const token = (await readFile(tokenFile, "utf8")).trim();
    const connect = async (settings: Partial<CodexClientOptions> = {}): Promise<CodexClient> => {
      const codex = await CodexClient.connect({
        ...settings,
        cwd,
        transport: websocket(url, { token }),
      } as CodexClientOptions);
      stack.push(codex);
      return codex;
    };
    const { root, workspace } = server;
    return { root, workspace, options, command, url, token, connect, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
