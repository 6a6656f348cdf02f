import { checkOptions } from "codexwright/internal";
import type { FleetEvent } from "../domain/events.ts";
import type { Explanation } from "../domain/explanation.ts";
import type { Answer, Order } from "../domain/orders.ts";
import type { IssueChanges, Snapshot } from "../domain/snapshot.ts";
import { findIssue, notFound } from "../http/find-issue.ts";
import type { IssueRecord } from "../jobs/port.ts";
import { FleetCore } from "./core.ts";
import { requireNode } from "./node.ts";
import {
  checkAnswer,
  checkFleetOptions,
  checkIssueName,
  METHODS,
  type DiffOptions,
  type DrainOptions,
  type EventOptions,
  type FleetOptions,
  type OrderOptions,
  type ReasonOptions,
} from "./options.ts";
import { SYSTEM_PARTS } from "./parts.ts";

/** For orders of a program that does not name itself. */
const PROGRAM = "program";

/**
 * A fleet of agents in this process: it works on the issues of the tracker of a WORKFLOW.md until it is closed or
 * drained. Issues are named by their identifier or id.
 */
export class Fleet implements AsyncDisposable {
  readonly #core: FleetCore;

  private constructor(core: FleetCore) {
    this.#core = core;
  }

  /**
   * Starts a fleet. Rejects with a `WorkflowError`, a `TrackerError` or a `FleetError` such as `fleet_already_runs` or
   * `database_unavailable`, or with a `CodexError` `workspace_error` if the root of the workspaces cannot be used. If it
   * rejects, nothing is left running.
   */
  static async open(options: FleetOptions = {}): Promise<Fleet> {
    checkFleetOptions(options);
    requireNode(process.versions.node);
    return new Fleet(await FleetCore.open(options, SYSTEM_PARTS));
  }

  /** The name of the fleet, made from the path of WORKFLOW.md. */
  get scope(): string {
    return this.#core.scope;
  }

  /** The folder with the data of the fleet on this machine. */
  get stateFolder(): string {
    return this.#core.stateFolder;
  }

  /** The address of the HTTP API; null if there is no port in the options or in WORKFLOW.md. */
  get url(): string | null {
    return this.#core.url;
  }

  /** Resolves when the fleet has ended: closed, drained, or done with `once`. */
  get done(): Promise<void> {
    return this.#core.done;
  }

  /** Claims, hosts, totals and limits, read in one transaction; after the end, the last state. */
  async state(): Promise<Snapshot> {
    return await this.#core.state();
  }

  /** The claim, the runs and the last events of an issue. The tracker is not asked if the issue has a claim. */
  async issue(name: string): Promise<IssueRecord> {
    return await this.#core.store.issue(this.scope, await this.#idOf("issue", name));
  }

  /** Every rule of dispatch with its verdict on an issue, as dispatch computes it now. */
  async explain(name: string): Promise<Explanation> {
    checkIssueName("explain", name);
    const found = await this.#core.served.explain(name, this.#core.closing);
    if (found === undefined) throw notFound(name);
    return found;
  }

  /** All events since the start of this fleet, and new ones as they happen, until the signal aborts or the fleet ends. */
  events(options: EventOptions = {}): AsyncGenerator<FleetEvent, void, undefined> {
    const { after, signal } = checkOptions("fleet.events()", options, METHODS.events);
    return this.#core.events(after, signal);
  }

  /**
   * The files that a run has changed, or all runs of an issue together, as a patch. When the workspace was removed,
   * only those of all runs are left. Rejects with `run_not_found`.
   */
  async diff(name: string, options: DiffOptions = {}): Promise<IssueChanges> {
    checkIssueName("diff", name);
    const { run } = checkOptions("fleet.diff()", options, METHODS.diff);
    return await this.#core.served.changes(name, run, this.#core.closing);
  }

  /** Polls the tracker now, instead of at the next interval. */
  refresh(): void {
    this.#core.refresh();
  }

  /** Starts no more agents until `resume`. Agents that run go on. */
  async pause(options: ReasonOptions = {}): Promise<void> {
    const { by = PROGRAM, reason = null } = checkOptions("fleet.pause()", options, METHODS.reason);
    await this.#core.store.pause(this.scope, by, reason);
  }

  async resume(options: OrderOptions = {}): Promise<void> {
    const { by = PROGRAM } = checkOptions("fleet.resume()", options, METHODS.order);
    await this.#core.store.resume(this.scope, by);
    this.refresh();
  }

  /** Ends the work on an issue until `retry`, or a change of the issue in the tracker. */
  async stop(name: string, options: ReasonOptions = {}): Promise<void> {
    const { by = PROGRAM, reason = null } = checkOptions("fleet.stop()", options, METHODS.reason);
    await this.#order(name, { kind: "stop", by, reason });
  }

  /** Frees a blocked issue, or makes a waiting retry due now. */
  async retry(name: string, options: OrderOptions = {}): Promise<void> {
    const { by = PROGRAM } = checkOptions("fleet.retry()", options, METHODS.order);
    await this.#order(name, { kind: "retry", by });
  }

  /** Answers the question of an agent, by a text for the model or by the answer to the request of the app-server. */
  async answer(name: string, answer: Answer, options: OrderOptions = {}): Promise<void> {
    checkAnswer(answer);
    const { by = PROGRAM } = checkOptions("fleet.answer()", options, METHODS.order);
    await this.#order(name, { kind: "answer", by, answer });
  }

  /** Releases an issue that does not run, and removes its workspace. */
  async clean(name: string, options: OrderOptions = {}): Promise<void> {
    const { by = PROGRAM } = checkOptions("fleet.clean()", options, METHODS.order);
    await this.#order(name, { kind: "clean", by });
  }

  /** Starts no more agents, lets turns end, and then ends the fleet. With `now`, interrupts the turns. */
  async drain(options: DrainOptions = {}): Promise<void> {
    const { by = PROGRAM, now = false } = checkOptions("fleet.drain()", options, METHODS.drain);
    await this.#core.drain({ by, now });
  }

  /** Interrupts the turns, stores the results, and ends. The next start continues. */
  async close(): Promise<void> {
    await this.#core.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #order(name: string, order: Order): Promise<void> {
    const issueId = await this.#idOf(order.kind, name);
    await this.#core.store.ask(this.scope, issueId, order);
    this.refresh();
  }

  async #idOf(method: string, name: string): Promise<string> {
    checkIssueName(method, name);
    return (await findIssue(this.#core.served, name, this.#core.closing)).issueId;
  }
}
