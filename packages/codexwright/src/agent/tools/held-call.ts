import type { ToolEffects } from "../../client/tools/tool.ts";
import { messageOf } from "../../client/schema/schema.ts";
import { settledWithin, type Clock } from "../clock.ts";
import type { ResourceReader } from "../resources/resource.ts";
import type { Resources } from "../resources/resources.ts";
import type { EntryTags } from "../session/journal.ts";
import type { Session, SessionAccess } from "../session/session.ts";
import { CallLimit } from "../../client/tools/call-limit.ts";
import { CallSession } from "./call-session.ts";
import { Refusal } from "./refusal.ts";
import type { ToolScheduler } from "./scheduler.ts";
import { begin, NO_TRANSACTION } from "./transaction.ts";

/** What a call holds while it runs. */
export interface Held {
  readonly signal: AbortSignal;
  readonly session: SessionAccess;
  readonly resources: ResourceReader;
}

/** What calls are run with. */
export interface Holding {
  readonly scheduler: ToolScheduler;
  readonly session: Session;
  readonly resources: Resources;
  readonly clock: Clock;
  readonly graceMs: number;
  /** Hears of a call that was given up and may still be running; resolves when it holds nothing any more. */
  readonly onStraggler: (over: Promise<void>) => void;
}

/** The tool of a call, as far as it matters here. */
export interface HeldTool {
  readonly name: string;
  readonly effects: ToolEffects;
  readonly timeoutMs?: number | undefined;
}

/**
 * Runs work in its turn, with a session and resources of its own, and takes back what it did if it throws.
 *
 * A call whose signal aborts, or whose time is up, rejects at once
 * with `aborted`. Its tool may go on for a while, though: it can no longer change the session, and what it still does to resources is rolled
 * back, too, before the next one runs. One that does not stop within the grace time does not hold up the others for ever.
 */
export async function held<T>(
  holding: Holding,
  tool: HeldTool,
  tags: EntryTags,
  outer: AbortSignal,
  work: (held: Held) => Promise<T>,
): Promise<T> {
  const { scheduler, session, resources, clock } = holding;
  const leave = await turn(scheduler, tool.effects, outer);
  const limit = new CallLimit(tool, { signal: outer }, (ms, call) => clock.after(ms, call));
  const own = new CallSession(session, tool.effects, tags);
  const scope = resources.call();
  let transaction = NO_TRANSACTION;
  let working: Promise<unknown> = Promise.resolve();
  const over = async (): Promise<void> => {
    await scope[Symbol.asyncDispose]();
    transaction.end();
    leave();
  };
  try {
    if (tool.effects === "transactional") transaction = await begin(session, resources, tags);
    const result = work({ signal: limit.signal, session: own.access, resources: scope });
    working = result;
    const value = await Promise.race([result, limit.reached]);
    own.end();
    await over();
    return value;
  } catch (error) {
    own.end();
    await transaction.rollback();
    if (!limit.signal.aborted) {
      await over();
      throw error;
    }
    const straggle = async (): Promise<void> => {
      await settledWithin(working, holding.graceMs, clock);
      // A resource that is stuck, too, holds up nobody for ever.
      await settledWithin(transaction.rollback().then(over), holding.graceMs, clock);
      leave();
    };
    holding.onStraggler(straggle());
    throw new Refusal("aborted", messageOf(limit.signal.reason));
  } finally {
    limit[Symbol.dispose]();
  }
}

async function turn(
  scheduler: ToolScheduler,
  effects: ToolEffects,
  signal: AbortSignal,
): Promise<() => void> {
  try {
    return await scheduler.enter(effects, signal);
  } catch (error) {
    throw new Refusal("aborted", messageOf(error));
  }
}
