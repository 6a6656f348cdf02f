import type { Thread } from "codexwright";
import type { protocol } from "codexwright";

/**
 * The problems of a thread, and the number of items that a server had reported but not written when it died.
 */
export interface Audit {
  readonly wrong: readonly string[];
  readonly lost: number;
}

/** Records everything that was sent, reported and run. `wrong` lists the violations. */
export class Ledger {
  readonly wrong: string[] = [];
  readonly outcomes = new Map<string, number>();
  readonly counts = {
    turns: 0,
    told: 0,
    calls: 0,
    modelItems: 0,
    threads: 0,
    lostByServer: 0,
    askedAgain: 0,
  };
  /**
   * The model's answers, by the text of the turn and the step in it. A step that is requested twice has two
   * answers.
   */
  readonly #sent = new Map<string, Map<string, (readonly string[])[]>>();
  /** Items that a server reported as completed, by thread. */
  readonly #told = new Map<string, Set<string>>();
  readonly #runs = new Map<string, number>();

  /** Records that the model answers a step of a turn with these items. */
  sent(turnText: string, step: string, items: readonly string[]): void {
    const steps = this.#sent.get(turnText) ?? new Map<string, (readonly string[])[]>();
    const answers = steps.get(step) ?? [];
    if (answers.length > 0) this.counts.askedAgain++;
    steps.set(step, [...answers, items]);
    this.#sent.set(turnText, steps);
    this.counts.modelItems += items.length;
  }

  /** Records that a server reported an item as completed. */
  told(threadId: string, turnId: string, itemId: string): void {
    const all = this.#told.get(threadId) ?? new Set();
    all.add(`${turnId} ${itemId}`);
    this.#told.set(threadId, all);
    this.counts.told++;
  }

  /** Records a run of a tool. */
  ran(threadId: string, callId: string): void {
    const key = `${threadId} ${callId}`;
    const times = (this.#runs.get(key) ?? 0) + 1;
    this.#runs.set(key, times);
    this.counts.calls++;
    if (times > 1) this.wrong.push(`the call ${key} was run ${times} times`);
  }

  /** Records the outcome of a turn. */
  ended(outcome: string): void {
    this.counts.turns++;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }

  /** Records the final audit of a thread. */
  audited(threadId: string, { wrong, lost }: Audit): void {
    this.counts.threads++;
    this.counts.lostByServer += lost;
    this.wrong.push(...wrong);
    this.#told.delete(threadId);
  }

  /**
   * Compares the client's state of an idle thread with the server's history and with all recorded messages.
   */
  audit(thread: Thread, server: protocol.Thread, mayLose: boolean): Audit {
    const wrong: string[] = [];
    const known = new Map<string, number>();
    const completed = new Set<string>();
    for (const turn of thread.state.turns) {
      for (const { item, life } of turn.items) {
        const key = `${turn.id} ${item.id}`;
        known.set(key, (known.get(key) ?? 0) + 1);
        if (life === "completed") completed.add(key);
      }
      if (turn.status === "completed") wrong.push(...this.#auditTurn(thread.id, turn));
    }
    for (const [key, times] of known) if (times > 1) wrong.push(`item ${key} is known ${times} times`);
    for (const key of this.#told.get(thread.id) ?? [])
      if (!completed.has(key)) wrong.push(`item ${key} was reported but is not in the client's state`);
    const stored = new Set<string>();
    for (const { id, status, items } of server.turns ?? []) {
      const ours = thread.state.turns.filter((turn) => turn.id === id);
      if (ours.length !== 1) wrong.push(`turn ${id} is known ${ours.length} times`);
      if (ours[0] && ours[0].status !== status)
        wrong.push(`turn ${id} is ${ours[0].status} in the client's state, but ${status} on the server`);
      for (const item of items) {
        stored.add(`${id} ${item.id}`);
        if (!known.has(`${id} ${item.id}`))
          wrong.push(`item ${id} ${item.id} is stored but not in the client's state`);
      }
    }
    const lost = [...completed].filter((key) => !stored.has(key));
    if (!mayLose) wrong.push(...lost.map((key) => `item ${key} was completed but is not stored`));
    return { wrong, lost: lost.length };
  }

  /**
   * A completed turn must have a model answer for each of its steps, and each tool call in these answers must have run
   * once.
   */
  #auditTurn(threadId: string, turn: Thread["state"]["turns"][number]): string[] {
    const input = turn.items.flatMap(({ item }) => (item.type === "userMessage" ? item.content : []))[0];
    const text = input?.type === "text" ? input.text : "";
    const steps = this.#sent.get(text);
    if (!steps) return [`turn ${turn.id} ("${text}") is complete, but the model was never asked`];
    const has = (id: string): boolean => turn.items.some(({ item }) => item.id === id);
    return [...steps].flatMap(([step, answers]) => {
      const known = answers.filter((ids) => ids.every(has));
      const where = `${step} of turn ${turn.id} ("${text}")`;
      if (known.length !== 1) {
        const sent = answers.map((ids) => ids.join("+")).join(" or ");
        const items = turn.items.map(({ item, life }) => `${item.id} ${life}`).join(", ");
        return [`${where}: sent ${sent}, known ${known.length} times: ${items}`];
      }
      return (known[0] ?? [])
        .filter((id) => id.startsWith("call_") && this.#runs.get(`${threadId} ${id}`) !== 1)
        .map((id) => `${where}: ${id} was run ${this.#runs.get(`${threadId} ${id}`) ?? 0} times`);
    });
  }
}
