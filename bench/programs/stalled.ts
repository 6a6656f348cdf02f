import { CodexClient } from "codexwright";
import { DELTA_METHOD, DeltaCheck } from "../lib/deltas.ts";
import type { Figures } from "../lib/sample.ts";
import { liveBytes, peakRssBytes } from "../lib/usage.ts";

const MB = 1024 * 1024;

/**
 * A consumer that reads one event, sleeps until the turn has ended, and then reads the rest. With `prompt` it
 * reads every event as it arrives, to show the memory of an ordinary stream.
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
  // The first event of a turn is its start, not a delta.
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
