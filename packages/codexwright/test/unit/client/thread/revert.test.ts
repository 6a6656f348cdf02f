import { expect } from "vitest";
import type { WireStep } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeClient } from "../fake-client.ts";

/** thread/revert rejects the histories of servers up to 0.150; thread/rollback rejects those of later servers. */
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
    `reverts turns with the method that accepts the histories of ${version}`,
    async () => {
      await using world = await fakeClient(script, version);
      // The script never answers a method that it does not expect.
      await world.codex.thread("t1").revert({ numTurns: 2 });
      expect(world.sent().map(({ method }) => method)).toEqual(
        script.map((step) => ("on" in step ? step.on : "")),
      );
    },
    { against: "fake" },
  );
}
