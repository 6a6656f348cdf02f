import { expect } from "vitest";
import { play, shown } from "@codexwright/test-support/play";
import { verifies } from "@codexwright/test-support/verifies";

verifies(
  "docs.examples",
  "gateway: two clients on one real server, an approval that the other one answers, a stranger",
  async () => {
    const { stdout, files } = await play("gateway");
    expect(stdout.trimEnd().split("\n")).toEqual(shown("server"));
    expect(files).toContain("by-codex.txt");
  },
  { against: "pinned" },
);

verifies(
  "docs.examples",
  "testing: one script on the fake and on the real server, faults, and a line script",
  async () => {
    const { stdout } = await play("testing");
    expect(stdout.trimEnd().split("\n")).toEqual(shown("testing"));
  },
  { against: "pinned" },
);
