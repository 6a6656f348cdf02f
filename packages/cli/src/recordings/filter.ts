import type { Row } from "./timeline.ts";

/** Which rows to show; all that is given must hold. */
export interface RowFilter {
  /** A part of the method's name; several are alternatives. */
  readonly method?: readonly string[];
  readonly kind?: readonly string[];
  /** A thread's id or its beginning. */
  readonly thread?: string;
  /** Only what failed or was never answered. */
  readonly errors?: boolean;
}

export function isWanted(row: Row, { method, kind, thread, errors }: RowFilter): boolean {
  if (errors && !row.failed) return false;
  if (kind && !kind.includes(row.kind)) return false;
  if (thread !== undefined && row.threadId?.startsWith(thread) !== true) return false;
  return method === undefined || method.some((part) => row.method.includes(part));
}
