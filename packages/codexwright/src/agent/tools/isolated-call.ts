import type { ToolEffects } from "../../tools/tool.ts";
import { messageOf } from "../../schema/schema.ts";
import { settledWithin, type Clock } from "../clock.ts";
import type { ResourceReader } from "../resources/resource.ts";
import type { Resources } from "../resources/resources.ts";
import type { EntryTags } from "../session/journal.ts";
import type { SessionAccess } from "../session/session.ts";
import { CallLimit } from "../../tools/call-limit.ts";
import { Part } from "./part.ts";
import { Refusal } from "./refusal.ts";
import type { RunSession } from "./run-session.ts";
import { DeadlockError } from "./turn.ts";

/** The state that a call can use while it runs. */
export interface CallScope {
  readonly signal: AbortSignal;
  readonly session: SessionAccess;
  readonly resources: ResourceReader;
}

/** Dependencies of isolated calls. */
export interface Isolation {
  readonly session: RunSession;
  readonly resources: Resources;
  readonly clock: Clock;
  readonly graceMs: number;
  /** Called when a call has waited for a long time. */
  readonly warn: (message: string) => void;
  /**
   * Called for an abandoned call that may still be running. The promise resolves when the call no longer holds its
   * session and resources.
   */
  readonly onStraggler: (over: Promise<void>) => void;
}

/** The properties of the tool that isolation needs. */
export interface IsolatedTool {
  readonly name: string;
  readonly effects: ToolEffects;
  readonly timeoutMs?: number | undefined;
}

/** The work of a call. */
export interface Work<T> {
  readonly run: (scope: CallScope) => Promise<T>;
  /** Called after the changes of the call are committed, before another call can start. */
  readonly committed: () => void;
}

/**
 * Waits until the call may start, then runs the work with the call's own session and resources. If the work throws,
 * rolls back its changes.
 *
 * If the signal aborts or the time limit is reached, the call rejects immediately with `aborted`. The tool may keep
 * running for a while, but it can no longer change the session, and its later changes to resources are rolled back
 * before the next call runs. If a tool or resource does not stop within the grace time, other calls no longer wait for
 * it.
 */
export async function runIsolated<T>(
  isolation: Isolation,
  tool: IsolatedTool,
  tags: EntryTags,
  outer: AbortSignal,
  work: Work<T>,
): Promise<T> {
  const { session, resources, clock, graceMs, warn } = isolation;
  const part = new Part({ tool, tags, session, resources, clock, warn });
  await turn(part, outer);
  const limit = new CallLimit(tool, { signal: outer }, (ms, call) => clock.after(ms, call));
  const hold = part.holder(limit.signal);
  const scope = resources.call(hold);
  let working: Promise<unknown> = Promise.resolve();
  const close = async (): Promise<void> => scope[Symbol.asyncDispose]();
  /** Waits for work that may hang. Once the call is abandoned, waits at most for the grace time. */
  const patiently = async (stuck: Promise<void>): Promise<void> => {
    const ended = stuck.then(() => true);
    const givenUp = limit.reached.catch(() => false);
    if ((await Promise.race([ended, givenUp])) || (await settledWithin(ended, graceMs, clock))) return;
    warn(`a resource of ${tool.name} was not rolled back or disposed within ${graceMs} ms`);
  };
  try {
    await Promise.race([hold?.(resources.snapshotables()), limit.reached]);
    const result = work.run({ signal: limit.signal, session: part.session.access, resources: scope });
    working = result;
    const value = await Promise.race([result, limit.reached]);
    part.commit();
    work.committed();
    await patiently(close());
    part.end();
    return value;
  } catch (error) {
    await patiently(part.rollback(error));
    const givenUp = limit.signal.aborted;
    if (!givenUp && !part.hasInner) {
      await patiently(close());
      part.end();
      throw error;
    }
    const straggle = async (): Promise<void> => {
      await settledWithin(Promise.allSettled([working, part.innerEnded()]), graceMs, clock);
      // A hanging resource must not block other calls forever.
      await settledWithin(part.rollback(error).then(close), graceMs, clock);
      part.end();
    };
    isolation.onStraggler(straggle());
    throw givenUp ? new Refusal("aborted", messageOf(limit.signal.reason)) : error;
  } finally {
    limit[Symbol.dispose]();
  }
}

async function turn(part: Part, signal: AbortSignal): Promise<void> {
  try {
    await part.begin(signal);
  } catch (error) {
    if (error instanceof DeadlockError || error instanceof Refusal) throw error;
    throw new Refusal("aborted", messageOf(error));
  }
}
