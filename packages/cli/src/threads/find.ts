import type { CodexClient } from "codexwright";
import type { Thread } from "codexwright/protocol";
import { CommandError, EXIT, usageError } from "../shared/command-error.ts";

const ID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** The maximum number of threads to search for a name or the first characters of an id. */
const MOST_THREADS = 10_000;

/** The maximum number of threads that an error lists. */
const CANDIDATES = 10;

const SEE_LIST = "Run `codexwright threads list` to see the threads.";

/**
 * Returns the id of the thread that the user means by an id, the first characters of an id, or a name.
 * Archived threads are found, too. Rejects with `ambiguous_thread` if several threads match, and lists them.
 */
export async function findThread(codex: CodexClient, reference: string): Promise<string> {
  if (ID.test(reference)) return reference.toLowerCase();
  if (reference.trim() === "")
    throw usageError("missing thread: use its id, the first characters of the id, or its name");
  const found = await matches(codex, reference);
  const [first, second] = found;
  if (first === undefined) {
    const message = `no thread has the name ${quoted(reference)} or an id that starts with it`;
    throw new CommandError("thread_not_found", EXIT.notFound, message, [SEE_LIST]);
  }
  if (second === undefined) return first.id;
  const message = `${quoted(reference)} matches ${found.length} threads: use more characters of the id`;
  const listed = found.slice(0, CANDIDATES).map(({ id, name, preview }) => `${id}  ${line(name ?? preview)}`);
  const more = found.length > CANDIDATES ? [`… ${found.length - CANDIDATES} more`] : [];
  throw new CommandError("ambiguous_thread", EXIT.usage, message, [...listed, ...more]);
}

/** Returns the id of the thread that was used last in a folder. */
export async function lastThread(codex: CodexClient, cwd: string): Promise<string> {
  const { data } = await codex.listThreads({ limit: 1, sortKey: "updated_at", cwd });
  const [last] = data;
  if (last) return last.id;
  throw new CommandError("thread_not_found", EXIT.notFound, `no thread was used in ${cwd}`, [SEE_LIST]);
}

async function matches(codex: CodexClient, reference: string): Promise<readonly Thread[]> {
  const begin = reference.toLowerCase();
  const found = new Map<string, Thread>();
  let seen = 0;
  for (const archived of [false, true]) {
    for await (const thread of codex.threads({ archived, limit: 100 })) {
      if (++seen > MOST_THREADS) {
        throw usageError(`there are more than ${MOST_THREADS} threads: use the whole id`);
      }
      if (thread.id.startsWith(begin) || thread.name === reference) found.set(thread.id, thread);
    }
  }
  return [...found.values()];
}

function quoted(reference: string): string {
  return JSON.stringify(reference.length > 60 ? `${reference.slice(0, 60)}…` : reference);
}

function line(text: string): string {
  const [first = ""] = text.split("\n");
  return first.length > 60 ? `${first.slice(0, 60)}…` : first;
}
