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

/** What a call holds while it runs. */
export interface CallScope {
  readonly signal: AbortSignal;
  readonly session: SessionAccess;
  readonly resources: ResourceReader;
}

/** What calls are run with. */
export interface Isolation {
  readonly session: RunSession;
  readonly resources: Resources;
  readonly clock: Clock;
  readonly graceMs: number;
  /** Hears of calls that wait for long. */
  readonly warn: (message: string) => void;
  /** Hears of a call that was given up and may still be running; resolves when it holds nothing any more. */
  readonly onStraggler: (over: Promise<void>) => void;
}

/** The tool of a call, as far as it matters here. */
export interface IsolatedTool {
  readonly name: string;
  readonly effects: ToolEffects;
  readonly timeoutMs?: number | undefined;
}

/** The work of a call. */
export interface Work<T> {
  readonly run: (scope: CallScope) => Promise<T>;
  /** Called once its changes are committed, before another call can begin. */
  readonly committed: () => void;
}

/**
 * Runs work in its turn, with a session and resources of its own, and takes back what it did if it throws.
 *
 * A call whose signal aborts, or whose time is up, rejects at once
 * with `aborted`. Its tool may go on for a while, though: it can no longer change the session, and what it still does to resources is rolled
 * back, too, before the next one runs. A tool or a resource that does not stop within the grace time does not hold up the others for ever.
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
  /** Waits for what may be stuck; once the call is given up, for no longer than the grace time. */
  const patiently = async (stuck: Promise<void>): Promise<void> => {
    const ended = stuck.then(() => true);
    const givenUp = limit.reached.catch(() => false);
    if ((await Promise.race([ended, givenUp])) || (await settledWithin(ended, graceMs, clock))) return;
    warn(`a resource of ${tool.name} was not rolled back or disposed of within ${graceMs} ms`);
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
      // A resource that is stuck, too, does not hold up the other calls for ever.
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
