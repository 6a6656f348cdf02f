import type { ServerRequests } from "codexwright/protocol";
import { offAbort, onAbort } from "codexwright/internal";
import type { TurnRun } from "../turn/turn-run.ts";

type Asked = keyof ServerRequests;

/** What clients answer to a request of the turn's, or nothing where that is an error. Rejects once it is interrupted. */
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

/** The same, while the thread's status tells what it waits for. */
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

/** The outcome of what a turn waits for; rejects when it is interrupted before. */
export function untilInterrupted<T>(run: TurnRun, awaited: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const interrupt = (): void => reject(run.signal.reason as Error);
    onAbort(run.signal, interrupt);
    awaited.then(resolve, reject).finally(() => offAbort(run.signal, interrupt));
    if (run.signal.aborted) interrupt();
  });
}
