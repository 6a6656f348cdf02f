import { expect } from "vitest";
import type { RealtimeEvent } from "codexwright";
import { reply } from "@codexwright/testing";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { deferred, rejection } from "@codexwright/test-support/events";
import {
  realtimeUpstream,
  textOf,
  utterance,
  type UpstreamAnswer,
  type UpstreamEvent,
} from "@codexwright/test-support/realtime-upstream";
import { verifies } from "@codexwright/test-support/verifies";
import { killAll, PINNED, processesOf, world } from "@codexwright/test-support/world";

/** Repeats every message in two pieces, or follows the instructions in it. */
function speaking(event: UpstreamEvent): UpstreamAnswer {
  const text = textOf(event);
  if (text === undefined) return [];
  if (text === "[USER] close") return "close";
  if (text === "[USER] reset") return "reset";
  if (text === "[USER] fail") return [{ type: "error", message: "upstream boom" }];
  return utterance("You said ", `${text}.`);
}

async function heard(realtime: AsyncIterable<RealtimeEvent>): Promise<string[]> {
  const seen: string[] = [];
  for await (const event of realtime) {
    if (event.method === "thread/realtime/transcript/delta") seen.push(event.params.delta);
    if (event.method !== "thread/realtime/transcript/done") continue;
    seen.push(event.params.text);
    break;
  }
  return seen;
}

for (const version of ["0.145.0", "0.155.0", "0.166.0"])
  verifies(
    ["realtime.text", "realtime.ends", "realtime.one"],
    `a text conversation with ${version}: input, output and its end`,
    async () => {
      using upstream = await realtimeUpstream(speaking);
      const { config } = upstream;
      await using live = await world([], { codexPath: await codexBinary(version), config });
      const thread = await live.codex.startThread();
      {
        await using realtime = await thread.realtime({ prompt: "Be brief." });
        await realtime.appendText("hello");
        expect(await heard(realtime)).toEqual(["You said ", "[USER] hello.", "You said [USER] hello."]);
        await realtime.appendText("a fact", { role: "developer" });
        expect(await heard(realtime)).toEqual(["You said ", "a fact.", "You said a fact."]);
        await realtime.stop();
        expect(await realtime.closed).toEqual({ threadId: thread.id, reason: "requested" });
        const rest: string[] = [];
        for await (const { method } of realtime) rest.push(method);
        expect(rest.at(-1)).toBe("thread/realtime/closed");
      }
      expect(upstream.received[0]).toMatchObject({
        type: "session.update",
        session: { instructions: "Be brief.\n\nnone", output_modalities: ["text"] },
      });

      const again = await thread.realtime();
      await again.appendText("close");
      expect(await again.closed).toMatchObject({ reason: "transport_closed" });

      const replaced = await thread.realtime();
      expect(await rejection(thread.realtime())).toMatchObject({ code: "thread_busy" });
      // A raw request, as another client would send it. Some servers report the end of the old conversation, some do
      // not.
      const other = new Promise((resolve) => live.codex.onNotification("thread/realtime/started", resolve));
      await live.codex.request("thread/realtime/start", { threadId: thread.id, outputModality: "text" });
      const outcome = await replaced.closed.catch((error: unknown) => error);
      expect(outcome).toMatchObject(
        version === "0.166.0" ? { reason: "requested" } : { code: "realtime_failed" },
      );
      await other;

      const last = await thread.realtime();
      expect(await thread.unsubscribe()).toBe("unsubscribed");
      expect(await last.closed).toMatchObject({ reason: "requested" });
    },
    { against: `codex ${version}`, timeoutMs: 180_000 },
  );

verifies(
  ["realtime.failure", "realtime.ends"],
  "failures of the upstream, the thread or the server are reported and never block",
  async () => {
    using upstream = await realtimeUpstream(speaking);
    await using live = await world([reply("stored")], { config: upstream.config });
    const thread = await live.codex.startThread();
    await thread.run("so that it can be archived");
    for (const [text, message] of [
      ["fail", "upstream boom"],
      ["reset", "Connection reset"],
    ] as const) {
      const realtime = await thread.realtime();
      await realtime.appendText(text);
      const error = await rejection(heard(realtime));
      expect(error).toMatchObject({ code: "realtime_failed" });
      expect(String(error)).toContain(message);
    }
    const orphan = await thread.realtime();
    await thread.archive();
    expect(await rejection(orphan.closed)).toMatchObject({ message: "its thread was archived" });

    const other = await live.codex.startThread();
    const cut = await other.realtime();
    killAll(processesOf(live.server.root));
    expect(await rejection(cut.closed)).toMatchObject({ code: "connection_closed", exitSignal: "SIGKILL" });
    expect(await rejection(other.realtime())).toMatchObject({ code: "connection_closed" });
  },
  PINNED,
);

verifies(
  ["realtime.failure", "realtime.unsupported"],
  "without a key, fails with the server's reason; older servers need a flag or have no text conversations",
  async () => {
    await using live = await world([]);
    const thread = await live.codex.startThread();
    expect(await rejection(thread.realtime())).toMatchObject({
      code: "realtime_failed",
      message: "realtime conversation requires API key auth",
    });
    for (const version of ["0.120.0", "0.145.0"]) {
      await using old = await world([], { codexPath: await codexBinary(version) });
      const one = await old.codex.startThread();
      expect(await rejection(one.realtime())).toMatchObject({ code: "unsupported" });
    }
  },
  { ...PINNED, timeoutMs: 180_000 },
);

verifies(
  "realtime.ends",
  "ends a conversation whose upstream is silent, and does not mix it up with the next conversation",
  async () => {
    using upstream = await realtimeUpstream(speaking, { mute: 1 });
    await using live = await world([], { config: upstream.config });
    const thread = await live.codex.startThread();
    expect(await rejection(thread.realtime({ timeoutMs: 500 }))).toMatchObject({ code: "request_timeout" });
    const next = thread.realtime();
    upstream.reset();
    await using realtime = await next;
    await realtime.appendText("hello");
    expect(await heard(realtime)).toContain("You said [USER] hello.");
  },
  PINNED,
);

verifies(
  "realtime.handoff",
  "a handoff of the conversation runs as a turn of the thread, and its answer is returned",
  async () => {
    const task = {
      type: "conversation.item.done",
      item: {
        id: "item_1",
        type: "function_call",
        name: "background_agent",
        call_id: "call_1",
        arguments: JSON.stringify({ prompt: "count the files" }),
      },
    };
    const answered = deferred<string>();
    using upstream = await realtimeUpstream((event) => {
      const text = textOf(event);
      if (text?.startsWith("[BACKEND]")) answered.resolve(text);
      return text === "[USER] how many files?" ? [task] : [];
    });
    await using live = await world([reply("Three files.")], { config: upstream.config });
    const thread = await live.codex.startThread();
    await using realtime = await thread.realtime();
    const turn = new Promise<string>((resolve) => {
      thread.subscribe((state, { method }) => {
        if (method === "turn/completed") resolve(state.turns.at(-1)?.status ?? "");
      });
    });
    await realtime.appendText("how many files?");
    expect(await turn).toBe("completed");
    expect(await answered.promise).toContain("Three files.");
    expect(live.model.requests[0]?.lastUserText).toContain("count the files");
    for await (const event of realtime) {
      if (event.method !== "thread/realtime/itemAdded") continue;
      expect(event.params.item).toMatchObject({ type: "handoff_request", handoff_id: "call_1" });
      break;
    }
  },
  PINNED,
);
