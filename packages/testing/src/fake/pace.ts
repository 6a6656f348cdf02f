import type { Pace } from "@codexwright/engine";
import { setImmediate as nextTask, setTimeout as delay } from "node:timers/promises";

/** Between two steps of a turn. A step is written apart from the one before it, and read apart from it as a rule. */
const STEP_MS = 1;
/**
 * Between the answer to the request that starts a turn and the first event of the turn, as on the real server. There
 * are clients that listen for events only once they have read the answer.
 */
const TURN_MS = 25;

/**
 * The time that a fake server takes, like the real one, so that clients never get a whole turn in one read.
 *
 * A client in the same process reads what was written before the next task runs: there a pause is one task. To a
 * client of another process only time sets two writes apart.
 */
export class FakePace implements Pace {
  #remote = 0;

  /** A client of another process has connected. Returns the function to call when it has gone. */
  remote(): () => void {
    this.#remote++;
    let gone = false;
    return () => {
      if (!gone) this.#remote--;
      gone = true;
    };
  }

  /** Lets clients read what was written before the turn goes on. */
  step(): Promise<void> {
    return this.#pause(STEP_MS);
  }

  /** The same, before a turn begins. */
  turn(): Promise<void> {
    return this.#pause(TURN_MS);
  }

  async #pause(ms: number): Promise<void> {
    if (this.#remote > 0) await delay(ms);
    // When the process was held up, a timer is late: sockets are read between it and the next task.
    await nextTask();
  }
}
