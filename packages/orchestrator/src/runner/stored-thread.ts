import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";

/** The thread of an issue's last run, with the settings that a run must share to resume it. */
export interface StoredThread {
  readonly threadId: string;
  readonly key: string;
}

const NAME = "thread.json";

/** Returns the stored thread. undefined if there is none, or if the file is damaged: a new thread is then started. */
export async function readThread(folder: string): Promise<StoredThread | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(folder, NAME), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { threadId, key } = JSON.parse(text) as Partial<StoredThread>;
    return typeof threadId === "string" && typeof key === "string" ? { threadId, key } : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the thread. A crash leaves the old or the new file. */
export async function writeThread(folder: string, thread: StoredThread): Promise<void> {
  const file = path.join(folder, NAME);
  const temporary = `${file}.new`;
  await writeFile(temporary, JSON.stringify(thread), { mode: 0o600 });
  await rename(temporary, file);
}
