import { expectTypeOf, test } from "vitest";
import type { Realtime, RealtimeEvent, Thread } from "codexwright";
import type { ThreadRealtimeClosedNotification } from "codexwright/protocol";

declare const thread: Thread;
declare const event: RealtimeEvent;

test("a conversation yields the wire's notifications, typed by method, and no audio", () => {
  expectTypeOf(thread.realtime({ prompt: null, model: "m" })).resolves.toEqualTypeOf<Realtime>();
  expectTypeOf<Realtime>().toExtend<AsyncIterable<RealtimeEvent> & AsyncDisposable>();
  expectTypeOf<Realtime["closed"]>().resolves.toEqualTypeOf<ThreadRealtimeClosedNotification>();
  if (event.method === "thread/realtime/transcript/delta") expectTypeOf(event.params.delta).toBeString();
  expectTypeOf<"thread/realtime/outputAudio/delta">().not.toExtend<RealtimeEvent["method"]>();
});

test("a text conversation does not accept audio options", () => {
  // @ts-expect-error -- it is always text
  void thread.realtime({ outputModality: "audio" });
  // @ts-expect-error -- text has no voice
  void thread.realtime({ voice: "marin" });
  expectTypeOf<Realtime["appendText"]>().parameter(0).toBeString();
});
