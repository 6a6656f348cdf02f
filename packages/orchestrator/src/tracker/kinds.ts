import { TrackerError } from "../domain/errors.ts";
import type { TrackerKind } from "../domain/tracker.ts";
import { folderKind } from "./folder/kind.ts";
import { memoryKind } from "./memory/kind.ts";

/** The adapters of this package. */
export const TRACKER_KINDS: readonly TrackerKind[] = [folderKind, memoryKind];

/**
 * Returns the adapter for `tracker.kind`. A program may add adapters of its own, which come before ours. Throws
 * `unsupported_tracker_kind`.
 */
export function trackerKind(kind: string, own: readonly TrackerKind[] = []): TrackerKind {
  const kinds = [...own, ...TRACKER_KINDS];
  const found = kinds.find(({ profile }) => profile.kind === kind);
  if (found) return found;
  const known = [...new Set(kinds.map(({ profile }) => profile.kind))].join(", ");
  throw new TrackerError("unsupported_tracker_kind", `tracker.kind must be one of ${known}`);
}
