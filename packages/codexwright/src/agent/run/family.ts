import {
  usageSince,
  type CodexClient,
  type Thread,
  type TurnEvent,
  type TurnUsage,
} from "../../client/index.ts";
import type { ThreadTokenUsageUpdatedNotification } from "../../protocol/index.ts";
import type { SubscribedEvent } from "./thread-events.ts";

/** Tokens of nothing. */
export const NO_USAGE: TurnUsage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningOutputTokens: 0,
  totalTokens: 0,
};

/** What hears of a family. */
export interface FamilyListener {
  /** The thread has used this much since it joined. */
  used(usage: TurnUsage, at: { readonly threadId: string; readonly turnId: string | undefined }): void;
  /** Something happened on the thread of the run itself. */
  event(event: SubscribedEvent): void;
  /** A sub-agent has joined. Returns what to call when it leaves. */
  joined(threadId: string): () => void;
  /** A sub-agent could not join: too many are at work. Called once. */
  crowded(most: number): void;
}

/** Sub-agents that a family has at once. A server can name any number of them, whether they exist or not. */
const MOST_AGENTS = 1_024;

/** How long a server may take to say that it stops a turn. */
const INTERRUPT_MS = 5000;

interface Member {
  readonly thread: Thread;
  /** The thread's totals when it joined; they go on being told until its first turn of ours. */
  base: TurnUsage | undefined;
  begun: boolean;
  readonly leave: () => void;
}

/** The thread of a run and those of its sub-agents, and theirs. */
export class ThreadFamily {
  readonly #client: CodexClient;
  readonly #listener: FamilyListener;
  readonly #members = new Map<string, Member>();
  /** Turns that were interrupted: a server does not answer who does it twice. */
  readonly #interrupted = new Set<string>();
  /** Sub-agents of which nothing was ever heard, oldest first: these make room for others. */
  readonly #silent = new Set<string>();
  #isCrowded = false;

  constructor(client: CodexClient, listener: FamilyListener) {
    this.#client = client;
    this.#listener = listener;
  }

  get ids(): readonly string[] {
    return [...this.#members.keys()];
  }

  /** The run's own thread. What it has used before is not the run's. */
  addOwn(thread: Thread): void {
    const { usage } = thread.state;
    this.#add(thread, usage && usageSince(usage), false, (event) => this.#listener.event(event));
  }

  /** Interrupts what sub-agents do: nobody else would, and nobody watches them any more. */
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
    base: TurnUsage | undefined,
    begun: boolean,
    tell: (event: SubscribedEvent) => void,
    hangUp = (): void => {},
  ): void {
    const unsubscribe = thread.subscribe((_, event) => {
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
    const member: Member = { thread, base, begun, leave };
    this.#members.set(thread.id, member);
  }

  #count(member: Member, { threadId, turnId, tokenUsage }: ThreadTokenUsageUpdatedNotification): void {
    // A server repeats the totals of a thread that it loads, before anything of ours runs there.
    if (!member.begun) member.base = usageSince(tokenUsage.total);
    else this.#listener.used(usageSince(tokenUsage.total, member.base), { threadId, turnId });
  }

  /** Sub-agents are announced by nothing but the call that starts them. */
  #adopt({ params: { item } }: Extract<TurnEvent, { method: "item/started" | "item/completed" }>): void {
    if (item.type !== "collabAgentToolCall") return;
    for (const id of item.receiverThreadIds ?? []) {
      if (this.#members.has(id) || !this.#hasRoom()) continue;
      const thread = this.#client.thread(id);
      this.#add(thread, undefined, true, () => {}, this.#listener.joined(id));
      const { usage, turns } = thread.state;
      if (turns.length === 0) this.#silent.add(id);
      if (usage) this.#listener.used(usageSince(usage), { threadId: id, turnId: undefined });
    }
  }

  /** Makes room for a sub-agent, unless all that are there have been at work. */
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

/** The sum of what several threads have used. */
export function sumOf(usages: Iterable<TurnUsage>): TurnUsage {
  let sum = NO_USAGE;
  // Taking away what was taken from nothing adds.
  for (const usage of usages) sum = usageSince(sum, usageSince(NO_USAGE, usage));
  return sum;
}
