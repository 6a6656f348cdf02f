/** A client that runs turns on a real Codex. The tasks are written once, for all of them. */
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
  /** Resolves when another turn can follow one that was running when its server was lost. */
  back(lost: Promise<unknown>): Promise<void>;
}
