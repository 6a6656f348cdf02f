import { TrackerError } from "../domain/errors.ts";
import type { Issue } from "../domain/issue.ts";
import type { Outcome, RunTotals } from "../domain/outcome.ts";
import { NO_TOKENS } from "../domain/tokens.ts";
import type { Grant, RunOrder } from "../jobs/port.ts";
import { isStalled } from "../policy/reconcile.ts";
import { standingOf } from "../policy/standing.ts";
import type { RunObserver, RunTask } from "../runner/port.ts";
import { RunStop } from "../runner/stop.ts";
import type { DayTokens } from "./day-tokens.ts";
import type { TaskParts, WorkerOptions } from "./options.ts";
import { Progress } from "./progress.ts";
import { RunFolder } from "./run-folders.ts";
import { RunLease } from "./run-lease.ts";
import { messageOf, nameOf, reasonOf, settleOrSpool } from "./settle.ts";
import type { Spool } from "./spool.ts";
import { TurnSpans } from "./turn-spans.ts";

type Ended = { readonly outcome: Outcome; readonly totals: RunTotals };

/** One grant, from the pull to its end in the job store. */
export class Run {
  readonly grant: Grant;
  /** Settles when the run is over and its result is stored or kept on disk. Never rejects. */
  readonly ended: Promise<void>;
  readonly #options: WorkerOptions;
  readonly #spool: Spool;
  readonly #runs: string;
  readonly #day: DayTokens;
  readonly #lease: RunLease;
  readonly #progress: Progress;
  readonly #stop = new AbortController();
  readonly #drain = new AbortController();
  readonly #startedAt: Date;

  constructor(
    grant: Grant,
    sentAt: number,
    { options, spool, runs, day }: { options: WorkerOptions; spool: Spool; runs: string; day: DayTokens },
  ) {
    const { clock, store, newServerLease, redact } = options;
    this.grant = grant;
    this.#options = options;
    this.#spool = spool;
    this.#runs = runs;
    this.#day = day;
    this.#startedAt = clock.date();
    this.#progress = new Progress(grant, { store, clock, clean: redact });
    this.#lease = new RunLease(grant.leaseMs, sentAt, {
      clock,
      newServerLease,
      fence: () => this.fence("the lease was not renewed in time"),
    });
    this.ended = this.#run();
  }

  /** The job store has renewed the grant, by a request that was sent at `sentAt`. */
  renewed(sentAt: number): void {
    this.#lease.renewed(sentAt);
  }

  /** Ends the agent at once, because its issue may belong to another worker soon. */
  fence(reason: string): void {
    this.#stop.abort(new RunStop("fenced", null, reason));
  }

  /** Obeys an order. Further orders change nothing: the first one decides. */
  obey(order: RunOrder): void {
    this.#stop.abort(
      order.kind === "stop" ? new RunStop("operator", order.by, order.reason) : new RunStop(order.why),
    );
  }

  /** Lets the turn end. With `now`, interrupts it. */
  drain(now: boolean): void {
    if (now) this.#stop.abort(new RunStop("drain"));
    else this.#drain.abort(new RunStop("drain"));
  }

  async #run(): Promise<void> {
    const { telemetry, journal, redact, clock } = this.#options;
    const { claim } = this.grant;
    telemetry.dispatched(Math.max(this.#startedAt.getTime() - Date.parse(claim.claimedAt), 0) / 1_000);
    const attributes = { attempt: claim.attempt ?? 0, retry_kind: claim.retryKind ?? "none" };
    let settings = this.#options.settings();
    const { outcome: raw, totals } = await telemetry.span("run", attributes, async (span) => {
      const ended = await this.#work((parts) => {
        settings = parts.workflow.settings;
      });
      span.setAttribute("outcome", nameOf(ended.outcome));
      return ended;
    });
    const outcome = redacted(raw, redact);
    this.#progress.end();
    const seconds = (clock.date().getTime() - this.#startedAt.getTime()) / 1_000;
    telemetry.ran({ seconds, outcome: nameOf(outcome), tokens: totals.tokens, model: totals.model });
    journal.note(
      this.#progress.about({
        event: "run.ended",
        message: "the run has ended",
        data: { outcome: nameOf(outcome), reason: reasonOf(outcome), turns: totals.turns },
      }),
    );
    await settleOrSpool({ grant: this.grant, outcome, totals, settings }, this.#spool, this.#options);
    this.#lease.end();
  }

  /** Never rejects. */
  async #work(known: (parts: TaskParts) => void): Promise<Ended> {
    let folder: RunFolder | undefined;
    try {
      folder = new RunFolder(this.#runs, this.grant.runId, this.grant.claim.issue.identifier);
      const parts = await this.#options.parts(this.grant);
      known(parts);
      const issue = await this.#refreshed(parts);
      if (issue === null || standingOf(issue, parts.workflow.settings) !== "workable") {
        return this.#without({ kind: "stale", issue });
      }
      if (this.#stop.signal.aborted) return this.#stopped();
      return await this.#agent({ parts, issue, folder });
    } catch (error) {
      return this.#stop.signal.aborted ? this.#stopped() : this.#failed(error);
    } finally {
      // A folder that cannot be removed must not fail a run that has ended. The next start removes it.
      await folder?.remove().catch(() => {});
    }
  }

  /** The tracker may have changed since the claim was queued. */
  async #refreshed({ tracker }: TaskParts): Promise<Issue | null> {
    const { issueId } = this.grant.claim;
    return (await tracker.byIds(new Set([issueId]), this.#stop.signal)).get(issueId) ?? null;
  }

  async #agent({
    parts,
    issue,
    folder,
  }: {
    parts: TaskParts;
    issue: Issue;
    folder: RunFolder;
  }): Promise<Ended> {
    const { runner, store, journal } = this.#options;
    const { grant } = this;
    const { runId, answered } = grant;
    const task: RunTask = {
      runId,
      claim: { ...grant.claim, issue },
      answered,
      ...parts,
    };
    journal.note(this.#progress.about({ event: "run.started", message: `run of "${issue.identifier}"` }));
    const spans = new TurnSpans(this.#options.telemetry);
    const ended = await runner(
      task,
      {
        signal: this.#stop.signal,
        drain: this.#drain.signal,
        dayTokensLeft: () => this.#day.left(parts.workflow.settings.budget.dayTokens),
        holds: async () => !this.#stop.signal.aborted && (await store.holds(grant)),
        lease: this.#lease.server,
      },
      this.#observer({ parts, folder, spans }),
    ).finally(() => spans.end());
    // While this process was stopped, the guard has ended the agent. That is not a failure of the agent.
    if (ended.outcome.kind !== "failed" || !this.#lease.isDue) return ended;
    this.fence("the lease was not renewed in time");
    return { ...ended, outcome: this.#stopped().outcome };
  }

  #observer({
    parts,
    folder,
    spans,
  }: {
    parts: TaskParts;
    folder: RunFolder;
    spans: TurnSpans;
  }): RunObserver {
    const progress = this.#progress;
    const { journal } = this.#options;
    let used = 0;
    return {
      phase: (phase) => {
        progress.report({ phase });
        journal.note(progress.about({ event: "run.phase", message: `phase ${phase}` }));
      },
      server: ({ pid }) => {
        folder.server(pid);
        progress.report({ serverPid: pid });
      },
      session: ({ threadId, turnId, turnCount }) => progress.session(threadId, turnId, turnCount),
      heard: (event, message) => progress.heard(event, message),
      silence: (ms) => {
        if (!isStalled(ms, parts.workflow.settings)) return;
        this.#stop.abort(new RunStop("stalled", null, `the app-server was silent for ${Math.round(ms)} ms`));
      },
      tokens: (tokens) => {
        this.#day.used(Math.max(tokens.totalTokens - used, 0));
        used = tokens.totalTokens;
        progress.report({ tokens });
      },
      model: (model) => progress.report({ model }),
      rateLimits: (rateLimits) => progress.report({ rateLimits }),
      workspace: (workspacePath) => progress.report({ workspacePath }),
      event: (event) => {
        spans.event(event);
        journal.record(progress.about(event));
      },
    };
  }

  #stopped(): Ended {
    const reason: unknown = this.#stop.signal.reason;
    const stop = reason instanceof RunStop ? reason : new RunStop("fenced");
    return this.#without({ kind: "stopped", why: stop.why, by: stop.by, reason: stop.reason });
  }

  #failed(error: unknown): Ended {
    if (error instanceof TrackerError && error.retryAt !== undefined) {
      const retryAt = new Date(error.retryAt).toISOString();
      return this.#without({ kind: "limited", retryAt, message: error.message });
    }
    const code = error instanceof TrackerError ? "tracker_error" : "unexpected";
    return this.#without({ kind: "failed", code, message: messageOf(error) });
  }

  /** The end of a run without an agent. */
  #without(outcome: Outcome): Ended {
    const { threadId, workspacePath } = this.grant.claim;
    return {
      outcome,
      totals: {
        startedAt: this.#startedAt.toISOString(),
        endedAt: this.#options.clock.date().toISOString(),
        tokens: NO_TOKENS,
        turns: 0,
        threadId,
        workspacePath,
        model: null,
        checkpoints: { before: null, after: null },
      },
    };
  }
}

function redacted(outcome: Outcome, redact: (text: string) => string): Outcome {
  return outcome.kind === "failed" || outcome.kind === "limited"
    ? { ...outcome, message: redact(outcome.message) }
    : outcome;
}
