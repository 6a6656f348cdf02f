import { lstatSync } from "node:fs";
import { chmod, lstat, rm } from "node:fs/promises";
import { connect, type Server } from "node:net";
import { once } from "node:events";
import { ListenError } from "./errors.ts";

/** Listens on a socket file that only its owner can use; returns how to remove it. */
export async function listenOnFile(server: Server, file: string): Promise<() => Promise<void>> {
  await makeWay(file);
  const listening = once(server, "listening");
  // The file must not be open to others even for a moment; it is made inside the call.
  const mask = restrict();
  try {
    server.listen(file);
  } finally {
    if (mask !== undefined) process.umask(mask);
  }
  await listening;
  await chmod(file, 0o600);
  const { ino } = lstatSync(file);
  return async () => {
    const now = await lstat(file).catch(() => undefined);
    // Another server may have taken the place.
    if (now?.ino === ino) await rm(file, { force: true });
  };
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
