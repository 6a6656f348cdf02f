import { compareTranscripts } from "codexwright/recording";
import type { TranscriptDifference } from "codexwright/recording";
import { NOISE, normalize, type Transcript } from "codexwright/recording";
import type { ScenarioResult } from "./scenario.ts";

/**
 * How what `b` said in a scenario differs from what `a` did, as partial orders: nothing for servers that behave alike.
 *
 * Left out is what comes when it likes: notifications that have nothing to do with the scenario, and the output of
 * commands while they run, which the item has as a whole once they have ended.
 */
export function compareRuns(a: ScenarioResult, b: ScenarioResult): TranscriptDifference[] {
  return compareTranscripts(transcriptOf(a), transcriptOf(b));
}

function transcriptOf({ recording, workspace }: ScenarioResult): Transcript {
  if (recording.length === 0) return [];
  return normalize(recording, { drop: NOISE, ...(workspace !== undefined && { paths: { workspace } }) });
}
