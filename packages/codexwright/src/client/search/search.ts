import type { FuzzyFileSearchResult } from "../../protocol/index.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import type { CallOptions } from "../requester.ts";
import type { ServiceHost } from "../service-host.ts";

export interface SearchOptions extends CallOptions {
  /** The folders to look in, absolute. */
  readonly roots: readonly string[];
  /** A search with the same token ends the one before it, at the server. */
  readonly cancellationToken?: string | undefined;
}

/** The files and folders whose path resembles the query, best first. An empty query matches nothing. */
export async function searchFiles(
  { request }: ServiceHost,
  query: string,
  { roots, cancellationToken, signal, timeoutMs }: SearchOptions,
): Promise<FuzzyFileSearchResult[]> {
  const params = {
    query,
    roots: checkRoots(roots),
    ...(cancellationToken !== undefined && { cancellationToken }),
  };
  return (await request("fuzzyFileSearch", params, { signal, timeoutMs })).files;
}

export function checkRoots(roots: readonly string[]): string[] {
  if (roots.length === 0) throw new InvalidArgumentError("roots is empty: give the folders to look in");
  return [...roots];
}
