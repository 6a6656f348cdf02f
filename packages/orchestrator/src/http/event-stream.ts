import type { FleetEvent } from "../domain/events.ts";
import { apiEvent } from "../observe/api-issue.ts";

const ENCODER = new TextEncoder();

/**
 * A stream of server-sent events. An event is read only when the connection takes it, so a slow reader costs no memory;
 * one that stops reading is disconnected by the idle limit of the server, and can continue with `Last-Event-ID`.
 */
export function eventStream(
  events: AsyncIterable<FleetEvent>,
  { heartbeatMs, signal, done }: { heartbeatMs: number; signal: AbortSignal; done: () => void },
): ReadableStream<Uint8Array> {
  const iterator = events[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<FleetEvent>> | undefined;
  let end: () => void = () => {};
  const ended = new Promise<"ended">((resolve) => (end = () => resolve("ended")));
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  const finish = (): void => {
    signal.removeEventListener("abort", end);
    done();
    // The read that is under way ends by the signal.
    next?.catch(() => {});
    iterator.return?.().catch(() => {});
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Headers and this line reach the reader at once, also if nothing happens for a while.
        controller.enqueue(ENCODER.encode("retry: 1000\n\n"));
      },
      async pull(controller) {
        next ??= iterator.next();
        const beat = heartbeat(heartbeatMs);
        // A job store that fails ends the stream. The reader connects again, and receives the reason as a 503.
        const result = await Promise.race([next, beat.due, ended]).catch(() => "ended" as const);
        beat.cancel();
        if (result === "due") return controller.enqueue(ENCODER.encode(": waiting\n\n"));
        next = result === "ended" ? next : undefined;
        if (result === "ended" || result.done) {
          finish();
          return controller.close();
        }
        controller.enqueue(ENCODER.encode(textOf(result.value)));
      },
      cancel: finish,
    },
    { highWaterMark: 1 },
  );
}

/** JSON has no line feeds, so the data is one line. */
function textOf(event: FleetEvent): string {
  return `id: ${event.seq}\nevent: ${event.event}\ndata: ${JSON.stringify(apiEvent(event))}\n\n`;
}

function heartbeat(ms: number): { readonly due: Promise<"due">; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const due = new Promise<"due">((resolve) => (timer = setTimeout(resolve, ms, "due")));
  return { due, cancel: () => clearTimeout(timer) };
}
