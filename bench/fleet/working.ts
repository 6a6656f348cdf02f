import { setTimeout as delay } from "node:timers/promises";
import path from "node:path";
import type { Figures } from "../lib/sample.ts";
import { Agents } from "./agents-child.ts";
import { Child } from "./child.ts";
import { DATABASE, FleetFolder } from "./folder.ts";
import { admissions, firstTick, inPhase, quantile, startFleet } from "./runs.ts";
import { SPEAK, STUCK, WAIT } from "./words.ts";

const SLOTS = 10;
const TICKS = 12;
/** Until the times of new files are old enough to be trusted. */
const SETTLE_MS = 200;
/** How long the agents speak before their use is measured, and while it is. */
const WARM_MS = 3_000;
const WINDOW_MS = 10_000;
const HANGING_HOOK = `case "$CODEXWRIGHT_ISSUE_IDENTIFIER" in ${STUCK}*) sleep 600;; esac`;

/** The first tick of a fleet over a folder with so many issues, and later ones without a change. */
export async function tick(count: number): Promise<Figures> {
  await using agents = await Agents.start();
  using folder = new FleetFolder();
  folder.workflow(WAIT, { agent: { max_concurrent_agents: SLOTS }, codex: { command: agents.command } });
  folder.fill(count);
  await delay(SETTLE_MS);
  await using host = startFleet(folder);
  const opened = await host.opened();
  const coldMs = (await firstTick(host)) - opened.at;
  await inPhase(host, "StreamingTurn", admissions(host));
  const later: { readonly ms: number; readonly cpuMs: number }[] = [];
  for (let n = 0; n < TICKS; n++) later.push(await host.ask("tick"));
  const times = later.map(({ ms }) => ms);
  return {
    coldMs,
    unchangedMs: quantile(times, 0.5),
    unchangedCpuMs: Math.min(...later.map(({ cpuMs }) => cpuMs)),
  };
}

/** Requests of the state while agents speak and a hook hangs, in turn with those of a server that only sends a body. */
export async function state(requests: number): Promise<Figures> {
  await using agents = await Agents.start();
  using folder = new FleetFolder();
  folder.workflow(SPEAK, {
    agent: { max_concurrent_agents: SLOTS + 1 },
    codex: { command: agents.command },
    hooks: { before_run: HANGING_HOOK, timeout_ms: 600_000 },
  });
  folder.add("A", SLOTS);
  folder.add(STUCK, 1);
  await using host = startFleet(folder);
  await inPhase(host, "StreamingTurn", SLOTS);
  await inPhase(host, "PreparingWorkspace", SLOTS + 1);
  const url = `${(await host.opened()).value}/api/v1/state`;
  const body = await (await fetch(url)).text();
  const { counts } = JSON.parse(body) as { readonly counts: { readonly running: number } };
  if (counts.running !== SLOTS + 1) throw new Error(`${counts.running} runs instead of ${SLOTS + 1}`);
  await using bare = new Child("bare-http", { body });
  const bareUrl = (await bare.opened()).value;
  const times: number[] = [];
  const bareTimes: number[] = [];
  for (let n = 0; n < requests; n++) {
    times.push(await timed(url));
    bareTimes.push(await timed(bareUrl));
  }
  return {
    stateMs: quantile(times, 0.5),
    stateP99Ms: quantile(times, 0.99),
    bareMs: quantile(bareTimes, 0.5),
    bareP99Ms: quantile(bareTimes, 0.99),
  };
}

async function timed(url: string): Promise<number> {
  const since = performance.now();
  const response = await fetch(url);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return performance.now() - since;
}

/** The memory and CPU of a fleet without agents, and then with so many that speak; and of its database alone. */
export async function usage(count: number, windowMs = WINDOW_MS): Promise<Figures> {
  await using agents = await Agents.start();
  using folder = new FleetFolder();
  folder.workflow(SPEAK, { agent: { max_concurrent_agents: count }, codex: { command: agents.command } });
  const { without, all } = await withAndWithout(folder, count, windowMs);
  await using database = new Child("pglite", { folder: path.join(folder.root, DATABASE) });
  await database.opened();
  return {
    aloneMb: (await database.usage()).rssMb,
    allMb: all.rssMb,
    agentMb: (all.rssMb - without.rssMb) / count,
    agentCpu: (all.cpu - without.cpu) / count,
    idleCpu: without.cpu,
  };
}

async function withAndWithout(
  folder: FleetFolder,
  count: number,
  windowMs: number,
): Promise<Record<"without" | "all", Used>> {
  await using host = startFleet(folder);
  await firstTick(host);
  const without = await used(host, windowMs);
  folder.add("A", count);
  await host.ask("tick");
  await inPhase(host, "StreamingTurn", count);
  return { without, all: await used(host, windowMs) };
}

/** The memory of a process, and its CPU in percent of a core. */
interface Used {
  readonly rssMb: number;
  readonly cpu: number;
}

async function used(host: Child, windowMs: number): Promise<Used> {
  await delay(Math.min(WARM_MS, windowMs));
  const before = await host.usage();
  const since = performance.now();
  await delay(windowMs);
  const after = await host.usage();
  const cpu = ((after.cpuMs - before.cpuMs) / (performance.now() - since)) * 100;
  return { rssMb: after.rssMb, cpu };
}
