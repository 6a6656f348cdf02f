import { offAbort, onAbort } from "../../rpc/on-abort.ts";
import type { ToolEffects } from "../../client/tools/tool.ts";

const schedulers = new WeakMap<object, ToolScheduler>();

/** The one for all who change this: a rollback of one must not take what another did. */
export function schedulerOf(shared: object): ToolScheduler {
  const scheduler = schedulers.get(shared) ?? new ToolScheduler();
  schedulers.set(shared, scheduler);
  return scheduler;
}

/**
 * Decides when a tool may run: `readonly` ones at once, the others one after the other in the order in which they came,
 * because a rollback takes back whatever was changed meanwhile.
 */
export class ToolScheduler {
  readonly #waiting: (() => void)[] = [];
  #busy = false;

  /**
   * Waits for the tool's turn. The function it gives ends that turn and must be called.
   *
   * Rejects with the signal's reason where that aborts first; then the tool has lost its place.
   */
  async enter(effects: ToolEffects, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (effects === "readonly") return () => {};
    if (this.#busy) await this.#wait(signal);
    this.#busy = true;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#next();
    };
  }

  async #wait(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        offAbort(signal, leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      this.#waiting.push(enter);
      onAbort(signal, leave);
    });
  }

  /** The turn goes straight to the next one: whoever comes meanwhile finds it taken. */
  #next(): void {
    const enter = this.#waiting.shift();
    if (enter) enter();
    else this.#busy = false;
  }
}
