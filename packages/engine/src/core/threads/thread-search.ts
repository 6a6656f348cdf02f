import type { ThreadSearchParams, ThreadSearchResponse } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { describe } from "./loaded-thread.ts";
import { backwardsFrom, forwardsFrom, listThreads } from "./thread-list.ts";
import type { ThreadsHost } from "./threads-host.ts";

/** How much text a result shows before and after the match. */
const AROUND = 60;
/** How many threads one page looks through. Its cursor continues after them. */
const MOST_THREADS = 10_000;
/** How many threads are looked through at the same time. */
const AT_ONCE = 16;

/** Finds threads by a text in their name, input or answers, and shows the text around the match. */
export async function searchThreads(
  host: ThreadsHost,
  params: ThreadSearchParams,
): Promise<ThreadSearchResponse> {
  const term = params.searchTerm.trim().toLowerCase();
  if (term === "") throw new ResponseError(-32600, "searchTerm must not be empty");
  const { searchTerm: _, limit, ...rest } = params;
  const most = Math.max(1, limit ?? 25);
  const { records, nextCursor } = await listThreads(host, { ...rest, limit: MOST_THREADS });
  const data: ThreadSearchResponse["data"] = [];
  let backwardsCursor: string | null = null;
  let snippets: readonly (string | undefined)[] = [];
  for (const [at, info] of records.entries()) {
    if (at % AT_ONCE === 0) {
      const some = records.slice(at, at + AT_ONCE);
      snippets = await Promise.all(some.map(({ id, name }) => found(host, id, name, term)));
    }
    const snippet = snippets[at % AT_ONCE];
    if (snippet === undefined) continue;
    data.push({ thread: describe(host, info, host.loaded.get(info.id), true), snippet });
    backwardsCursor ??= backwardsFrom(info, rest);
    if (data.length === most && at < records.length - 1)
      return { data, backwardsCursor, nextCursor: forwardsFrom(info, rest) };
  }
  return { data, backwardsCursor, nextCursor };
}

async function found(
  host: ThreadsHost,
  id: string,
  name: string | null,
  term: string,
): Promise<string | undefined> {
  const named = name === null ? undefined : around(name, term);
  if (named !== undefined) return named;
  for await (const text of host.store.texts(id, term)) {
    const snippet = around(text, term);
    if (snippet !== undefined) return snippet;
  }
  return undefined;
}

function around(text: string, term: string): string | undefined {
  const at = text.toLowerCase().indexOf(term);
  if (at === -1) return undefined;
  const from = Math.max(0, at - AROUND);
  const to = at + term.length + AROUND;
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}
