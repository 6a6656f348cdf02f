import { AbortedError, RequestTimeoutError } from "../../../rpc/errors.ts";
import { offAbort, onAbort } from "../../../rpc/on-abort.ts";

/** How long a request may wait in total. */
export interface Patience {
  readonly signal?: AbortSignal | undefined;
  /** 0 = no limit. */
  readonly timeoutMs: number;
}

/** Waits until a request can be sent, but no longer than the request itself may take. Returns the remaining time. */
export async function waitBefore(
  method: string,
  needed: Promise<void>,
  { signal, timeoutMs }: Patience,
): Promise<number> {
  const began = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let giveUp = (): void => {};
  const given = new Promise<never>((_resolve, reject) => {
    giveUp = (): void => reject(new AbortedError(method, "notSent", signal?.reason));
    if (signal?.aborted) giveUp();
    onAbort(signal, giveUp);
    if (timeoutMs > 0) {
      timer = setTimeout(() => reject(new RequestTimeoutError(method, "notSent", timeoutMs)), timeoutMs);
    }
  });
  try {
    await Promise.race([needed, given]);
  } finally {
    clearTimeout(timer);
    offAbort(signal, giveUp);
  }
  return timeoutMs > 0 ? Math.max(1, timeoutMs - (performance.now() - began)) : 0;
}
