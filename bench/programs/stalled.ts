import { CodexClient } from "codexwright";
import { DELTA_METHOD, DeltaCheck } from "../lib/deltas.ts";
import type { Figures } from "../lib/sample.ts";
import { liveBytes, peakRssBytes } from "../lib/usage.ts";

const MB = 1024 * 1024;

/**
 * A consumer that takes one event, sleeps until the turn is over, and then wants the rest; with `prompt` one
 * that takes every event as it comes, to tell what the memory of any such stream is.
 */
export async function run(server: string, count: string, prompt?: string): Promise<Figures> {
  await using codex = await CodexClient.connect({ codexPath: server });
  const thread = await codex.startThread();
  const before = liveBytes();
  const rssBefore = process.memoryUsage.rss();
  const turn = thread.turn("go");
  const events = turn[Symbol.asyncIterator]();
  const check = new DeltaCheck(Number(count));
  let left = 0;
  const takeAll = async (): Promise<void> => {
    for await (const event of { [Symbol.asyncIterator]: () => events }) {
      left++;
      if (event.method === DELTA_METHOD) check.take(event.params.delta);
    }
  };
  // Not a delta: the first event of a turn is its start.
  await events.next();
  if (prompt) await takeAll();
  await turn.completed;
  const peakMb = (peakRssBytes() - rssBefore) / MB;
  const liveMb = (liveBytes() - before) / MB;
  const rssMb = (process.memoryUsage.rss() - rssBefore) / MB;
  if (!prompt) await takeAll();
  check.complete();
  return { liveMb, rssMb, peakMb, left };
}
