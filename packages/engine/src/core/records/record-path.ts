import type { Paths } from "../ports.ts";
import type { ThreadInfo } from "./record.ts";

/** The path at which the real server keeps a thread's history, below its home folder. */
export function pathOf(paths: Pick<Paths, "join">, codexHome: string, record: ThreadInfo): string {
  const time = new Date(record.createdAtMs).toISOString().slice(0, 19);
  const branch = record.branch === null ? "" : `_${record.branch}`;
  const file = `rollout-${time.replaceAll(":", "-")}-${record.id}${branch}.jsonl`;
  if (record.archived) return paths.join(codexHome, "archived_sessions", file);
  return paths.join(codexHome, "sessions", ...time.slice(0, 10).split("-"), file);
}
