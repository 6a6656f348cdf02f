import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { TransportFactory } from "codexwright/rpc";
import { startCodex } from "codexwright/internal/node";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import type { ListeningAppServer, RealAppServer } from "./real-app-server.ts";

/**
 * How clients of a listening server authenticate: with a capability token, or with a token signed with a
 * secret.
 */
export type RealAppServerAuth =
  | { readonly token: string }
  | {
      /** At least 32 bytes. */
      readonly secret: string;
      readonly issuer?: string;
      readonly audience?: string;
      readonly maxClockSkewSeconds?: number;
    };

/** Starts a listening server in this world. It ends when the world is disposed, or with our process. */
export async function startListening(
  world: RealAppServer,
  listen: "ws" | "unix",
  auth: RealAppServerAuth | undefined,
): Promise<ListeningAppServer> {
  const { codexPath, codexHome, cwd, env, ...defaults } = world.clientOptions;
  const socket = path.join(world.root, "app-server.sock");
  const address = listen === "unix" ? `unix://${socket}` : "ws://127.0.0.1:0";
  const flags = ["--listen", address, ...(await authFlags(world.root, auth))];
  // A listening server does not notice when we are killed. The guard ends it immediately, and removes its
  // folders.
  const { child, guard } = await startCodex({ codexPath, codexHome, env }, cwd, flags, {
    looks: 0,
    folder: world.root,
  });
  const stop = (): void => killGroup(child);
  process.once("exit", stop);
  const end = async (): Promise<void> => {
    process.removeListener("exit", stop);
    stop();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    await guard.end();
  };
  try {
    const url = await listening(child, listen, socket);
    const close = async (): Promise<void> => {
      await end();
      await world.close();
    };
    return {
      ...world,
      url,
      pid: child.pid as number,
      clientOptions: { transport: transportTo(url, socket, cwd, auth), cwd, ...defaults },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Resolves with the address as soon as the server listens. */
async function listening(
  child: ChildProcessWithoutNullStreams,
  listen: "ws" | "unix",
  socket: string,
): Promise<string> {
  let said = "";
  child.stdout.resume();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (said.length < 100_000) said += text;
  });
  for (;;) {
    const url = listen === "ws" ? /listening on: (ws:\/\/\S+)/.exec(said)?.[1] : `unix://${socket}`;
    if (url && (listen === "ws" || existsSync(socket))) return url;
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the app-server did not listen: ${said.slice(-2_000)}`);
    }
    await delay(5);
  }
}

async function authFlags(root: string, auth: RealAppServerAuth | undefined): Promise<string[]> {
  if (!auth) return [];
  const file = path.join(root, "ws-secret");
  await writeFile(file, "token" in auth ? auth.token : auth.secret, { mode: 0o600 });
  if ("token" in auth) return ["--ws-auth", "capability-token", "--ws-token-file", file];
  const { issuer, audience, maxClockSkewSeconds } = auth;
  return [
    "--ws-auth",
    "signed-bearer-token",
    "--ws-shared-secret-file",
    file,
    ...(issuer === undefined ? [] : ["--ws-issuer", issuer]),
    ...(audience === undefined ? [] : ["--ws-audience", audience]),
    ...(maxClockSkewSeconds === undefined ? [] : ["--ws-max-clock-skew-seconds", `${maxClockSkewSeconds}`]),
  ];
}

function transportTo(
  url: string,
  socket: string,
  cwd: string,
  auth: RealAppServerAuth | undefined,
): TransportFactory {
  const token = auth && "token" in auth ? auth.token : undefined;
  const factory = url.startsWith("unix:") ? unixSocket(socket) : websocket(url, { token });
  // The client need not set the folder that the server runs in.
  return Object.assign(factory, { cwd });
}

/**
 * Kills the processes without waiting for a clean exit: everything that they write is in a folder that will be removed.
 */
function killGroup(child: ChildProcessWithoutNullStreams): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-pid, "SIGKILL");
  } catch {
    // The process has ended.
  }
}
