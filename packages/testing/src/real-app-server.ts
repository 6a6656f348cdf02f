import { access, mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { InvalidArgumentError } from "codexwright/rpc";
import { resourceExhausted } from "codexwright/internal";
import type { TransportFactory } from "codexwright/rpc";
import { limited } from "codexwright/internal/node";
import { removeTree } from "codexwright/internal/node";
import { serverConfig } from "./real-app-server-config.ts";
import { startListening, type RealAppServerAuth } from "./real-app-server-process.ts";
import { worldEnded } from "./world-processes.ts";
import * as is from "codexwright/internal/options";
import { checkOptions, needed, Variant, type Table } from "codexwright/internal";

/** Options of {@link realAppServer}. */
export interface RealAppServerOptions {
  /** The model for Codex: a running `scriptedModel`, or any server with a Responses API at `baseUrl`. */
  readonly model: { readonly baseUrl: string };
  /** The Codex executable; default: CODEX_PATH, or the one that the client finds. */
  readonly codexPath?: string;
  readonly approvalPolicy?: "untrusted" | "on-request" | "on-failure" | "never";
  readonly sandbox?: "read-only" | "workspace-write" | "danger-full-access";
  /** More TOML for config.toml. Its keys override ours. Write tables as `[name]`, not with dotted keys. */
  readonly config?: string;
}

/** Options of {@link realAppServer} for a server that listens on a socket. */
export interface ListeningAppServerOptions extends RealAppServerOptions {
  /** A websocket on a free loopback port (Codex 0.100 or newer), or a unix socket (Codex 0.130 or newer). */
  readonly listen: "ws" | "unix";
  /** How websocket clients authenticate. */
  readonly auth?: RealAppServerAuth;
}

/** The options with which a `CodexClient` starts its server in this world; plain data. */
export interface RealAppServerClientOptions {
  readonly codexPath?: string;
  readonly codexHome: string;
  readonly cwd: string;
  /** Merged with the environment of the process; `undefined` removes a variable. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Longer than a user would wait: a test must not fail because the machine is loaded. */
  readonly startupTimeoutMs: number;
  readonly approvalPolicy?: NonNullable<RealAppServerOptions["approvalPolicy"]>;
  readonly sandbox?: NonNullable<RealAppServerOptions["sandbox"]>;
}

/** An isolated environment for a real `codex app-server`. Created by {@link realAppServer}. */
export interface RealAppServer extends AsyncDisposable {
  /** The folder that contains all the others; removed on disposal. */
  readonly root: string;
  readonly codexHome: string;
  /** HOME of the server and of the commands it runs. */
  readonly home: string;
  readonly workspace: string;
  readonly clientOptions: RealAppServerClientOptions;
  /** Removes its folders, after the server has ended. */
  close(): Promise<void>;
}

/** A real `codex app-server` that listens on a socket, in an isolated environment. Disposal ends it. */
export interface ListeningAppServer extends Omit<RealAppServer, "clientOptions"> {
  /** `ws://127.0.0.1:PORT` or `unix://PATH`. */
  readonly url: string;
  readonly pid: number;
  readonly clientOptions: {
    /** Sends the server's capability token, if it has one. */
    readonly transport: TransportFactory;
    readonly cwd: string;
    readonly startupTimeoutMs: number;
    readonly approvalPolicy?: NonNullable<RealAppServerOptions["approvalPolicy"]>;
    readonly sandbox?: NonNullable<RealAppServerOptions["sandbox"]>;
  };
}

const OPTIONS: Table<RealAppServerOptions & Partial<ListeningAppServerOptions>> = {
  model: needed(is.anything),
  codexPath: is.text,
  approvalPolicy: is.oneOf("untrusted", "on-request", "on-failure", "never"),
  sandbox: is.oneOf("read-only", "workspace-write", "danger-full-access"),
  config: is.text,
  listen: is.oneOf("ws", "unix"),
  auth: new Variant<RealAppServerAuth>({
    token: { token: needed(is.text) },
    secret: {
      secret: needed(is.text),
      issuer: is.text,
      audience: is.text,
      maxClockSkewSeconds: is.finite,
    },
  }),
};

/**
 * Prepares a CODEX_HOME, HOME, temp folder and workspace for a real `codex app-server` that uses the given model.
 *
 * Without `listen`, it starts no process: a client starts the server with `clientOptions`. With `listen`, it starts the
 * server, and any number of clients connect to the server with `clientOptions`. Dispose the clients before this object
 * (declare them after it), so that nothing is left behind. The caller's login, configuration, proxies and shell profile
 * are not visible, and nothing outside the workspace is writable from the `workspace-write` sandbox.
 */
export function realAppServer(options: ListeningAppServerOptions): Promise<ListeningAppServer>;
export function realAppServer(options: RealAppServerOptions): Promise<RealAppServer>;
export async function realAppServer(
  options: RealAppServerOptions & Partial<ListeningAppServerOptions>,
): Promise<RealAppServer | ListeningAppServer> {
  checkOptions("realAppServer()", options, OPTIONS);
  const world = await makeWorld(options);
  const { listen, auth } = options;
  if (listen === undefined) return world;
  try {
    return await startListening(world, listen, auth);
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

async function makeWorld(options: RealAppServerOptions): Promise<RealAppServer> {
  // CODEX_PATH names a binary, not a set-up, so it also applies inside the world.
  const { model, codexPath = process.env["CODEX_PATH"], approvalPolicy, sandbox, config = "" } = options;
  if (typeof model?.baseUrl !== "string")
    throw new InvalidArgumentError("model must be a running scripted model: await scriptedModel(…)");
  // Codex reports real paths, and on macOS the temp folder is a link.
  const root = await limited("making the folders of a server", async () =>
    mkdtemp(join(await realpath(tmpdir()), "codexwright-")),
  );
  const folder = (name: string): string => join(root, name);
  const [codexHome, home, workspace, tmp] = [
    folder("codex-home"),
    folder("home"),
    folder("workspace"),
    folder("tmp"),
  ];
  try {
    await Promise.all([codexHome, home, workspace, tmp].map((path) => mkdir(path)));
    await writeFile(join(codexHome, "config.toml"), serverConfig(model.baseUrl, config));
  } catch (error) {
    await removeTree(root).catch(() => {}); // report the first failure
    throw resourceExhausted("making the folders of a server", error) ?? error;
  }
  let removed: Promise<void> | undefined;
  const close = (): Promise<void> => (removed ??= remove(root));
  return {
    root,
    codexHome,
    home,
    workspace,
    clientOptions: {
      ...(codexPath === undefined ? {} : { codexPath }),
      codexHome,
      cwd: workspace,
      env: environment({ codexHome, home, tmp, baseUrl: model.baseUrl }),
      startupTimeoutMs: STARTUP_TIMEOUT_MS,
      ...(approvalPolicy === undefined ? {} : { approvalPolicy }),
      ...(sandbox === undefined ? {} : { sandbox }),
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const STARTUP_TIMEOUT_MS = 60_000;

/**
 * Variables of the caller that are removed: those of Codex, its logs, shell start-up files, proxies, and a git
 * repository (set inside a git hook).
 */
const FOREIGN =
  /^((CODEX|OPENAI|XDG|RUST)_.*|GIT_(DIR|WORK_TREE|INDEX_FILE|CONFIG.*)|(HTTPS?|ALL|NO)_PROXY|LOG_FORMAT|BASH_ENV|ENV|ZDOTDIR)$/i;

function environment(world: {
  readonly codexHome: string;
  readonly home: string;
  readonly tmp: string;
  readonly baseUrl: string;
}): Record<string, string | undefined> {
  const { codexHome, home, tmp, baseUrl } = world;
  const env: Record<string, string | undefined> = { OPENAI_API_KEY: undefined, CODEX_API_KEY: undefined };
  for (const name of Object.keys(process.env)) if (FOREIGN.test(name)) env[name] = undefined;
  return {
    ...env,
    CODEX_HOME: codexHome,
    HOME: home,
    USERPROFILE: home,
    // Codex rejects a CODEX_HOME inside the temp folder, but accepts one beside it.
    TMPDIR: tmp,
    TEMP: tmp,
    TMP: tmp,
    // Old servers (0.98, 0.100) ask the default provider for its models, and without a network wait 3 s for
    // it.
    OPENAI_BASE_URL: baseUrl,
  };
}

/** Removes a folder after the processes that write to it have ended. */
async function remove(root: string): Promise<void> {
  await worldEnded(root);
  for (let attempt = 1; ; attempt++) {
    try {
      await removeTree(root);
      if (!(await exists(root))) return;
    } catch (error) {
      if (attempt === 100) throw error;
    }
    if (attempt === 100) throw new Error(`a process keeps writing to ${root}`);
    await delay(20);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
