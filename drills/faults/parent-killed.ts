import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { exec, hang, realAppServer, scriptedModel, type ModelItem } from "@codexwright/testing";
import { processesOf } from "../../packages/test-support/src/world.ts";
import { until } from "../../packages/test-support/src/events.ts";
import type { Drill } from "../lib/drill.ts";
import type { DrillRun } from "../lib/drill-run.ts";
import type { VictimOptions } from "../programs/victim.ts";

const PROGRAM = path.resolve(import.meta.dirname, "../programs/victim.js");
const COMMAND = "touch running; sleep 600";

interface Case {
  readonly name: string;
  readonly work: VictimOptions["work"];
  readonly sandbox?: "workspace-write" | "danger-full-access";
  readonly step?: ModelItem;
  /**
   * If true, kills the program as soon as any process besides the server runs, instead of waiting until the program
   * reports that it is ready.
   */
  readonly early?: boolean;
}

const CASES: readonly Case[] = [
  { name: "a command in the sandbox", work: "turn", step: exec(COMMAND) },
  { name: "a command with full access", work: "turn", step: exec(COMMAND), sandbox: "danger-full-access" },
  {
    name: "a command in the background",
    work: "turn",
    step: exec(COMMAND, { args: { yield_time_ms: 250 } }),
  },
  { name: "`codex.exec`", work: "command" },
  { name: "`codex.exec` in a terminal", work: "terminal" },
];

/** Kills one of our programs. Afterwards no process may refer to its folder. */
export const parentKilled: Drill = {
  name: "parent-killed",
  fault: "kill -9 of our own process",
  async run(run) {
    for (let round = 0; round < run.count({ small: 1, short: 5, long: 20 }); round++)
      for (const each of CASES) await killed(run, each);
    for (let round = 0; round < run.count({ small: 1, short: 40, long: 400 }); round++)
      await killed(run, {
        name: "a sandbox that is being set up",
        work: "turn",
        step: exec("sleep 600"),
        early: true,
      });
    for (let round = 0; round < run.count({ small: 1, short: 5, long: 20 }); round++) await listening(run);
  },
};

async function killed(
  run: DrillRun,
  { name, work, sandbox = "workspace-write", step, early }: Case,
): Promise<void> {
  await using model = await scriptedModel(step ? [step, hang()] : []);
  await using server = await realAppServer({ model });
  const { codexHome, cwd, env } = server.clientOptions;
  const victim = start({ work, client: { codexHome, cwd, sandbox } }, env);
  const others = (): number[] => processesOf(server.root).filter((pid) => pid !== victim.pid);
  if (early) {
    await model.request(0);
    const servers = others();
    while (others().every((pid) => servers.includes(pid))) await immediate();
  } else if (step) await until(() => existsSync(path.join(cwd, "running")));
  else await once(victim.stdout, "data");
  assert.ok(others().length > 0);
  victim.kill("SIGKILL");
  run.fault();
  await run.works(name, gone(others), () => "is gone");
}

/** A server that listens on a socket has no stdin that closes when we die. */
async function listening(run: DrillRun): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "victim-"));
  const victim = start({ work: "listen", client: {} }, { TMPDIR: folder });
  await once(victim.stdout, "data");
  const others = (): number[] => processesOf(folder).filter((pid) => pid !== victim.pid);
  assert.ok(others().length > 0);
  victim.kill("SIGKILL");
  run.fault();
  await run.works(
    "a server that listens, and its folder",
    gone(() => [...others(), ...readdirSync(folder)]),
    () => "are gone",
  );
  await rmdir(folder);
}

function start(options: VictimOptions, env: Readonly<Record<string, string | undefined>>) {
  return spawn(process.execPath, [PROGRAM, JSON.stringify(options)], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function gone(left: () => readonly unknown[]): Promise<void> {
  const until10s = performance.now() + 10_000;
  while (left().length > 0) {
    assert.ok(performance.now() < until10s, `left behind: ${left().join(", ")}`);
    await immediate();
  }
}
