import type { ThreadItem } from "codexwright/protocol";
import type { ClientConnection } from "codexwright/endpoint";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import type { TurnRecord } from "../records/record.ts";
import { itemCompleted, legacyMessage } from "../records/to-rollout.ts";

/** Options for completing an item. */
export interface CompleteOptions {
  /** The turn that stores the item; default: the running turn. */
  readonly record?: TurnRecord;
  /** The clients to notify; default: all subscribers of the thread. */
  readonly audience?: readonly ClientConnection[];
}

/** The items of a running turn. Notifies clients when items start and complete, and stores completed items. */
export class TurnItems {
  readonly #thread: LoadedThread;
  readonly #record: TurnRecord;
  readonly #turnId: string;
  readonly #begun = new Map<string, number>();

  constructor(thread: LoadedThread, record: TurnRecord) {
    this.#thread = thread;
    this.#record = record;
    this.#turnId = record.id;
  }

  start(item: ThreadItem): void {
    const startedAtMs = Date.now();
    this.#begun.set(idOf(item), startedAtMs);
    this.#thread.notify("item/started", {
      item: { ...item, startedAtMs, completedAtMs: null },
      threadId: this.#thread.id,
      turnId: this.#turnId,
      startedAtMs,
    });
  }

  complete(item: ThreadItem, { record = this.#record, audience }: CompleteOptions = {}): ThreadItem {
    const completedAtMs = Date.now();
    const startedAtMs = this.startedAtMs(idOf(item)) ?? completedAtMs;
    const whole = { ...item, startedAtMs, completedAtMs };
    record.items.push({
      ordinal: this.#thread.note(itemCompleted(this.#thread.id, record.id, whole)),
      item: whole,
    });
    if (this.#thread.record.historyMode === "legacy") {
      for (const entry of legacyMessage(whole)) this.#thread.note(entry);
    }
    this.#thread.save();
    const params = { item: whole, threadId: this.#thread.id, turnId: this.#turnId, completedAtMs };
    if (audience) for (const client of audience) client.notify("item/completed", params);
    else this.#thread.notify("item/completed", params);
    return whole;
  }

  /** Starts an item and completes it immediately. */
  whole(item: ThreadItem): void {
    this.start(item);
    this.complete(item);
  }

  startedAtMs(id: string): number | undefined {
    return this.#begun.get(id);
  }
}

function idOf(item: ThreadItem): string {
  return (item as { id?: string }).id ?? "";
}
