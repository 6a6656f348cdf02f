/** The lines of turns, as a real server writes them. */

const EMITTED = 1_760_000_000_000;

/** The thread and turn of a line. */
export interface Place {
  readonly threadId: string;
  readonly turnId: string;
}

export function place(thread = 0, turn = 0): Place {
  return { threadId: `thread-${thread}`, turnId: `turn-${turn}` };
}

export function notification(method: string, params: object): string {
  return JSON.stringify({ method, params, emittedAtMs: EMITTED });
}

export function turnStarted({ threadId, turnId }: Place): string {
  const turn = { id: turnId, items: [], status: "inProgress", error: null };
  return notification("turn/started", { threadId, turn });
}

export function turnCompleted({ threadId, turnId }: Place): string {
  const turn = { id: turnId, items: [], status: "completed", error: null };
  return notification("turn/completed", { threadId, turn });
}

/** A message: its start, its deltas, and the completed item. */
export function message(at: Place, itemId: string, pieces: readonly string[]): string[] {
  const item = { type: "agentMessage", id: itemId, phase: null };
  return [
    notification("item/started", { ...at, item: { ...item, text: "" } }),
    ...pieces.map((delta) => notification("item/agentMessage/delta", { ...at, itemId, delta })),
    notification("item/completed", { ...at, item: { ...item, text: pieces.join("") } }),
  ];
}
