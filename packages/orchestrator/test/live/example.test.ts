import { expect } from "vitest";
import { play, shown } from "@codexwright/test-support/play";
import { verifies } from "@codexwright/test-support/verifies";

verifies(
  ["docs.examples", "fleet.api.orders"],
  "fleet: a program answers the question of an agent, and sees the issue finished",
  async () => {
    const { stdout } = await play("fleet");
    expect(stdout.trimEnd().split("\n")).toEqual(shown("fleet-embed"));
  },
  { against: "pinned" },
);
