import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { play, shown } from "@codexwright/test-support/play";

verifies(
  ["docs.examples", "conformance.kit"],
  "conformance: tests your own server, your own client, and two servers side by side",
  async () => {
    const { stdout } = await play("conformance");
    expect(stdout.trimEnd().split("\n")).toEqual(shown("conformance"));
  },
  { against: "pinned" },
);
