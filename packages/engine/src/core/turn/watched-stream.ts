import { offAbort, onAbort } from "codexwright/internal";
import { beforeRequest, type HookHost } from "../hooks.ts";
import type { ModelEvent, ModelProvider, ModelRequest } from "../ports.ts";
import { ModelError } from "./model-error.ts";
import { ResponseSize } from "./response-size.ts";
import { unlessStuck } from "./unless-stuck.ts";

/** The longest time that one response may take, whatever it contains. */
export const LONGEST_RESPONSE_MS: number = 60 * 60_000;

/** The parts of an engine that a model request needs. */
export interface ModelHost extends HookHost {
  readonly provider: ModelProvider;
  readonly streamIdleMs: number;
}

/**
 * Streams one response. The stream is aborted with a `ModelError` if no event arrives for `streamIdleMs`, or if the
 * response takes too long or is too large.
 */
export async function* watchedStream(
  host: ModelHost,
  planned: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { provider, clock, streamIdleMs } = host;
  const request = await beforeRequest(host, planned, signal);
  const stop = new AbortController();
  const abort = (): void => stop.abort(signal.reason);
  signal.throwIfAborted();
  onAbort(signal, abort);
  const begun = clock.now();
  let last = begun;
  const size = new ResponseSize();
  let cancel = (): void => {};
  const watch = (): void => {
    const now = clock.now();
    const idle = last + streamIdleMs - now;
    const whole = begun + LONGEST_RESPONSE_MS - now;
    if (idle <= 0) return stop.abort(silent());
    if (whole <= 0) return stop.abort(endless());
    cancel = clock.after(Math.min(idle, whole), watch);
  };
  watch();
  const events = provider.stream(request, stop.signal)[Symbol.asyncIterator]();
  let asked = false;
  try {
    for (;;) {
      asked = true;
      // A provider that ignores the signal does not hold up the turn.
      const next = await unlessStuck(stop.signal, events.next());
      asked = false;
      if (next.done) return;
      last = clock.now();
      size.add(next.value);
      yield next.value;
    }
  } finally {
    cancel();
    offAbort(signal, abort);
    const left = Promise.resolve(events.return?.());
    // A provider that is still asked for an event answers this only after that event.
    if (asked) left.catch(() => {});
    else await left;
  }
}

function silent(): ModelError {
  return new ModelError("idle timeout waiting for SSE", { phase: "stream" });
}

function endless(): ModelError {
  const minutes = LONGEST_RESPONSE_MS / 60_000;
  return new ModelError(`the response took longer than ${minutes} minutes`, { phase: "stream", final: true });
}
