import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { killAll, processesOf } from "../../packages/test-support/src/world.ts";
import type { Drill, DrillReport, Form } from "./drill.ts";
import { unmountBelow } from "./mounts.ts";

export interface DrillResult {
  readonly drill: Drill;
  readonly status: "passed" | "failed" | "not run";
  /** Why the drill failed or was not run. */
  readonly why?: string;
  readonly report?: DrillReport;
  /** Everything that still existed after the drill's process had ended. */
  readonly left: readonly string[];
  readonly seconds: number;
}

export interface RunOptions {
  readonly form: Form;
  readonly seed: number;
  /** The path of the compiled child.js. */
  readonly program: string;
  readonly limitMs: number;
  /** Called with each text that the drill writes to stderr. */
  readonly onProgress?: (text: string) => void;
}

/** How much of the end of stderr is shown if a drill fails. */
const MOST_STDERR = 4_000;
/** How long a process may run after it has sent its report. It must end by itself. */
const END_MS = 5_000;
/** How long a process that is already ending may take to end. */
const DYING_MS = 1_000;

/** Runs a drill in its own process and temp folder, and looks for leftovers. */
export async function runDrill(drill: Drill, options: RunOptions): Promise<DrillResult> {
  const missing = drill.needs?.();
  if (missing !== undefined) return { drill, status: "not run", why: missing, left: [], seconds: 0 };
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "codexwright-drill-")));
  const mark = randomUUID();
  const since = performance.now();
  try {
    const { report, trouble } = await spawnDrill(drill, options, { folder, mark });
    const left = [...(report?.left ?? []), ...(await leftBehind(folder, mark))];
    const whys = [...trouble, ...(left.length > 0 ? [`left behind: ${left.join(", ")}`] : [])];
    return {
      drill,
      status: whys.length === 0 ? "passed" : "failed",
      ...(whys.length > 0 && { why: whys.join("\n") }),
      ...(report && { report }),
      left,
      seconds: (performance.now() - since) / 1_000,
    };
  } finally {
    killAll(processesOf(mark));
    unmountBelow(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function spawnDrill(
  drill: Drill,
  { form, seed, program, limitMs, onProgress }: RunOptions,
  { folder, mark }: { readonly folder: string; readonly mark: string },
): Promise<{ report?: DrillReport; trouble: string[] }> {
  const child = spawn(process.execPath, [program, drill.name, form, `${seed}`], {
    env: { ...process.env, TMPDIR: folder, CODEXWRIGHT_DRILL: mark, ...drill.env?.(folder) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const trouble: string[] = [];
  let [stdout, stderr] = ["", ""];
  const giveUp = (why: string): void => {
    trouble.push(why);
    child.kill("SIGKILL");
  };
  const limit = setTimeout(giveUp, limitMs, `it did not end within ${limitMs} ms`);
  let lingering: ReturnType<typeof setTimeout> | undefined;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    if (stdout.includes("\n")) lingering ??= setTimeout(giveUp, END_MS, "its process did not end by itself");
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-MOST_STDERR);
    onProgress?.(text);
  });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  clearTimeout(limit);
  clearTimeout(lingering);
  if (code !== 0) trouble.push(`its process ended with ${signal ?? `code ${code ?? "?"}`}: ${stderr}`);
  return { ...(stdout.includes("\n") && { report: JSON.parse(stdout) as DrillReport }), trouble };
}

/** Finds processes that were started in the drill, files in its temp folder, and mounts. */
async function leftBehind(folder: string, mark: string): Promise<string[]> {
  const until = performance.now() + DYING_MS;
  while (processesOf(mark).length > 0 && performance.now() < until) await delay(10);
  return [
    ...processesOf(mark).map((pid) => `process ${commandOf(pid)}`),
    ...readdirSync(folder).map((name) => `file ${name}`),
    ...unmountBelow(folder).map((mount) => `mount ${mount}`),
  ];
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, 3).join(" ");
  } catch {
    return `${pid}`;
  }
}
