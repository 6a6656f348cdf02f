import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, rename, unlink } from "node:fs/promises";
import path from "node:path";
import type { QueuedSubmission, UserInput } from "codexwright/protocol";
import { parseRecordJson } from "../core/depth.ts";
import { isObject, listOr } from "../core/records/rollout-record.ts";
import { openRegular } from "./rollout-lines.ts";

/** A larger file is not read. The text of one submission has at most a million characters; images are larger. */
const LARGEST = 256 * 1024 * 1024;

/** Codex keeps queues in a database that Node 20 cannot open, so we keep them in files of our own. */
function queueFile(home: string, id: string): string {
  return path.join(home, "codexwright", "queues", `${id}.json`);
}

/** Reads the queue of a thread. Leaves out entries that are not submissions. */
export async function readQueue(home: string, id: string): Promise<readonly QueuedSubmission[]> {
  const handle = await openRegular(queueFile(home, id)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (!handle) return [];
  try {
    const { size } = await handle.stat();
    if (size > LARGEST) throw Object.assign(new Error("the queue is too large"), { code: "EFBIG" });
    return listOr(parsed(await handle.readFile("utf8"))).flatMap((each) => submission(each));
  } finally {
    await handle.close();
  }
}

/** Replaces the queue of a thread, so that a crash leaves the old or the new one. */
export async function writeQueue(
  home: string,
  id: string,
  queue: readonly QueuedSubmission[],
): Promise<void> {
  const file = queueFile(home, id);
  if (queue.length === 0) return await removed(file);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${randomUUID()}`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const handle = await openRegular(next, flags, 0o600);
  try {
    try {
      await handle.writeFile(JSON.stringify(queue));
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(next, file);
  } catch (error) {
    await unlink(next).catch(() => {});
    throw error;
  }
  await synced(path.dirname(file));
}

async function removed(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return;
    throw error;
  }
  await synced(path.dirname(file));
}

/** Makes a change of a folder durable, if the system can. */
async function synced(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY).catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function parsed(text: string): unknown {
  try {
    return parseRecordJson(text);
  } catch {
    // A file that does not parse says nothing.
    return undefined;
  }
}

function submission(value: unknown): QueuedSubmission[] {
  if (!isObject(value)) return [];
  const { id, clientUserMessageId, input } = value;
  if (typeof id !== "string" || typeof clientUserMessageId !== "string") return [];
  const parts = listOr(input).filter((part) => isPart(part));
  return parts.length > 0 ? [{ id, input: parts, clientUserMessageId }] : [];
}

/** Checks only what the engine itself reads. */
function isPart(value: unknown): value is UserInput {
  if (!isObject(value) || typeof value["type"] !== "string") return false;
  return value["type"] !== "text" || typeof value["text"] === "string";
}
