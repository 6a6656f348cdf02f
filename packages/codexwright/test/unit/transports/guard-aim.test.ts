import { spawn } from "node:child_process";
import { describe, expect } from "vitest";
import { killAll } from "@codexwright/test-support/world";
import { until } from "@codexwright/test-support/events";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { guarded, variableOf } from "./guarded.ts";

/** Environments that resemble the environment of a server's process, but whose `CODEXWRIGHT_GUARD` is not `mark`. */
function strangers(mark: string): readonly Readonly<Record<string, string>>[] {
  const [name = "", value = ""] = mark.split("=");
  return [
    {},
    { [name]: "" },
    { [name]: `${value}0` },
    { [name]: value.slice(0, -1) },
    { [name]: value.toUpperCase() },
    { [name]: `${value}\n` },
    { [`X${name}`]: value },
    { OTHER: mark },
    { OTHER: `a\n${mark}\nb` },
    { OTHER: "a) S 1 b" },
  ];
}

describe("on Linux", () => {
  verifies(
    "security.s42",
    "processes with a similar value of CODEXWRIGHT_GUARD survive",
    async () => {
      await using world = await guarded("setsid sleep 600 &");
      const mark = variableOf(world.server(), "CODEXWRIGHT_GUARD") ?? "";
      expect(mark).toMatch(/^CODEXWRIGHT_GUARD=[\da-f-]{36}$/);
      const { PATH = "" } = process.env;
      const others = strangers(mark).map((env) =>
        // The guard ignores the mark on a command line.
        spawn("sh", ["-c", "sleep 600; :", mark], { env: { PATH, ...env }, stdio: "ignore", detached: true }),
      );
      try {
        await until(() => others.every(({ pid }) => variableOf(pid as number, "PATH") !== undefined));
        killAll([world.server()]);
        await world.transport.close();
        await until(() => world.all().length === 0 && world.guard() === undefined);
        expect(others.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual(
          others.map(() => null),
        );
      } finally {
        for (const { pid } of others) process.kill(-(pid as number), "SIGKILL");
      }
    },
    { skip: unlessLinux },
  );
});
