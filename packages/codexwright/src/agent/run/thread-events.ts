import type { Thread } from "../../client/index.ts";
import { fullName } from "../../tools/tool-check.ts";
import type { ThreadItem } from "../../protocol/index.ts";
import { RecentMap } from "../../rpc/recent-map.ts";
import type { Clock } from "../clock.ts";
import type { Activity } from "./activity.ts";
import { nativeCall, nativeInvoked } from "./native-tools.ts";
import type { RunRecorder } from "./recorder.ts";

/** Maximum number of open calls whose start times are kept. */
const CALLS_KEPT = 1_024;

/** An event of a thread as `thread.subscribe` emits it. */
export type SubscribedEvent = Parameters<Parameters<Thread["subscribe"]>[0]>[1];

/** Converts events of the run's thread into events of the run. */
export class ThreadEvents {
  readonly #recorder: RunRecorder;
  readonly #clock: Clock;
  readonly #activity: Activity;
  /** Start times of calls, for servers that do not report a duration. */
  readonly #began = new RecentMap<string, number>(CALLS_KEPT);
  #attempts = 0;

  constructor(recorder: RunRecorder, clock: Clock, activity: Activity) {
    this.#recorder = recorder;
    this.#clock = clock;
    this.#activity = activity;
  }

  take(event: SubscribedEvent): void {
    switch (event.method) {
      case "turn/started":
        this.#attempts = 0;
        this.#recorder.place = { threadId: event.params.threadId, turnId: event.params.turn.id };
        return this.#recorder.emit({ type: "turn.started" });
      case "item/agentMessage/delta": {
        const { itemId, delta } = event.params;
        return this.#recorder.emit({ type: "text.delta", itemId, delta });
      }
      case "item/started":
        return this.#started(event.params.item);
      case "item/completed":
        return this.#completed(event.params.item);
      case "error":
        if (!event.params.willRetry) return;
        return this.#recorder.emit({
          type: "retrying",
          attempt: ++this.#attempts,
          message: event.params.error.message,
        });
      case "warning":
        return this.#recorder.warn(event.params.message);
      default:
        return;
    }
  }

  #started(item: ThreadItem): void {
    const call =
      item.type === "dynamicToolCall"
        ? ({ origin: "app", name: fullName(item.tool, item.namespace), params: item.arguments } as const)
        : nativeCall(item);
    if (!call) return;
    this.#began.set(item.id, this.#clock.now());
    // Calls to tools of the application are tracked by `Activity.watching`, from the request to its answer.
    if (call.origin !== "app") this.#activity.begin(item.id, `the tool ${call.name}`);
    this.#recorder.emit({ type: "tool.started", ...call, callId: item.id });
  }

  #completed(item: ThreadItem): void {
    if (item.type === "agentMessage") {
      const { id: itemId, phase, text } = item;
      return this.#recorder.emit({ type: "message", itemId, phase: phase ?? undefined, text });
    }
    if (item.type === "reasoning") {
      const text = [...(item.summary ?? []), ...(item.content ?? [])].join("\n");
      return this.#recorder.emit({ type: "reasoning", itemId: item.id, text });
    }
    // Calls to tools of the application were already reported when they were answered.
    const call = nativeCall(item);
    if (!call) return;
    const now = this.#clock.now();
    const durationMs = now - (this.#began.get(item.id) ?? now);
    this.#began.delete(item.id);
    this.#activity.end(item.id);
    this.#recorder.emit(nativeInvoked(item, call, durationMs));
  }
}
