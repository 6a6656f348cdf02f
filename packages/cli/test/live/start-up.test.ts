import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { COMMAND } from "../support/command.ts";

/** The start-up time is promised for Node, even if another runtime runs the tests. */
const NODE = process.versions["bun"] === undefined ? process.execPath : "node";

/** The fastest of several runs: slower runs measure other load on the machine. */
function fastestMs(args: readonly string[]): number {
  const times = Array.from({ length: 8 }, () => {
    const since = performance.now();
    const { status } = spawnSync(NODE, args, { stdio: "ignore" });
    expect(status).toBe(0);
    return performance.now() - since;
  });
  return Math.min(...times);
}

verifies("cli.help", "--help takes at most four times as long as starting Node", () => {
  expect(fastestMs([COMMAND, "--help"])).toBeLessThan(4 * fastestMs(["-e", "0"]));
});
