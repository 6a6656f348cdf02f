/**
 * `node --expose-gc smoke.js [real | fleet]`: runs every program of the benchmarks once, with a small workload. The
 * suite runs it, so that a program that no longer works with the library is noticed before the next benchmark.
 * Without a word, it runs the programs that use the bench's own server, all in this process. With `real`, it runs those
 * that use a real Codex, and with `fleet` those of the orchestrator, which need a newer Node than the others. Programs
 * for other libraries are not run, because the libraries would have to be installed.
 */
import { GROWTHS } from "./growth/cases.ts";
import { TRANSPORTS } from "./lib/listening.ts";
import { sample } from "./lib/sample.ts";
import { ServerPrograms } from "./lib/server-program.ts";
import { SHAPES } from "./lib/shapes.ts";
import { BYTES } from "./measures/long-line.ts";
import { IN_FLIGHT } from "./measures/requests.ts";
import { WAYS } from "./measures/ways.ts";
import { PROGRAMS } from "./programs.ts";
import { TASKS } from "./real/tasks.ts";
import { fillHome, forget } from "./real/large-home.ts";
import { openWorld, readWorld } from "./real/world.ts";

const OTHERS = ["peer", "codex-acp", "engine", "folder", "fleet"];
const LOAD = "2x20x0x5";
const ONE_THREAD = "1x20x0x5";
const COUNT = "20";
const FEW_BYTES = "10000";
const GROWTH_SIZE = 8;
const AT_ONCE = 4;

/**
 * The programs with their arguments. Sizes are small, except those close to a limit of the library, which are
 * the same as in a benchmark.
 */
function runs(servers: ServerPrograms): (readonly [program: string, ...args: string[]])[] {
  const stream = servers.make("stream", LOAD);
  const single = servers.make("stream", ONE_THREAD);
  const quick = servers.make("stream", "1x1x0x1");
  const whos = ["raw", "ours"];
  const inFlight = [String(2 * IN_FLIGHT), String(IN_FLIGHT)];
  return [
    ["line", servers.make("line", "objects", BYTES)],
    ["raw-line", servers.make("line", "unicode", FEW_BYTES)],
    ["raw-read", stream, LOAD],
    ["stalled", single, COUNT],
    ["stalled", single, COUNT, "prompt"],
    ["import", "codexwright"],
    ...TRANSPORTS.map((transport) => ["raw", transport, stream, LOAD] as const),
    ...TRANSPORTS.map((transport) => ["ours", "callback", transport, stream, LOAD] as const),
    ...WAYS.map(({ way }) => ["ours", way, "stdio", stream, LOAD] as const),
    ...SHAPES.flatMap((shape) => [
      ["parse", shape, FEW_BYTES] as const,
      ["decode", shape, FEW_BYTES] as const,
    ]),
    ...whos.flatMap((who) => [
      ...TRANSPORTS.map((transport) => ["requests", who, transport, quick, ...inFlight] as const),
      ...["approval", "tool"].map(
        (kind) => ["ask", who, "stdio", servers.make("ask", kind, COUNT), COUNT] as const,
      ),
      ["translate", who, single, ONE_THREAD] as const,
    ]),
  ];
}

async function withOwnServer(): Promise<void> {
  using servers = new ServerPrograms();
  const all = runs(servers);
  const left = [...all];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) await attempt(...next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const [name, { load }] of Object.entries(GROWTHS)) {
    const work = await (await load())(GROWTH_SIZE);
    await work.run();
    await work.end?.();
    console.log(`growth ${name}`);
  }
  const known = new Set([...all.map(([program]) => program), "growth", "real", ...OTHERS]);
  const forgotten = Object.keys(PROGRAMS).filter((program) => !known.has(program));
  if (forgotten.length > 0) throw new Error(`not run: ${forgotten.join(", ")}`);
}

async function attempt(program: string, ...args: string[]): Promise<void> {
  try {
    const { run } = (await PROGRAMS[program]?.()) ?? {};
    if (!run) throw new Error("there is no such program");
    await run(...args);
    console.log(program);
  } catch (error) {
    throw new Error(`${program} failed`, { cause: error });
  }
}

/**
 * Runs each task in its own process, because some tasks look for the one server that their process has
 * started.
 */
async function onRealServer(): Promise<void> {
  await using world = await openWorld();
  const sizes: Readonly<Record<string, readonly string[]>> = {
    turns: ["1"],
    concurrent: ["2"],
    rate: ["50", "1", "10"],
  };
  for (const party of ["raw", "ours"]) {
    for (const task of Object.keys(TASKS)) {
      const args = [party, world.file, "", task, ...(sizes[task] ?? [])];
      sample({ name: task, program: "real", args });
      console.log(`${task}, ${party}`);
    }
  }
  for (const server of ["codex", process.execPath]) {
    for (const task of ["start", "firstDelta", "deltas", "memory"]) {
      sample({ name: task, program: "engine", args: [server, world.file, task, "20"] });
      console.log(`${task}, ${server === "codex" ? server : "engine"}`);
    }
  }
  await using many = await openWorld();
  await fillHome(readWorld(many.file), 60);
  for (const server of ["codex", process.execPath]) {
    forget(readWorld(many.file).codexHome);
    sample({ name: "home", program: "engine", args: [server, many.file, "home", "60"] });
    console.log(`home, ${server === "codex" ? server : "engine"}`);
  }
}

async function onFleet(): Promise<void> {
  for (const who of ["raw", "ours"])
    for (const what of ["cold", "unchanged"]) await attempt("folder", who, what, COUNT);
  const tasks = [
    ["start"],
    ["crash", "1"],
    ["tick", COUNT],
    ["claim", "2", "0"],
    ["life", "1"],
    ["state", "2"],
  ];
  for (const task of [...tasks, ["usage", "1", "100"]]) await attempt("fleet", ...task);
}

const PARTS = new Map([
  ["real", onRealServer],
  ["fleet", onFleet],
]);
await (PARTS.get(process.argv[2] ?? "") ?? withOwnServer)();
