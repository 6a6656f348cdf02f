import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { describe, expect } from "vitest";
import { processesOf } from "@codexwright/test-support/world";
import { until } from "@codexwright/test-support/events";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeCodex } from "./guarded.ts";

/**
 * Connects with 0, 1, 2 … free descriptors until it has succeeded three times, and prints the outcome of each attempt.
 */
const program = (codexPath: string): string => `
  import { closeSync, openSync } from "node:fs";
  import { stdio } from "codexwright/stdio";
  const factory = stdio({ codexPath: ${JSON.stringify(codexPath)} });
  const signal = new AbortController().signal;
  const attempt = async (free) => {
    const held = [];
    try {
      for (;;) held.push(openSync("/dev/null"));
    } catch {}
    const release = (count) => { for (const fd of held.splice(0, count)) closeSync(fd); };
    release(free);
    try {
      const transport = await factory(signal);
      release(held.length);
      await transport.close();
      return "works";
    } catch (error) {
      return [error.code, error.limit ?? error.message].join(" ");
    } finally {
      release(held.length);
    }
  };
  // Loads the modules that are loaded lazily.
  const outcomes = [await attempt(1_000)];
  for (let free = 0; outcomes.filter((each) => each === "works").length < 4; free++) outcomes.push(await attempt(free));
  console.log(JSON.stringify(outcomes));
`;

describe("on Linux", () => {
  verifies(
    "stdio.exhausted",
    "with any number of free descriptors, connect succeeds or rejects with resource_exhausted and leaves nothing behind",
    async () => {
      using codex = fakeCodex("");
      const tag = `GUARDED_${randomUUID()}`;
      const child = spawn(
        "sh",
        [
          "-c",
          'ulimit -n 80; exec "$0" "$@"',
          process.execPath,
          "--input-type=module",
          "-e",
          program(codex.file),
        ],
        {
          cwd: import.meta.dirname,
          env: { ...process.env, TAG: tag },
          stdio: ["ignore", "pipe", "pipe"],
        },
      );
      let [stdout, stderr] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      const [code] = (await once(child, "close")) as [number];
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const [first, ...outcomes] = JSON.parse(stdout) as string[];
      expect(first).toBe("works");
      const failed = outcomes.filter((each) => each !== "works");
      expect(failed.length).toBeGreaterThan(3);
      expect(new Set(failed)).toEqual(new Set(["resource_exhausted EMFILE"]));
      await until(() => processesOf(tag).length === 0);
    },
    { skip: unlessLinux },
  );
});
