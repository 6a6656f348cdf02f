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
  /** The model Codex is to ask: a running `scriptedModel`, or anything with a Responses API at `baseUrl`. */
  readonly model: { readonly baseUrl: string };
  /** The Codex executable; default: CODEX_PATH, else the client looks for one. */
  readonly codexPath?: string;
  readonly approvalPolicy?: "untrusted" | "on-request" | "on-failure" | "never";
  readonly sandbox?: "read-only" | "workspace-write" | "danger-full-access";
  /** More TOML for config.toml. Its keys win over ours. A table of ours is written as `[name]`, not with dotted keys. */
  readonly config?: string;
}

/** Options of {@link realAppServer} for a server that listens on a socket. */
export interface ListeningAppServerOptions extends RealAppServerOptions {
  /** A websocket on a free port of loopback, or a unix socket. Codex 0.100, or 0.130, or newer. */
  readonly listen: "ws" | "unix";
  /** What clients of a websocket must show. */
  readonly auth?: RealAppServerAuth;
}

/** What a `CodexClient` needs to start its server in this world; plain data. */
export interface RealAppServerClientOptions {
  readonly codexPath?: string;
  readonly codexHome: string;
  readonly cwd: string;
  /** Laid over the environment of the process; `undefined` takes a variable away. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Longer than a user would wait: a test must not fail because the machine is loaded. */
  readonly startupTimeoutMs: number;
  readonly approvalPolicy?: NonNullable<RealAppServerOptions["approvalPolicy"]>;
  readonly sandbox?: NonNullable<RealAppServerOptions["sandbox"]>;
}

/** A world of its own for a real `codex app-server`. Made by {@link realAppServer}. */
export interface RealAppServer extends AsyncDisposable {
  /** The folder that holds all the others; removed on disposal. */
  readonly root: string;
  readonly codexHome: string;
  /** HOME of the server and of the commands it runs. */
  readonly home: string;
  readonly workspace: string;
  readonly clientOptions: RealAppServerClientOptions;
  /** Removes its folders, after the end of the server if it runs. */
  close(): Promise<void>;
}

/** A real `codex app-server` that runs and listens on a socket, in a world of its own; disposal ends it. */
export interface ListeningAppServer extends Omit<RealAppServer, "clientOptions"> {
  /** `ws://127.0.0.1:PORT` or `unix://PATH`. */
  readonly url: string;
  readonly pid: number;
  readonly clientOptions: {
    /** Shows the server's capability token, where it has one. */
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
 * Prepares a CODEX_HOME, HOME, temp folder and workspace for a real `codex app-server` that asks the given model.
 *
 * It starts no process: the client does, with `clientOptions`. With `listen` it does, and clients connect to it with
 * `clientOptions`, as many as there are. Dispose the clients first (declare them after this one), then nothing is
 * left behind. The caller's login, configuration, proxies and shell profile are not seen, and outside
 * the workspace nothing is writable from the `workspace-write` sandbox.
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
  // CODEX_PATH names a binary, not a set-up: it holds inside the world as well.
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
    await removeTree(root).catch(() => {}); // the first failure counts
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

/** The caller's Codex, its logs, its shell start-up files and its git repository (inside a hook) stay out. */
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
    // Codex refuses a CODEX_HOME inside the temp folder; one beside it is fine.
    TMPDIR: tmp,
    TEMP: tmp,
    TMP: tmp,
    // Old servers (0.98, 0.100) ask the default provider for its models, and without network wait 3 s for it.
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
    if (attempt === 100) throw new Error(`something keeps writing to ${root}`);
    await delay(20);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
