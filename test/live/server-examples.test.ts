import { expect } from "vitest";
import { play, shown } from "@codexwright/test-support/play";
import { verifies } from "@codexwright/test-support/verifies";

verifies(
  "docs.examples",
  "gateway: two clients share one real server, one answers the other's approval, and a stranger is rejected",
  async () => {
    const { stdout, files } = await play("gateway");
    expect(stdout.trimEnd().split("\n")).toEqual(shown("server"));
    expect(files).toContain("by-codex.txt");
  },
  { against: "pinned" },
);

verifies(
  "docs.examples",
  "testing: runs one script on the fake and on the real server, injects faults, and plays a line script",
  async () => {
    const { stdout } = await play("testing");
    expect(stdout.trimEnd().split("\n")).toEqual(shown("testing"));
  },
  { against: "pinned" },
);
