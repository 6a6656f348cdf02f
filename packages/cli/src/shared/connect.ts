import { CodexClient, type CodexClientOptions } from "codexwright";
import { CommandError, EXIT } from "./command-error.ts";
import { codexHomeOf, readLoginState } from "./login-state.ts";
import type { SharedOptions } from "./options.ts";
import { isReplayed, replayedFolder, tapped } from "./tap.ts";

/** The options of commands that talk to a server. */
export interface ConnectOptions extends SharedOptions {
  readonly demo?: boolean;
}

/** What a client is made with, beside where its server is. */
export type ClientSettings = Pick<
  CodexClientOptions,
  "sandbox" | "approvalPolicy" | "model" | "onApproval" | "onUserInput" | "onElicitation" | "onPermissions"
>;

/** A connected client and the folder it works in. Disposing it ends the server. */
export interface Connection extends AsyncDisposable {
  readonly codex: CodexClient;
  readonly folder: string;
  /** The task of the scripted model, where it is the one that answers. */
  readonly demoTask?: string;
}

/**
 * A client of the user's own Codex, or with `--demo` of one with a scripted model in a temporary folder.
 *
 * @param cwd the folder to work in
 */
export async function connect(
  options: ConnectOptions,
  cwd: string,
  settings: ClientSettings = {},
): Promise<Connection> {
  if (options.demo) return await demo(options, cwd, settings);
  return await open({ codexPath: options.codexPath, cwd, ...settings }, cwd);
}

async function open(options: CodexClientOptions, cwd: string): Promise<Connection> {
  const codex = await CodexClient.connect(
    tapped({ clientName: "codexwright_cli", clientTitle: "codexwright", ...options }),
  );
  return { codex, folder: replayedFolder() ?? cwd, [Symbol.asyncDispose]: () => codex.disconnect() };
}

/** Refuses to go on where a turn could reach no model, and says what would help. */
export async function requireLogin(options: ConnectOptions): Promise<void> {
  if (options.demo || isReplayed() || (await readLoginState(codexHomeOf(process.env))) === "ready") return;
  throw new CommandError("not_logged_in", EXIT.auth, "Codex is not logged in and has no other provider.", [
    "Log in:              codexwright login",
    "See it work without: codexwright run --demo",
  ]);
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Between the words of the scripted model, for eyes only. */
const READING_PACE_MS = 25;

/** The commands of the scripted model are our own, and many containers have no working sandbox. */
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
  // Else a signal would leave the folder behind.
  const stop = (): void => {
    isStopped = true;
    if (isStarted) close().catch(() => {});
  };
  // Who listens already will close us.
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
    const connection = await open({ ...settings, ...server.clientOptions }, server.workspace);
    opened.push(connection);
    if (isStopped) throw new CommandError("interrupted", EXIT.interrupted, "The demo was interrupted.");
    isStarted = true;
    return { ...connection, demoTask: SCRIPTED_TASK, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
