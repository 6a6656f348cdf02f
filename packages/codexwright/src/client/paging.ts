/** Everything that a paged list holds, page by page as it is asked for; an entry that comes twice is given once. */
export async function* pages<T>(
  next: (cursor: string | null) => Promise<{ data: readonly T[]; nextCursor?: string | null }>,
  idOf: (entry: T) => string,
): AsyncGenerator<T, undefined> {
  const seen = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: { data: readonly T[]; nextCursor?: string | null } = await next(cursor);
    for (const entry of page.data) {
      const id = idOf(entry);
      if (seen.has(id)) continue;
      seen.add(id);
      yield entry;
    }
    cursor = page.nextCursor ?? null;
  } while (cursor !== null);
  return undefined;
}
