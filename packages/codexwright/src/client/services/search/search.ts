import type { FuzzyFileSearchResult } from "../../../protocol/index.ts";
import { InvalidArgumentError } from "../../../rpc/errors.ts";
import { CALL_OPTIONS, type CallOptions } from "../../connection/requester.ts";
import type { ServiceHost } from "../service-host.ts";
import * as is from "../../../rpc/options/check.ts";
import { checkOptions, needed, type Table } from "../../../rpc/options/table.ts";

export interface SearchOptions extends CallOptions {
  /** Absolute paths of the folders to search. */
  readonly roots: readonly string[];
  /** A search with the same token cancels the previous one on the server. */
  readonly cancellationToken?: string | undefined;
}

const OPTIONS: Table<SearchOptions> = {
  ...CALL_OPTIONS,
  roots: needed(is.listOf(is.text)),
  cancellationToken: is.text,
};

/** Returns the files and folders whose path resembles the query, best match first. An empty query matches nothing. */
export async function searchFiles(
  { request }: ServiceHost,
  query: string,
  options: SearchOptions,
): Promise<FuzzyFileSearchResult[]> {
  is.checkArgument("search()", "query", query, is.text);
  checkOptions("search()", options, OPTIONS);
  const { roots, cancellationToken, signal, timeoutMs } = options;
  const params = {
    query,
    roots: checkRoots(roots),
    ...(cancellationToken !== undefined && { cancellationToken }),
  };
  return (await request("fuzzyFileSearch", params, { signal, timeoutMs })).files;
}

export function checkRoots(roots: readonly string[]): string[] {
  if (roots.length === 0) throw new InvalidArgumentError("roots must contain at least one folder to search");
  return [...roots];
}
