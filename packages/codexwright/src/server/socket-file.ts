import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, link, lstat, rename, rm } from "node:fs/promises";
import { connect, type Server } from "node:net";
import path from "node:path";
import { ListenError } from "./errors.ts";

/**
 * Listens on a socket file that only its owner can use. Returns a function that removes the file; call it while the
 * server is still listening.
 *
 * When the server ends, the runtime removes the name that the server was bound to, even if another server owns that
 * name by then. So the server binds a random name, and the file becomes a second link to the same socket. The random
 * name is then removed immediately.
 */
export async function listenOnFile(server: Server, file: string): Promise<() => Promise<void>> {
  await makeWay(file);
  const own = nameBeside(file);
  const listening = once(server, "listening");
  // `listen` creates the file. The file must never be accessible to other users, not even for a moment.
  const mask = restrict();
  try {
    server.listen(own);
  } finally {
    if (mask !== undefined) process.umask(mask);
  }
  await listening;
  try {
    await chmod(own, 0o600);
    const { dev, ino } = await lstat(own);
    await giveName(own, file);
    return async () => {
      const now = await lstat(file).catch(() => undefined);
      // Another process may have deleted the file, and another server may now use its name. Remove the file only if it
      // is still ours.
      if (now?.dev === dev && now.ino === ino) await rm(file, { force: true });
    };
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/**
 * Creates the file as a link to the socket, without replacing the file of another server. If the file system does not
 * support links, renames the socket instead.
 */
async function giveName(own: string, file: string): Promise<void> {
  try {
    await link(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    await rename(own, file);
  }
}

/**
 * Returns a random name next to the file. The name is not longer than that of the file, because systems limit socket
 * paths to about a hundred bytes.
 */
function nameBeside(file: string): string {
  const { dir, base } = path.parse(file);
  return path.join(dir, randomBytes(16).toString("hex").slice(0, Math.max(base.length, 8)));
}

/** Removes a socket file that no server uses. Throws if the file is anything else. */
async function makeWay(file: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (!found) return;
  const url = `unix://${file}`;
  if (!found.isSocket()) throw new ListenError(url, "the file exists and is not a socket");
  if (await isLive(file)) throw new ListenError(url, "another server is listening on it");
  await rm(file, { force: true });
}

async function isLive(file: string): Promise<boolean> {
  const socket = connect(file);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    // Only these codes mean that no server is listening. Other errors may come from a live socket of another user.
    return !["ECONNREFUSED", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "");
  } finally {
    socket.destroy();
  }
}

/** Restricts the access to new files. Worker threads cannot set a umask; there, the mode is set afterwards. */
function restrict(): number | undefined {
  try {
    return process.umask(0o177);
  } catch {
    return undefined;
  }
}
