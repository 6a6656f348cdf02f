/** Somebody who runs turns on a real Codex. What is measured is written once, for all of them. */
export interface Party extends AsyncDisposable {
  /** Is ready to start threads. */
  connect(): Promise<void>;
  startThread(): Promise<PartyThread>;
  /** Any cheap request; absent where there are none. */
  request?(): Promise<void>;
}

export interface PartyThread {
  /** Runs a turn and gives the answer; calls back at the first text of the model's. */
  run(input: string, onText?: () => void): Promise<string>;
  /** Resolves when a turn that was running when its server was lost can be followed by another. */
  back(lost: Promise<unknown>): Promise<void>;
}
