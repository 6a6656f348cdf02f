import { RecentMap } from "../rpc/recent-map.ts";
import { record, text } from "./requests/wire.ts";

/** Reports that are kept for threads on which this client asked for no policy. */
const REPORTS_KEPT = 1_024;

interface Policies {
  /** The policy that this client last asked for. */
  asked: unknown;
  /** The policy that the server last reported. */
  reported: unknown;
  /** The last request that asked for a policy: an answer to an earlier one is out of date. */
  latest: object | undefined;
}

/**
 * What this client asked for and what the server reported, for each thread. It decides whether an approval
 * may be accepted without a handler.
 *
 * It reads the requests themselves, so a policy counts however it was asked for: by a handle, by an override
 * of one turn or by a raw request. A wish for `never` counts when the server has accepted the request. A wish
 * for another policy counts as soon as it is sent.
 */
export class ApprovalPolicies {
  readonly #threads = new Map<string, Policies>();
  /** Policies other than `never` that the server reported for threads without an entry above. */
  readonly #reports = new RecentMap<string, unknown>(REPORTS_KEPT);

  /** True only if this client asked for `never` on the thread and the server reports no other policy. */
  acceptsUnasked(threadId: string): boolean {
    const policies = this.#threads.get(threadId);
    return policies?.asked === "never" && (policies.reported ?? "never") === "never";
  }

  /** A request is about to be sent. Returns what reads its result, if the result can matter. */
  sent(method: string, params: unknown): ((result: unknown) => void) | undefined {
    const { approvalPolicy, threadId, conversationId } = record(params);
    const asked = approvalPolicy ?? undefined;
    if (asked === undefined && !method.startsWith("thread/")) return undefined;
    // A fork names the thread that it copies; what it asks for is for the copy.
    const target = method === "thread/fork" ? undefined : (text(threadId) ?? text(conversationId));
    const request = {};
    if (asked !== undefined && target !== undefined) {
      const policies = this.#open(target);
      policies.latest = request;
      if (asked !== "never") policies.asked = asked;
    }
    return (result) => {
      const answer = record(result);
      const opened = text(record(answer["thread"])["id"]) ?? text(answer["conversationId"]);
      const id = opened ?? target;
      if (id === undefined) return;
      if (asked !== undefined) this.#accepted(id, asked, id === target ? request : undefined);
      this.#report(id, answer["approvalPolicy"]);
    };
  }

  /** The server has sent a notification, whether anybody follows its thread or not. */
  notified(method: string, params: unknown): void {
    if (method !== "thread/settings/updated" && method !== "thread/deleted") return;
    const { threadId, threadSettings } = record(params);
    if (typeof threadId !== "string") return;
    if (method === "thread/deleted") this.#forget(threadId);
    else this.#report(threadId, record(threadSettings)["approvalPolicy"]);
  }

  #report(threadId: string, policy: unknown): void {
    const reported = policy ?? undefined;
    if (reported === undefined) return;
    const policies = this.#threads.get(threadId);
    if (policies) policies.reported = reported;
    else if (reported === "never") this.#reports.delete(threadId);
    else this.#reports.set(threadId, reported);
  }

  #forget(threadId: string): void {
    this.#threads.delete(threadId);
    this.#reports.delete(threadId);
  }

  #accepted(threadId: string, asked: unknown, request: object | undefined): void {
    const policies = this.#open(threadId);
    // A new thread with the id of a known one: `never` was not asked for that one.
    const counts =
      request === undefined ? (policies.asked ?? "never") === "never" : policies.latest === request;
    if (counts) policies.asked = asked;
  }

  #open(threadId: string): Policies {
    const known = this.#threads.get(threadId);
    if (known) return known;
    const policies: Policies = { asked: undefined, reported: this.#reports.get(threadId), latest: undefined };
    this.#reports.delete(threadId);
    this.#threads.set(threadId, policies);
    return policies;
  }
}
