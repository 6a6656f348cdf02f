import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, rename, rm, type FileHandle } from "node:fs/promises";
import path from "node:path";

/** The address and the token of a fleet that runs, for other programs of its user. */
export interface Endpoint {
  readonly url: string;
  /** The process that serves. */
  readonly pid: number;
  readonly token: string;
}

const ENDPOINT = "endpoint.json";
const TOKEN = "token";
const MOST_BYTES = 64 * 1024;

/**
 * Writes a new token to the state folder, and returns it. Each start has its own: a program that got the port of a
 * fleet that was killed may have received the old one.
 */
export async function newToken(stateFolder: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await replace(path.join(stateFolder, TOKEN), `${token}\n`);
  return token;
}

/** Publishes the address of a server that listens. */
export async function publishEndpoint(stateFolder: string, url: string): Promise<void> {
  await replace(path.join(stateFolder, ENDPOINT), `${JSON.stringify({ url, pid: process.pid })}\n`);
}

export async function withdrawEndpoint(stateFolder: string): Promise<void> {
  await rm(path.join(stateFolder, ENDPOINT), { force: true });
}

/**
 * Reads the address and the token of a fleet. Resolves to undefined if there are none, and also if another user could
 * have written them: orders and tokens must not go to an address that another user chose.
 */
export async function readEndpoint(stateFolder: string): Promise<Endpoint | undefined> {
  const [text, token] = await Promise.all([
    readOwn(path.join(stateFolder, ENDPOINT)),
    readOwn(path.join(stateFolder, TOKEN)),
  ]);
  if (text === undefined || token === undefined) return undefined;
  const { url, pid } = parse(text);
  if (typeof url !== "string" || typeof pid !== "number" || !URL.canParse(url)) return undefined;
  if (!Number.isSafeInteger(pid) || pid < 1 || new URL(url).protocol !== "http:") return undefined;
  return { url: reachable(url), pid, token: token.trim() };
}

function parse(text: string): { readonly url?: unknown; readonly pid?: unknown } {
  try {
    return (JSON.parse(text) as { url?: unknown; pid?: unknown } | null) ?? {};
  } catch {
    return {};
  }
}

/** A server that listens on all addresses is reached on loopback. */
function reachable(url: string): string {
  const made = new URL(url);
  if (made.hostname === "0.0.0.0") made.hostname = "127.0.0.1";
  if (made.hostname === "[::]") made.hostname = "[::1]";
  return made.origin;
}

/** Writes a file that only its user can read, in one step. */
async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function readOwn(file: string): Promise<string | undefined> {
  let handle: FileHandle;
  try {
    // Without waiting for the writer of a FIFO, and without following a link.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const facts = await handle.stat();
    const isOwn = process.getuid === undefined || facts.uid === process.getuid();
    const isPrivate = process.platform === "win32" || (facts.mode & 0o022) === 0;
    if (!facts.isFile() || !isOwn || !isPrivate || facts.size > MOST_BYTES) return undefined;
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}
