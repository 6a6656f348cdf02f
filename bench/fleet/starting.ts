import path from "node:path";
import type { Figures } from "../lib/sample.ts";
import { Raw } from "../real/raw.ts";
import { Agents } from "./agents-child.ts";
import { Child, now } from "./child.ts";
import { DATABASE, FleetFolder } from "./folder.ts";
import { firstTick, inPhase, quantile, startTimes, startFleet } from "./runs.ts";
import { FINISH, SPEAK } from "./words.ts";

/** Two starts of a fleet on the same folder, each to its first tick; and the second one of its database alone. */
export async function start(): Promise<Figures> {
  using folder = new FleetFolder();
  folder.workflow(SPEAK);
  const started = async (): Promise<number> => {
    await using host = startFleet(folder);
    return (await firstTick(host)) - host.startedAt;
  };
  return {
    firstMs: await started(),
    restartMs: await started(),
    aloneMs: await databaseStart(folder, DATABASE),
  };
}

/** The start of the database alone, in an empty folder: without a seed, it makes all its files. */
export async function seedless(): Promise<Figures> {
  using folder = new FleetFolder();
  return { aloneMs: await databaseStart(folder, "alone") };
}

async function databaseStart(folder: FleetFolder, name: string): Promise<number> {
  await using child = new Child("pglite", { folder: path.join(folder.root, name) });
  return (await child.opened()).at - child.startedAt;
}

/** `kill -9` of a fleet with so many agents, and its next start, until all of them work again. */
export async function crash(count: number): Promise<Figures> {
  await using agents = await Agents.start();
  using folder = new FleetFolder();
  folder.workflow(SPEAK, {
    agent: { max_concurrent_agents: count },
    codex: { command: agents.command },
  });
  folder.add("A", count);
  {
    await using host = startFleet(folder);
    await inPhase(host, "StreamingTurn", count);
    await host.kill();
  }
  await using host = startFleet(folder);
  const ticked = (await firstTick(host)) - host.startedAt;
  const back = (await inPhase(host, "StreamingTurn", count)) - host.startedAt;
  return { tickedMs: ticked, backMs: back, aloneMs: Math.max(...(await bareStarts(agents, folder, count))) };
}

/**
 * So many issues, each with a slot as soon as the one before has ended: the time from the slot to the app-server's answer
 * to `initialize`, and the same of the app-server alone.
 */
export async function life(count: number): Promise<Figures> {
  await using agents = await Agents.start();
  using folder = new FleetFolder();
  folder.workflow(FINISH, { agent: { max_concurrent_agents: 1 }, codex: { command: agents.command } });
  folder.add("A", count);
  await using host = startFleet(folder);
  await host.until(() => (startTimes(host).length >= count ? true : undefined));
  const times = startTimes(host);
  const alone: number[] = [];
  for (let n = 0; n < count; n++) alone.push(...(await bareStarts(agents, folder, 1)));
  return {
    startedMs: quantile(times, 0.5),
    startedP95Ms: quantile(times, 0.95),
    aloneMs: quantile(alone, 0.5),
    aloneP95Ms: quantile(alone, 0.95),
  };
}

/** Starts so many app-servers at the same time. Returns the times to their answers to `initialize`. */
async function bareStarts(agents: Agents, folder: FleetFolder, count: number): Promise<readonly number[]> {
  const world = {
    codexPath: agents.executable,
    codexHome: folder.root,
    cwd: folder.root,
    env: process.env as Record<string, string>,
  };
  return await Promise.all(
    Array.from({ length: count }, async () => {
      await using raw = new Raw(world);
      const since = now();
      await raw.connect();
      return now() - since;
    }),
  );
}
