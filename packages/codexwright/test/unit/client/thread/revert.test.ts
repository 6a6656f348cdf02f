import { expect } from "vitest";
import type { WireStep } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeClient } from "../fake-client.ts";

/** Servers until 0.150 write histories that thread/revert refuses, and later ones such that thread/rollback refuses. */
const ROLLBACK: readonly WireStep[] = [{ on: "thread/rollback", result: {} }];
const REVERT: readonly WireStep[] = [
  { on: "thread/turns/list", result: { data: [{ id: "u2" }, { id: "u1" }], nextCursor: null } },
  { on: "thread/revert", result: {} },
];

for (const [version, script] of [
  ["0.98.0", ROLLBACK],
  ["0.149.1", ROLLBACK],
  ["0.150.1", ROLLBACK],
  ["0.151.0", REVERT],
  ["0.154.0", REVERT],
  ["0.166.0", REVERT],
] as const) {
  verifies(
    "thread.methods",
    `turns are reverted by the method that takes the histories of ${version}`,
    async () => {
      await using world = await fakeClient(script, version);
      // A method that the script does not expect is never answered.
      await world.codex.thread("t1").revert({ numTurns: 2 });
      expect(world.sent().map(({ method }) => method)).toEqual(
        script.map((step) => ("on" in step ? step.on : "")),
      );
    },
    { against: "fake" },
  );
}
