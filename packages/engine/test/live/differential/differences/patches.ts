import type { EngineDifference } from "../difference.ts";

/** The known differences of patches. */
export const PATCHES: readonly EngineDifference[] = [
  {
    area: "patches",
    codex: "It rejects a patch with two `@@` lines in a row.",
    engine: "It searches for one after the other.",
    reason: "Models of OpenAI are taught to write such patches.",
    scenarios: ["patch.anchors"],
  },
  {
    area: "patches",
    codex: "The diff of a turn shows a file that was moved as one change, from the old to the new name.",
    engine: "It shows that one file was removed and another one added.",
    reason: "Each file has one part of the diff, also if the move replaced a file.",
    scenarios: ["patch.endings"],
    method: /^turn\/diff\/updated$/,
  },
  {
    area: "patches",
    codex: "A lone carriage return ends a line of a diff.",
    engine: "It is a part of its line.",
    reason: "Git and editors count lines in the same way.",
    scenarios: ["patch.lone-cr"],
    path: /diff$/,
  },
  {
    area: "patches",
    codex: "It rejects a patch with two parts for the same file.",
    engine: "It applies both in their order.",
    reason: "The result is clear.",
    scenarios: ["patch.twice"],
  },
  {
    area: "patches",
    codex: "A file that is moved to its own place is removed.",
    engine: "It is changed, and stays.",
    reason: "The change would be lost.",
    scenarios: ["patch.itself"],
  },
  {
    area: "patches",
    codex: "It rejects a patch that removes a file that is not UTF-8.",
    engine: "The file is removed.",
    reason: "A removal needs no text.",
    scenarios: ["patch.bytes"],
  },
];
