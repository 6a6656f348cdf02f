import { DeltaCheck, idsOf, LengthCheck, type Ids, type TextCheck } from "./deltas.ts";

/** The stream of a server: a number of deltas in each of several threads, or one very long delta. */
export interface Load {
  readonly threads: number;
  /** Deltas in each thread. */
  readonly count: number;
  /** Characters of each delta; 0 = short numbered pieces. */
  readonly length: number;
  /** The number of messages in one write. */
  readonly batch: number;
}

export const BATCH = 1_000;

/** Encodes a load as one word for a command line. */
export function wordOf({ threads, count, length, batch }: Load): string {
  return [threads, count, length, batch].join("x");
}

export function loadOf(word: string): Load {
  const [threads = 1, count = 1, length = 0, batch = BATCH] = word.split("x").map(Number);
  return { threads, count, length, batch };
}

/** The number of messages that carry text. */
export function messagesOf({ threads, count }: Load): number {
  return threads * count;
}

export function threadsOf({ threads }: Load): Ids[] {
  return Array.from({ length: threads }, (_, n) => idsOf(n));
}

/** A check for the text of each thread, by thread id. */
export class Checks {
  readonly #byThread: ReadonlyMap<string, TextCheck>;

  constructor(load: Load) {
    const make = (): TextCheck =>
      load.length > 0 ? new LengthCheck(load.count * load.length) : new DeltaCheck(load.count);
    this.#byThread = new Map(threadsOf(load).map(({ threadId }) => [threadId, make()]));
  }

  take(threadId: string, text: string): void {
    this.of(threadId).take(text);
  }

  of(threadId: string): TextCheck {
    const check = this.#byThread.get(threadId);
    if (!check) throw new Error(`no text is expected for thread ${threadId}`);
    return check;
  }

  complete(): void {
    for (const check of this.#byThread.values()) check.complete();
  }
}
