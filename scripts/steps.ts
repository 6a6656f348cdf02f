import { spawn } from "node:child_process";
import path from "node:path";
import { ownPlace } from "./own-place.ts";
import { schedule, type Schedulable } from "./schedule.ts";

/** The repository's root, relative to the compiled scripts in build/scripts. */
export const ROOT: string = path.resolve(import.meta.dirname, "../..");

/** One command of a longer run. */
export interface Step extends Schedulable {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The time limit of the command, so that a run always ends even if a command hangs. */
  readonly limitMs?: number;
  /** If true, the step gets its own temporary folder, and fails if it leaves a file there or a process anywhere. */
  readonly leavesNothing?: boolean;
}

/** The path of a program that is installed in the repository. */
export function bin(name: string): string {
  return path.join(ROOT, "node_modules/.bin", name);
}

/**
 * Tests spend most of their time waiting for processes. Two steps in parallel keep two cores busy; more only
 * slow each other down.
 */
const AT_ONCE = 2;

/**
 * Runs steps, some in parallel, and prints a line when each one ends, followed by its output if it failed.
 * All steps run, so that one run shows every failure. Failed tests are run again, twice at most.
 */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  const passed = await schedule(steps, AT_ONCE, succeedsAtLast);
  const failed = passed.filter((each) => !each).length;
  console.log(`${steps.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

/**
 * A test that fails on one run and passes on the next is a bug in the test or in the code. The report names
 * it in either case.
 */
async function succeedsAtLast(step: Step): Promise<boolean> {
  if (await succeeds(step)) return true;
  if (step.leavesNothing !== true) return false;
  for (const time of ["second", "third"])
    if (await succeeds({ ...step, name: `${step.name}, the ${time} time` })) return true;
  return false;
}

/** Runs a step, prints its line, and its failures if there are any. */
async function succeeds(step: Step): Promise<boolean> {
  const since = performance.now();
  const { ok, output } = await (step.leavesNothing ? runInOwnPlace(step) : runStep(step));
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  // Printed with one call, because another step may end at the same time.
  console.log(`${ok ? "ok  " : "FAIL"} ${step.name} (${seconds} s)${ok ? "" : `\n${failuresOf(output)}`}`);
  return ok;
}

/**
 * Returns the names of the failed tests, then the output without passed tests. The names come first because a reader
 * may see only the first lines of a report.
 */
function failuresOf(output: string): string {
  const lines = output.split("\n").filter((line) => !/^\s*(✓|\(pass\))/.test(line));
  const failed = lines.filter((line) =>
    /^\s*(×|✗|FAIL |\(fail\))|^The step left|^ {2}(process|file|folder) /.test(line),
  );
  // A file's title line is followed by its failures. If no lines follow, every test in the file passed.
  const said = lines.filter(
    (line, at) => !(line.endsWith(".test.ts:") && /^$|\.test\.ts:$/.test(lines[at + 1] ?? "")),
  );
  const details = said.filter((line, at) => line.trim() !== "" || (said[at - 1] ?? "").trim() !== "");
  return [...new Set(failed.map((line) => line.trim())), ...details].join("\n");
}

async function runInOwnPlace(step: Step): Promise<{ ok: boolean; output: string }> {
  const place = await ownPlace();
  const { ok, output } = await runStep({ ...step, env: { ...step.env, ...place.env } });
  const left = await place.clear();
  if (left.length === 0) return { ok, output };
  const shown = left.slice(0, 50).map((line) => `\n  ${line}`);
  return { ok: false, output: `${output}\nThe step left ${left.length} things behind:${shown.join("")}\n` };
}

function runStep(step: Step): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(step.command, step.args, {
      cwd: step.cwd ?? ROOT,
      env: { ...process.env, NO_COLOR: "1", ...step.env },
      stdio: ["ignore", "pipe", "pipe"],
      // Start the command in its own process group, so that the processes it started can be killed with it.
      detached: true,
    });
    let output = "";
    const collect = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const limitMs = step.limitMs ?? 600_000;
    const timer = setTimeout(() => {
      output += `\n(ended after ${limitMs} ms)\n`;
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, limitMs);
    child.on("error", (error) => (output += String(error)));
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ ok: code === 0, output });
    });
  });
}
