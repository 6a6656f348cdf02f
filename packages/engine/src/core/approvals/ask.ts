import type { ServerRequests } from "codexwright/protocol";
import { offAbort, onAbort } from "codexwright/internal";
import type { TurnRun } from "../turn/turn-run.ts";

type Asked = keyof ServerRequests;

/**
 * Sends a server request to the subscribers of the thread. Resolves with the answer, or with `undefined` if the request
 * failed. Rejects if the turn is interrupted.
 */
export async function ask<M extends Asked>(
  run: TurnRun,
  method: M,
  params: ServerRequests[M]["params"],
): Promise<ServerRequests[M]["result"] | undefined> {
  try {
    return await untilInterrupted(run, run.thread.channel.request(method, params, { signal: run.over }));
  } catch {
    run.signal.throwIfAborted();
    return undefined;
  }
}

/** Like `ask`. While the request is open, the thread's status has a flag that shows what the thread waits for. */
export async function askWaiting<M extends Asked>(
  run: TurnRun,
  flag: "waitingOnApproval" | "waitingOnUserInput",
  method: M,
  params: ServerRequests[M]["params"],
): Promise<ServerRequests[M]["result"] | undefined> {
  const release = run.thread.wait(flag);
  try {
    return await ask(run, method, params);
  } finally {
    if (!run.signal.aborted) release();
  }
}

/** Settles like `awaited`, but rejects if the turn is interrupted first. */
export function untilInterrupted<T>(run: TurnRun, awaited: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const interrupt = (): void => reject(run.signal.reason as Error);
    onAbort(run.signal, interrupt);
    awaited.then(resolve, reject).finally(() => offAbort(run.signal, interrupt));
    if (run.signal.aborted) interrupt();
  });
}
