import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { play, shown } from "@codexwright/test-support/play";

verifies(
  ["docs.examples", "recording.replay", "recording.secrets", "recording.compare"],
  "record and replay: records a run and replays it, reports a client that deviates, hides secrets, and compares two runs",
  async () => {
    const { stdout } = await play("record-and-replay");
    // The number of messages before the first turn depends on the machine.
    expect(
      stdout
        .replace(/line \d+/, "line 11")
        .trimEnd()
        .split("\n"),
    ).toEqual(shown("record-and-replay"));
  },
  { against: "pinned" },
);
