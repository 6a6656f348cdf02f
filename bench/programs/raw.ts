import { DELTA_METHOD } from "../lib/deltas.ts";
import type { TransportName } from "../lib/listening.ts";
import { Checks, loadOf, messagesOf, threadsOf } from "../lib/load.ts";
import { measured } from "../lib/measured.ts";
import { openRaw } from "../lib/raw-channel.ts";
import type { Figures } from "../lib/sample.ts";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params: { readonly threadId: string; readonly delta: string };
}

/** The least that a client can do: split messages, parse each one, count. */
export async function run(transport: string, server: string, word: string): Promise<Figures> {
  const load = loadOf(word);
  const checks = new Checks(load);
  await using channel = await openRaw(transport as TransportName, server);
  let answered = (_id: number): void => {};
  let ended = (): void => {};
  let left = load.threads;
  channel.onText((text) => {
    const { id, method, params } = JSON.parse(text) as Message;
    if (method === DELTA_METHOD) checks.take(params.threadId, params.delta);
    else if (method === "turn/completed" && --left === 0) ended();
    else if (id !== undefined) answered(id);
  }, load.length > 0);
  const request = (id: number, method: string, params: object): Promise<void> =>
    new Promise((resolve) => {
      answered = (answer) => answer === id && resolve();
      channel.send({ id, method, params });
    });
  await request(0, "initialize", { clientInfo: { name: "raw", version: "0" } });
  channel.send({ method: "initialized" });
  for (const [n] of threadsOf(load).entries()) await request(n + 1, "thread/start", {});
  const figures = await measured(messagesOf(load), async () => {
    await new Promise<void>((resolve) => {
      ended = resolve;
      for (const [n, { threadId }] of threadsOf(load).entries()) {
        channel.send({ id: 10_000 + n, method: "turn/start", params: { threadId, input: [] } });
      }
    });
  });
  checks.complete();
  return figures;
}
