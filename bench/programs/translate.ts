import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { connect } from "../lib/connect.ts";
import { DELTA_METHOD, idsOf } from "../lib/deltas.ts";
import { Checks, loadOf, messagesOf } from "../lib/load.ts";
import { measured } from "../lib/measured.ts";
import { openRaw } from "../lib/raw-channel.ts";
import type { Figures } from "../lib/sample.ts";

/**
 * Forwards every delta to another process in the Agent Client Protocol, with one write each: the work of an
 * adapter.
 */
export async function run(who: string, server: string, word: string): Promise<Figures> {
  const sink = spawn("cat", { stdio: ["pipe", "ignore", "inherit"] });
  try {
    return await (who === "raw" ? raw : ours)(server, word, sink.stdin);
  } finally {
    sink.stdin.end();
    await once(sink, "exit");
  }
}

function updateOf(threadId: string, text: string): string {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  return `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: threadId, update } })}\n`;
}

async function ours(server: string, word: string, sink: Writable): Promise<Figures> {
  const load = loadOf(word);
  const checks = new Checks(load);
  await using connected = await connect("stdio", server);
  const thread = await connected.codex.startThread();
  const figures = await measured(messagesOf(load), async () => {
    for await (const event of thread.turn("go")) {
      if (event.method !== DELTA_METHOD) continue;
      const { threadId, delta } = event.params;
      checks.take(threadId, delta);
      if (!sink.write(updateOf(threadId, delta))) await once(sink, "drain");
    }
  });
  checks.complete();
  return figures;
}

interface Message {
  readonly method?: string;
  readonly params: { readonly threadId: string; readonly delta: string };
}

async function raw(server: string, word: string, sink: Writable): Promise<Figures> {
  const load = loadOf(word);
  const checks = new Checks(load);
  await using channel = await openRaw("stdio", server);
  let ended = (): void => {};
  channel.onText((text) => {
    const { method, params } = JSON.parse(text) as Message;
    if (method === DELTA_METHOD) {
      checks.take(params.threadId, params.delta);
      sink.write(updateOf(params.threadId, params.delta));
    } else if (method === "turn/completed") ended();
  });
  channel.send({ id: 0, method: "initialize", params: {} });
  const figures = await measured(
    messagesOf(load),
    () =>
      new Promise<void>((resolve) => {
        ended = resolve;
        channel.send({ id: 1, method: "turn/start", params: { threadId: idsOf(0).threadId, input: [] } });
      }),
  );
  checks.complete();
  return figures;
}
