import {
  usageSince,
  type CodexClient,
  type Thread,
  type TurnEvent,
  type TurnUsage,
} from "../../client/index.ts";
import type { ThreadTokenUsageUpdatedNotification } from "../../protocol/index.ts";
import type { SubscribedEvent } from "./thread-events.ts";

/** Zero usage. */
export const NO_USAGE: TurnUsage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningOutputTokens: 0,
  totalTokens: 0,
};

/** Callbacks of a thread family. */
export interface FamilyListener {
  /** Something was heard of a thread of the family: any event, deltas included. */
  heard(): void;
  /** The total usage of a thread since that thread joined. */
  used(usage: TurnUsage, at: { readonly threadId: string; readonly turnId: string | undefined }): void;
  /** An event on the run's own thread. */
  event(event: SubscribedEvent): void;
  /** A sub-agent has joined. Returns a function to call when it leaves. */
  joined(threadId: string): () => void;
  /** A sub-agent could not join because too many are active. Called once. */
  crowded(most: number): void;
}

/**
 * Maximum number of sub-agents in a family. A server can report any number of sub-agent ids, even of threads that do
 * not exist.
 */
const MOST_AGENTS = 1_024;

/** Timeout for `turn/interrupt`. */
const INTERRUPT_MS = 5000;

interface Member {
  readonly thread: Thread;
  /** The last token totals of the thread. The server repeats earlier ones until the first turn of this run. */
  last: TurnUsage;
  /** The tokens since the thread joined. */
  used: TurnUsage;
  begun: boolean;
  readonly leave: () => void;
}

/** The thread of a run, the threads of its sub-agents, the threads of their sub-agents, and so on. */
export class ThreadFamily {
  readonly #client: CodexClient;
  readonly #listener: FamilyListener;
  readonly #members = new Map<string, Member>();
  /** Turns that were interrupted: the server does not answer a second interrupt of the same turn. */
  readonly #interrupted = new Set<string>();
  /** Sub-agents without any event so far, from oldest to newest. When there is no room, the oldest is dropped. */
  readonly #silent = new Set<string>();
  #isCrowded = false;

  constructor(client: CodexClient, listener: FamilyListener) {
    this.#client = client;
    this.#listener = listener;
  }

  get ids(): readonly string[] {
    return [...this.#members.keys()];
  }

  /** Adds the run's own thread. Its earlier usage is not counted. */
  addOwn(thread: Thread): void {
    const { usage } = thread.state;
    this.#add(thread, usage ? usageSince(usage) : NO_USAGE, false, (event) => this.#listener.event(event));
  }

  /** Interrupts the active turns of all sub-agents, because the server does not stop them when the run stops. */
  async stopAgents(own: string): Promise<void> {
    const running = [...this.#members.values()].flatMap(({ thread }) => {
      const { activeTurnId } = thread.state;
      return thread.id === own || activeTurnId === undefined ? [] : [{ id: thread.id, activeTurnId }];
    });
    const fresh = running.filter(({ activeTurnId }) => !this.#interrupted.has(activeTurnId));
    await Promise.all(
      fresh.map(async ({ id: threadId, activeTurnId: turnId }) => {
        this.#interrupted.add(turnId);
        const limits = { timeoutMs: INTERRUPT_MS };
        await this.#client.request("turn/interrupt", { threadId, turnId }, limits).catch(() => {});
      }),
    );
  }

  leave(): void {
    for (const { leave } of this.#members.values()) leave();
    this.#members.clear();
    this.#silent.clear();
  }

  #add(
    thread: Thread,
    last: TurnUsage,
    begun: boolean,
    tell: (event: SubscribedEvent) => void,
    hangUp = (): void => {},
  ): Member {
    const unsubscribe = thread.subscribe((_, event) => {
      this.#listener.heard();
      this.#silent.delete(thread.id);
      if (event.method === "turn/started") member.begun = true;
      if (event.method === "thread/tokenUsage/updated") this.#count(member, event.params);
      if (event.method === "item/started" || event.method === "item/completed") this.#adopt(event);
      tell(event);
    });
    const leave = (): void => {
      unsubscribe();
      hangUp();
    };
    const member: Member = { thread, last, used: NO_USAGE, begun, leave };
    this.#members.set(thread.id, member);
    return member;
  }

  #count(member: Member, { threadId, turnId, tokenUsage }: ThreadTokenUsageUpdatedNotification): void {
    this.#meter(member, usageSince(tokenUsage.total));
    // When the server loads a thread, it repeats the thread's totals before the first turn of this run.
    if (member.begun) this.#listener.used(member.used, { threadId, turnId });
  }

  /** Adds what a thread has used since its last totals. Tokens stay used if a server reports lower totals later. */
  #meter(member: Member, total: TurnUsage): void {
    if (member.begun) member.used = sumOf([member.used, increase(member.last, total)]);
    member.last = total;
  }

  /** Adds the sub-agents that a tool call starts, because no other event announces them. */
  #adopt({ params: { item } }: Extract<TurnEvent, { method: "item/started" | "item/completed" }>): void {
    if (item.type !== "collabAgentToolCall") return;
    for (const id of item.receiverThreadIds ?? []) {
      if (this.#members.has(id) || !this.#hasRoom()) continue;
      const thread = this.#client.thread(id);
      const member = this.#add(thread, NO_USAGE, true, () => {}, this.#listener.joined(id));
      const { usage, turns } = thread.state;
      if (turns.length === 0) this.#silent.add(id);
      if (!usage) continue;
      this.#meter(member, usageSince(usage));
      this.#listener.used(member.used, { threadId: id, turnId: undefined });
    }
  }

  /** Returns true if there is room for a sub-agent. Drops a silent sub-agent if necessary. */
  #hasRoom(): boolean {
    // One member is the run's own thread.
    if (this.#members.size <= MOST_AGENTS) return true;
    const [oldest] = this.#silent;
    if (oldest === undefined) {
      if (!this.#isCrowded) this.#listener.crowded(MOST_AGENTS);
      this.#isCrowded = true;
      return false;
    }
    this.#members.get(oldest)?.leave();
    this.#members.delete(oldest);
    this.#silent.delete(oldest);
    return true;
  }
}

/** The total usage of several threads. */
export function sumOf(usages: Iterable<TurnUsage>): TurnUsage {
  let sum = NO_USAGE;
  for (const usage of usages) sum = combined(sum, usage, (before, more) => before + more);
  return sum;
}

/** The tokens that were added. A total that went down adds nothing. */
function increase(before: TurnUsage, after: TurnUsage): TurnUsage {
  return combined(before, after, (was, is) => Math.max(is - was, 0));
}

function combined(a: TurnUsage, b: TurnUsage, combine: (a: number, b: number) => number): TurnUsage {
  const of = (key: keyof TurnUsage): number => combine(a[key], b[key]);
  return {
    inputTokens: of("inputTokens"),
    cachedInputTokens: of("cachedInputTokens"),
    outputTokens: of("outputTokens"),
    reasoningOutputTokens: of("reasoningOutputTokens"),
    totalTokens: of("totalTokens"),
  };
}
