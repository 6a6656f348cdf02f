import type { Verdict } from "../domain/explanation.ts";
import type { Settings } from "../domain/settings.ts";
import type { Snapshot } from "../domain/snapshot.ts";

/** Everything besides the issue itself that decides whether it runs. */
export interface Situation {
  readonly settings: Settings;
  readonly snapshot: Pick<Snapshot, "claims" | "paused" | "draining" | "waiting" | "today">;
  /** The verdicts of the preflight of this tick: workflow, tracker, disk. */
  readonly preflight: readonly Verdict[];
  /** In milliseconds since 1970. */
  readonly now: number;
}
