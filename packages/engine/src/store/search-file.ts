import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { openRegular } from "./rollout-lines.ts";

/** A larger file is read line by line. */
const LARGEST = 8 * 1024 * 1024;
/** A file up to this size is read synchronously: threads of the pool would take many times as long. */
const SMALL = 64 * 1024;
/** Words that look the same in JSON. */
const PLAIN = /^[\w .,:;()-]+$/;

/**
 * Whether a rollout file may contain a text in lower case. A search looks at all files, and parsing one takes far longer
 * than this. Returns true if only the parsed file can tell: if the file continues another one, or if its writer or the
 * text needs escapes in JSON.
 */
export async function mayContain(file: string, term: string): Promise<boolean> {
  if (!PLAIN.test(term)) return true;
  const small = smallText(file);
  if (small !== undefined) return suits(small, term);
  const handle = await openRegular(file);
  try {
    if ((await handle.stat()).size > LARGEST) return true;
    return suits(await handle.readFile("utf8"), term);
  } finally {
    await handle.close();
  }
}

function suits(text: string, term: string): boolean {
  return text.toLowerCase().includes(term) || text.includes('"history_base"') || text.includes("\\u");
}

/** The text of a small regular file. undefined if it is another file, or if it changes while it is read. */
function smallText(file: string): string | undefined {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const info = fstatSync(descriptor);
    if (!info.isFile() || info.size > SMALL) return undefined;
    const bytes = Buffer.allocUnsafe(info.size);
    if (readSync(descriptor, bytes, 0, info.size, 0) < info.size) return undefined;
    return bytes.toString("utf8");
  } finally {
    closeSync(descriptor);
  }
}
