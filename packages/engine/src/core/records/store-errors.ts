import { CodexError } from "codexwright/rpc";

/** Another process or server writes the thread. */
export class ThreadInUseError extends CodexError {
  readonly code = "thread_in_use";

  constructor(id: string, options?: ErrorOptions) {
    super(`thread ${id} already has an active writer`, options);
  }
}

/** The store could not read or write a thread, for example because the disk is full. */
export class ThreadStoreError extends CodexError {
  readonly code = "thread_store_failed";
  /** The code of the system's error, for example `ENOSPC`. */
  readonly reason: string;

  constructor(what: string, reason: string, options?: ErrorOptions) {
    super(`the thread store failed to ${what}: ${reason}`, options);
    this.reason = reason;
  }
}
