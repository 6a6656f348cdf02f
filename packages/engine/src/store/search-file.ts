import { openRegular } from "./rollout-lines.ts";

/** A larger file is read line by line. */
const LARGEST = 8 * 1024 * 1024;
/** Words that look the same in JSON. */
const PLAIN = /^[\w .,:;()-]+$/;

/**
 * Whether a rollout file may contain a text in lower case. A search looks at all files, and parsing one takes far longer
 * than this. Returns true if only the parsed file can tell: if the file continues another one, or if its writer or the
 * text needs escapes in JSON.
 */
export async function mayContain(file: string, term: string): Promise<boolean> {
  if (!PLAIN.test(term)) return true;
  const handle = await openRegular(file);
  try {
    if ((await handle.stat()).size > LARGEST) return true;
    const text = await handle.readFile("utf8");
    return text.toLowerCase().includes(term) || text.includes('"history_base"') || text.includes("\\u");
  } finally {
    await handle.close();
  }
}
