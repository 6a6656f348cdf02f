import type { Pace } from "@codexwright/engine";
import { setImmediate as nextTask, setTimeout as delay } from "node:timers/promises";

/**
 * The pause between two steps of a turn. It makes the server write steps separately, so that clients usually read them
 * separately.
 */
const STEP_MS = 1;
/**
 * The pause between the answer to the request that starts a turn and the first event of the turn, as on the
 * real server. Some clients listen for events only once they have read the answer.
 */
const TURN_MS = 25;

/**
 * Paces a fake server like the real one, so that clients never receive a whole turn in one read.
 *
 * A client in the same process reads all written lines before the next task runs, so a pause of one task is enough. For
 * a client in another process, only time separates two writes.
 */
export class FakePace implements Pace {
  #remote = 0;

  /** Call this when a client in another process connects. Call the returned function when that client leaves. */
  remote(): () => void {
    this.#remote++;
    let gone = false;
    return () => {
      if (!gone) this.#remote--;
      gone = true;
    };
  }

  /** Lets clients read what was written before the turn continues. */
  step(): Promise<void> {
    return this.#pause(STEP_MS);
  }

  /** Lets clients read what was written before a turn starts. */
  turn(): Promise<void> {
    return this.#pause(TURN_MS);
  }

  async #pause(ms: number): Promise<void> {
    if (this.#remote > 0) await delay(ms);
    // If the process was blocked, the timer fires late. Sockets are read between a timer and the next task, so one more
    // task lets clients read.
    await nextTask();
  }
}
