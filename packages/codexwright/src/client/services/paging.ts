import { UnexpectedAnswerError } from "../../rpc/errors.ts";

/** Pages in a row that may bring nothing new: a server whose pages never end must not keep its client busy. */
const EMPTY_PAGES = 100;

/** Everything that a paged list holds, page by page as it is asked for; an entry that comes twice is given once. */
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
      throw new UnexpectedAnswerError(method, `${EMPTY_PAGES} pages in a row brought nothing new`);
    }
  } while (cursor !== null);
  return undefined;
}
