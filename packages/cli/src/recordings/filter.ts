import type { Row } from "./timeline.ts";

/** Which rows to show. A row must match all the fields that are set. */
export interface RowFilter {
  /** The method's name must contain at least one of these texts. */
  readonly method?: readonly string[];
  readonly kind?: readonly string[];
  /** A thread's id, or the first characters of it. */
  readonly thread?: string;
  /** If true, only rows that failed or have no answer. */
  readonly errors?: boolean;
}

export function isWanted(row: Row, { method, kind, thread, errors }: RowFilter): boolean {
  if (errors && !row.failed) return false;
  if (kind && !kind.includes(row.kind)) return false;
  if (thread !== undefined && row.threadId?.startsWith(thread) !== true) return false;
  return method === undefined || method.some((part) => row.method.includes(part));
}
