import type { EngineOptions } from "@codexwright/engine/node";
import { CodexClient, type CodexClientOptions, type TransportFactory } from "codexwright";
import { CommandError, EXIT } from "./command-error.ts";
import { codexHomeOf, readLoginState } from "./login-state.ts";
import type { SharedOptions } from "./options.ts";
import { isReplayed, replayedFolder, tapped } from "./tap.ts";

/** The options of commands that connect to a server. */
export interface ConnectOptions extends SharedOptions {
  readonly demo?: boolean;
}

/** The client's options, except for the server's location. */
export type ClientSettings = Pick<
  CodexClientOptions,
  "sandbox" | "approvalPolicy" | "model" | "onApproval" | "onUserInput" | "onElicitation" | "onPermissions"
>;

/** A connected client and its working folder. Disposing it ends the server. */
export interface Connection extends AsyncDisposable {
  readonly codex: CodexClient;
  readonly folder: string;
  /** With `--demo`: the scripted model's own task, which replaces the user's. Otherwise absent. */
  readonly demoTask?: string;
}

/**
 * Connects to the user's own Codex or, with `--demo`, to one with a scripted model in a temporary folder.
 *
 * @param cwd the folder to work in
 */
export async function connect(
  options: ConnectOptions,
  cwd: string,
  settings: ClientSettings = {},
): Promise<Connection> {
  if (options.demo) return await demo(options, cwd, settings);
  if (options.engine) return await open({ transport: await ownEngine({ cwd }), cwd, ...settings }, cwd);
  return await open({ codexPath: options.codexPath, cwd, ...settings }, cwd);
}

/** Our own app-server in this process. It reads the user's configuration, as Codex does. */
async function ownEngine(options: EngineOptions): Promise<TransportFactory> {
  const { engine } = await import("@codexwright/engine/node");
  return engine(options);
}

async function open(options: CodexClientOptions, cwd: string): Promise<Connection> {
  const codex = await CodexClient.connect(
    tapped({ clientName: "codexwright_cli", clientTitle: "codexwright", ...options }),
  );
  return { codex, folder: replayedFolder() ?? cwd, [Symbol.asyncDispose]: () => codex.disconnect() };
}

/** Throws, with advice, if a turn could not reach a model. */
export async function requireLogin(options: ConnectOptions): Promise<void> {
  if (options.demo || isReplayed() || (await readLoginState(codexHomeOf(process.env))) === "ready") return;
  throw new CommandError("not_logged_in", EXIT.auth, "Codex is not logged in and has no other provider.", [
    "Log in:              codexwright login",
    "Try it without one:  codexwright run --demo",
  ]);
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The delay between the words of the scripted model, so that people see it stream. */
const READING_PACE_MS = 25;

/** The scripted model runs only our own commands, and many containers have no working sandbox. */
const DEMO_SANDBOX = "danger-full-access";

async function demo(options: ConnectOptions, cwd: string, settings: ClientSettings): Promise<Connection> {
  const [{ realAppServer, scriptedModel }, { script, SCRIPTED_TASK, writeWorkspace }] = await Promise.all([
    import("@codexwright/testing"),
    import("./demo-script.ts"),
  ]);
  if (isReplayed()) {
    return { ...(await open({ ...settings, sandbox: DEMO_SANDBOX }, cwd)), demoTask: SCRIPTED_TASK };
  }
  const { codexPath } = options;
  const opened: AsyncDisposable[] = [];
  let isStarted = false;
  let isStopped = false;
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0).toReversed()) await one[Symbol.asyncDispose]();
    for (const signal of SIGNALS) process.off(signal, stop);
  };
  // Without this, a signal would leave the folder behind.
  const stop = (): void => {
    isStopped = true;
    if (isStarted) close().catch(() => {});
  };
  // If there is already a listener, that listener closes the connection.
  if (process.listenerCount("SIGINT") === 0) for (const signal of SIGNALS) process.on(signal, stop);
  try {
    const model = await scriptedModel(script(process.stdout.isTTY ? READING_PACE_MS : 0));
    opened.push(model);
    const server = await realAppServer({
      model,
      ...(codexPath !== undefined && { codexPath }),
      sandbox: DEMO_SANDBOX,
    });
    opened.push(server);
    await writeWorkspace(server.workspace);
    const { codexHome: home, env, codexPath: _, ...place } = server.clientOptions;
    const reached = options.engine
      ? { ...place, transport: await ownEngine({ home, env, cwd: server.workspace }) }
      : server.clientOptions;
    const connection = await open({ ...settings, ...reached }, server.workspace);
    opened.push(connection);
    if (isStopped) throw new CommandError("interrupted", EXIT.interrupted, "The demo was interrupted.");
    isStarted = true;
    return { ...connection, demoTask: SCRIPTED_TASK, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
