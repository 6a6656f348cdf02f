import type { ToolEffects } from "../../tools/tool.ts";
import type { Clock } from "../clock.ts";
import type { Snapshotable } from "../resources/resource.ts";
import type { Hold, Resources } from "../resources/resources.ts";
import { Undo } from "../resources/undo.ts";
import type { EntryTags } from "../session/journal.ts";
import { draftOf, within } from "../session/session.ts";
import { CallSession } from "./call-session.ts";
import { Refusal } from "./refusal.ts";
import type { RunSession } from "./run-session.ts";
import { CallTurn } from "./turn.ts";

/** Everything needed to start a call. */
export interface PartPlan {
  readonly tool: { readonly name: string; readonly effects: ToolEffects };
  readonly tags: EntryTags;
  readonly session: RunSession;
  readonly resources: Resources;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}

/**
 * The session and resources that a call holds, and the call's changes until they are committed. A readonly call holds
 * nothing.
 */
export class Part {
  readonly session: CallSession;
  readonly #run: RunSession;
  readonly #resources: Resources;
  readonly #undo: Undo;
  readonly #turn: CallTurn | undefined;

  constructor({ tool, tags, session, resources, clock, warn }: PartPlan) {
    const { session: shared, started, caller } = session;
    const name = `the call ${tags.callId ?? ""} of ${tool.name}`;
    this.#run = session;
    this.#resources = resources;
    this.#undo = new Undo(resources.onError);
    this.#turn =
      tool.effects === "readonly"
        ? undefined
        : new CallTurn({ name, session: shared, started, caller, clock, warn });
    if (this.#turn && tool.effects === "transactional") {
      this.#turn.draft = draftOf(shared, session.draft);
      this.#turn.undo = this.#undo;
    }
    const access = this.#turn?.draft ? within(shared, this.#turn.draft, tags) : session.tagged(tags);
    this.session = new CallSession(access, tool.effects, { session: shared, turn: this.#turn });
  }

  /**
   * Waits until the session and all open resources are free at the same time, so that a waiting call holds none of
   * them.
   */
  async begin(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#throwIfUndone();
    const { session } = this.#run;
    await this.#turn?.hold(new Map<object, string>([[session, "the session"], ...this.#open]), signal);
  }

  /**
   * Returns a function that is called before the tool receives resources. It reserves the resources for the call and
   * takes snapshots of them.
   */
  holder(signal: AbortSignal): Hold | undefined {
    const turn = this.#turn;
    if (!turn) return undefined;
    return async (found) => {
      await turn.hold(found, signal);
      if (turn.undo) await turn.undo.add(found.keys());
    };
  }

  /** Commits the changes. If this throws, the caller must roll the changes back. */
  commit(): void {
    this.#throwIfUndone();
    this.#turn?.draft?.commit();
    this.session.end();
    for (let at = this.#turn?.caller; at; at = at.caller) {
      if (at.over || !at.undo) continue;
      // The outer call may still fail, and must then also undo the changes of this call.
      this.#turn?.passOn(at, at.undo.adopt(this.#undo));
      return;
    }
  }

  /** Rolls the changes back. May be called again to undo changes that the tool makes to resources later. */
  async rollback(reason: unknown): Promise<void> {
    this.session.end();
    this.#turn?.draft?.rollback();
    this.#turn?.fail(reason);
    await this.#undo.rollback((one) => this.#isUndone(one));
  }

  /** True while nested calls are in progress. */
  get hasInner(): boolean {
    return (this.#turn?.inner.size ?? 0) > 0;
  }

  async innerEnded(): Promise<void> {
    await Promise.all(Array.from(this.#turn?.inner ?? [], async (one) => one.ended()));
  }

  end(): void {
    this.#turn?.end();
  }

  get #open(): ReadonlyMap<Snapshotable, string> {
    return this.#resources.snapshotables();
  }

  #throwIfUndone(): void {
    for (let at = this.#run.caller; at; at = at.caller) {
      if (at.hasFailed) throw new Refusal("aborted", `${at.name}, which this call is part of, has failed`);
    }
  }

  /**
   * True if an outer call has already restored this resource to its older snapshot. The newer snapshot of this call
   * must then not be restored.
   */
  #isUndone(resource: Snapshotable): boolean {
    for (let at = this.#run.caller; at; at = at.caller) {
      if (at.hasFailed && at.undo?.has(resource)) return true;
    }
    return false;
  }
}
