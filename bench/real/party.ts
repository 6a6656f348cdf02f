/**
 * A client that runs turns on a real Codex: the raw client, ours or the SDK. The same tasks run on each of
 * them.
 */
export interface Party extends AsyncDisposable {
  /** Resolves when threads can be started. */
  connect(): Promise<void>;
  startThread(): Promise<PartyThread>;
  /** Any cheap request; absent if the party has no requests. */
  request?(): Promise<void>;
}

export interface PartyThread {
  /** Runs a turn and returns the answer. Calls `onText` at the first text of the model. */
  run(input: string, onText?: () => void): Promise<string>;
  /** Called when the server is lost during a turn. Resolves when the next turn can be started. */
  back(lost: Promise<unknown>): Promise<void>;
}
