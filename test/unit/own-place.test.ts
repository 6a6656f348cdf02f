import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { ownPlace } from "../../scripts/own-place.ts";

/** Runs a shell script to its end in the place, and returns the lines it printed. */
async function runIn(env: Readonly<Record<string, string>>, script: string): Promise<string[]> {
  const child = spawn("/bin/sh", ["-c", script], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  if (child.exitCode === null) await once(child, "exit");
  return lines;
}

test("a step without leftovers is clean, and its temporary folder is removed", async () => {
  const place = await ownPlace();
  const [folder = ""] = await runIn(place.env, `touch "$TMPDIR/x"; rm "$TMPDIR/x"; echo "$TMPDIR"`);
  expect(await place.clear()).toEqual([]);
  expect(existsSync(folder)).toBe(false);
});

test("a step has an empty home of its own, which is removed", async () => {
  const place = await ownPlace();
  const [home = "", ...names] = await runIn(place.env, `cd; pwd; ls -A; touch ~/.profile`);
  expect([home, names]).toEqual([place.env["HOME"], []]);
  expect(home).not.toBe(homedir());
  expect(await place.clear()).toEqual([]);
  expect(existsSync(home)).toBe(false);
});

test("lists and removes files, hidden folders and nested files that a step leaves", async () => {
  const place = await ownPlace();
  const [folder = ""] = await runIn(
    place.env,
    `mkdir -p "$TMPDIR/.git" "$TMPDIR/a/b"; touch "$TMPDIR/a/b/c"; echo "$TMPDIR"`,
  );
  const left = await place.clear();
  expect(left.filter((line) => line.startsWith("file ")).map((line) => line.split(" ")[1])).toEqual(
    expect.arrayContaining([".git", "a", "a/b", "a/b/c"]),
  );
  expect(existsSync(folder)).toBe(false);
});

// A process is found by its environment, which only /proc shows.
test.skipIf(process.platform !== "linux")(
  "lists and ends a process that left its session and lost its parent",
  async () => {
    const place = await ownPlace({ graceMs: 0 });
    const [pid = ""] = await runIn(place.env, "setsid sh -c 'echo $$; exec sleep 1000 >/dev/null 2>&1' &");
    const left = await place.clear();
    expect(left.map((line) => line.split(":")[0])).toEqual([`process ${pid}`]);
    while (isRunning(pid)) await setImmediate();
  },
);

function isRunning(pid: string): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
