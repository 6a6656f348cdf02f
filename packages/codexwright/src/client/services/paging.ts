import { UnexpectedAnswerError } from "../../rpc/errors.ts";

/**
 * Maximum number of consecutive pages without a new entry: a server that sends pages without end must not keep the
 * client busy.
 */
const EMPTY_PAGES = 100;

/**
 * Yields all entries of a paged list and requests pages as needed. An entry that the server sends twice is yielded
 * once.
 */
export async function* pages<T>(
  method: string,
  next: (cursor: string | null) => Promise<{ data: readonly T[]; nextCursor?: string | null }>,
  idOf: (entry: T) => string,
): AsyncGenerator<T, undefined> {
  const seen = new Set<string>();
  let cursor: string | null = null;
  let empty = 0;
  do {
    const page: { data: readonly T[]; nextCursor?: string | null } = await next(cursor);
    empty++;
    for (const entry of page.data) {
      const id = idOf(entry);
      if (seen.has(id)) continue;
      seen.add(id);
      empty = 0;
      yield entry;
    }
    cursor = page.nextCursor ?? null;
    if (empty > EMPTY_PAGES) {
      throw new UnexpectedAnswerError(method, `${EMPTY_PAGES} pages in a row contained nothing new`);
    }
  } while (cursor !== null);
  return undefined;
}
