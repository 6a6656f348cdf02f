import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, link, lstat, rename, rm } from "node:fs/promises";
import { connect, type Server } from "node:net";
import path from "node:path";
import { ListenError } from "./errors.ts";

/**
 * Listens on a socket file that only its owner can use; returns how to remove it, which is to be called while the
 * server still listens.
 *
 * The runtime removes the name it has bound when the server ends, whoever has that name by then. So it binds a name
 * of our own, which is gone again before anybody can have taken it, and the file is a second name for the same socket.
 */
export async function listenOnFile(server: Server, file: string): Promise<() => Promise<void>> {
  await makeWay(file);
  const own = nameBeside(file);
  const listening = once(server, "listening");
  // The file must not be open to others even for a moment; it is made inside the call.
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
      // Somebody may have deleted it, and another server may have taken the place.
      if (now?.dev === dev && now.ino === ino) await rm(file, { force: true });
    };
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/** Not over another server's; but not every file system has files with two names. */
async function giveName(own: string, file: string): Promise<void> {
  try {
    await link(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    await rename(own, file);
  }
}

/** No longer than the file's own: the system limits the path of a socket to about a hundred bytes. */
function nameBeside(file: string): string {
  const { dir, base } = path.parse(file);
  return path.join(dir, randomBytes(16).toString("hex").slice(0, Math.max(base.length, 8)));
}

/** Removes a socket that nobody listens on; anything else stays, and is in the way. */
async function makeWay(file: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (!found) return;
  const url = `unix://${file}`;
  if (!found.isSocket()) throw new ListenError(url, "the file exists and is not a socket");
  if (await isLive(file)) throw new ListenError(url, "another server listens there");
  await rm(file, { force: true });
}

async function isLive(file: string): Promise<boolean> {
  const socket = connect(file);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    // Only these say that nobody is there: a socket of another user's, say, is in the way all the same.
    return !["ECONNREFUSED", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "");
  } finally {
    socket.destroy();
  }
}

/** Worker threads cannot; there the mode is set after. */
function restrict(): number | undefined {
  try {
    return process.umask(0o177);
  } catch {
    return undefined;
  }
}
