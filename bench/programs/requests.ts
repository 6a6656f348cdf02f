import { connect } from "../lib/connect.ts";
import type { TransportName } from "../lib/listening.ts";
import { measured } from "../lib/measured.ts";
import { openRaw } from "../lib/raw-channel.ts";
import type { Figures } from "../lib/sample.ts";

/** Sends requests as fast as they are answered, with at most `most` of them in flight. */
export async function inFlight(count: number, most: number, request: () => Promise<unknown>): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await request();
  };
  await Promise.all(Array.from({ length: most }, worker));
}

export async function run(
  who: string,
  transport: string,
  server: string,
  count: string,
  most: string,
): Promise<Figures> {
  const work = who === "raw" ? raw : ours;
  return await work(transport as TransportName, server, Number(count), Number(most));
}

async function ours(transport: TransportName, server: string, count: number, most: number): Promise<Figures> {
  await using connected = await connect(transport, server, { maxInFlight: most });
  const { codex } = connected;
  return await measured(count, () => inFlight(count, most, () => codex.request("thread/loaded/list", {})));
}

/** Uses ids and a map of pending calls, nothing else. */
async function raw(transport: TransportName, server: string, count: number, most: number): Promise<Figures> {
  await using channel = await openRaw(transport, server);
  const waiting = new Map<number, (result: unknown) => void>();
  channel.onText((text) => {
    const { id, result } = JSON.parse(text) as { id: number; result: unknown };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let next = 0;
  const request = (method: string): Promise<unknown> =>
    new Promise((resolve) => {
      const id = next++;
      waiting.set(id, resolve);
      channel.send({ id, method, params: {} });
    });
  await request("initialize");
  return await measured(count, () => inFlight(count, most, () => request("thread/loaded/list")));
}
