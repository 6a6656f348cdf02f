import { compareTranscripts } from "codexwright/recording";
import type { TranscriptDifference } from "codexwright/recording";
import { NOISE, normalize, type Transcript } from "codexwright/recording";
import type { ScenarioResult } from "./scenario.ts";

/**
 * Returns the differences between two runs of a scenario, compared as partial orders. The list is empty if both servers
 * behave alike.
 *
 * Ignores messages whose timing may differ: notifications that are unrelated to the scenario, and the output of
 * commands while they run. The finished item has the whole output.
 */
export function compareRuns(a: ScenarioResult, b: ScenarioResult): TranscriptDifference[] {
  return compareTranscripts(transcriptOf(a), transcriptOf(b));
}

function transcriptOf({ recording, workspace }: ScenarioResult): Transcript {
  if (recording.length === 0) return [];
  return normalize(recording, { drop: NOISE, ...(workspace !== undefined && { paths: { workspace } }) });
}
