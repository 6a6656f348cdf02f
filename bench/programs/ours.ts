import type { CodexClient, Thread } from "codexwright";
import { connect } from "../lib/connect.ts";
import { DELTA_METHOD } from "../lib/deltas.ts";
import type { TransportName } from "../lib/listening.ts";
import { Checks, loadOf, messagesOf, threadsOf, type Load } from "../lib/load.ts";
import { measured } from "../lib/measured.ts";
import type { Figures } from "../lib/sample.ts";

/** Prepares a client and returns the function to measure, from the start of the turns to their end. */
type Way = (codex: CodexClient, load: Load, checks: Checks) => Promise<() => Promise<void>>;

/** Consumes a stream of deltas in one of codexwright's ways. */
export async function run(way: string, transport: string, server: string, word: string): Promise<Figures> {
  const load = loadOf(word);
  const checks = new Checks(load);
  await using connected = await connect(transport as TransportName, server);
  const prepare = WAYS[way];
  if (!prepare) throw new Error(`there is no way "${way}"`);
  const work = await prepare(connected.codex, load, checks);
  const figures = await measured(messagesOf(load), work);
  if (way !== "unlistened") checks.complete();
  return figures;
}

const WAYS: Readonly<Record<string, Way>> = {
  /** With a listener, while the turns run as usual. */
  async callback(codex, load, checks) {
    const threads = await startAll(codex, load);
    codex.onNotification(DELTA_METHOD, ({ threadId, delta }) => checks.take(threadId, delta));
    return () => forAll(threads, async (thread) => void (await thread.run("go")));
  },

  async iterator(codex, load, checks) {
    const threads = await startAll(codex, load);
    return () =>
      forAll(threads, async (thread) => {
        const check = checks.of(thread.id);
        for await (const event of thread.turn("go")) {
          if (event.method === DELTA_METHOD) check.take(event.params.delta);
        }
      });
  },

  /** With a listener that reads the state after each event, like a screen. */
  async state(codex, load, checks) {
    const threads = await startAll(codex, load);
    for (const thread of threads) {
      let length = 0;
      thread.subscribe((state, event) => {
        if (event.method !== DELTA_METHOD) return;
        const item = state.turns.at(-1)?.items.at(-1)?.item;
        const text = item?.type === "agentMessage" ? item.text : "";
        if (text.length !== length + event.params.delta.length)
          throw new Error("the state is not up to date");
        length = text.length;
        checks.take(thread.id, event.params.delta);
      });
    }
    return () => forAll(threads, async (thread) => void (await thread.run("go")));
  },

  /** Subscribes to the threads with plain requests, without a handle or a listener. */
  async unlistened(codex, load) {
    const threads = threadsOf(load);
    for (const { threadId } of threads) await codex.request("thread/resume", { threadId });
    return async () => {
      const turns = threads.map(({ threadId }) => codex.request("turn/start", { threadId, input: [] }));
      await Promise.all(turns);
      // The server answers in order, so this answer arrives after everything else.
      await codex.request("thread/loaded/list", {});
    };
  },
};

async function startAll(codex: CodexClient, { threads }: Load): Promise<Thread[]> {
  const started: Thread[] = [];
  for (let n = 0; n < threads; n++) started.push(await codex.startThread());
  return started;
}

async function forAll(threads: readonly Thread[], work: (thread: Thread) => Promise<void>): Promise<void> {
  await Promise.all(threads.map(work));
}
