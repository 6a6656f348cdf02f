import type { EngineHost } from "../host.ts";
import type { LoadedThread } from "./loaded-thread.ts";

/** Unloads threads that have had neither a client nor a running turn for a while. */
export class IdleThreads {
  readonly #host: EngineHost;
  readonly #unload: (thread: LoadedThread) => Promise<void>;
  readonly #waits = new Map<LoadedThread, () => void>();

  constructor(host: EngineHost, unload: (thread: LoadedThread) => Promise<void>) {
    this.#host = host;
    this.#unload = unload;
  }

  /** Call this when the thread has lost its last client, or when its turn has ended. The wait begins anew. */
  rested(thread: LoadedThread): void {
    this.forget(thread);
    if (!isUnused(thread)) return;
    const cancel = this.#host.clock.after(thread.unloadMs, () => this.#due(thread), true);
    this.#waits.set(thread, cancel);
  }

  /** Call this when the thread is unloaded. */
  forget(thread: LoadedThread): void {
    this.#waits.get(thread)?.();
    this.#waits.delete(thread);
  }

  #due(thread: LoadedThread): void {
    this.#waits.delete(thread);
    if (!isUnused(thread)) return;
    this.#unload(thread).then(
      () => this.#host.endpoint.broadcast("thread/closed", { threadId: thread.id }),
      (error: unknown) => this.#host.failed(error),
    );
  }
}

/** Whether no client follows the thread, and no turn runs on it. Commands that a turn left running do not count. */
export function isUnused(thread: LoadedThread): boolean {
  return thread.turn === undefined && thread.channel.subscribers.length === 0;
}
