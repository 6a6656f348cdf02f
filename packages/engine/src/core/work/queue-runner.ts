import type { QueuedSubmission } from "codexwright/protocol";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import type { ThreadsHost } from "../threads/threads-host.ts";
import { TurnRun } from "../turn/turn-run.ts";
import { answering, goingOn } from "./turn-work.ts";

/** Starts queued submissions as turns. */
export class QueueRunner {
  readonly #host: ThreadsHost;

  constructor(host: ThreadsHost) {
    this.#host = host;
  }

  /** Starts the next submission of a thread if no turn runs. After an interrupt, the queue waits for a client. */
  async advance(thread: LoadedThread): Promise<void> {
    const run = await this.take(thread);
    if (run) this.#host.loaded.launch(run);
  }

  /**
   * Takes a submission from the queue of an idle thread: the first, or the one that is named. Returns the turn that must
   * be launched. Returns `undefined` if a turn runs, or if there is no such submission.
   */
  async take(thread: LoadedThread, id?: string): Promise<TurnRun | undefined> {
    const { queues, loaded } = this.#host;
    if (thread.record.ephemeral || (thread.queuePaused && id === undefined)) return undefined;
    // A thread of another provider has no turns here.
    if (thread.settings.modelProvider !== this.#host.provider.id) return undefined;
    let run: TurnRun | undefined;
    try {
      await queues.change(thread.id, (queue) => {
        const next = id === undefined ? queue[0] : queue.find((each) => each.id === id);
        if (!next || thread.turn || loaded.get(thread.id) !== thread) return undefined;
        thread.queuePaused = false;
        loaded.warnOfModel(thread);
        // From here on, the thread has this turn, so no other can begin.
        run = this.#runOf(thread, next);
        return queue.filter((each) => each !== next);
      });
    } catch (error) {
      if (!run) throw error;
      // The submission runs now, so it must not run again by itself.
      thread.queuePaused = true;
      this.#host.failed(error);
    }
    if (!run) return undefined;
    thread.notify("thread/queue/changed", { threadId: thread.id });
    return run;
  }

  #runOf(thread: LoadedThread, { input, clientUserMessageId }: QueuedSubmission): TurnRun {
    const work = answering({ input, clientId: clientUserMessageId });
    return new TurnRun(this.#host, thread, { kind: "turn", work, more: goingOn });
  }
}
