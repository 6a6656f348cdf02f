import type { AskForApproval } from "../../protocol/index.ts";
import { RecentMap } from "../../rpc/recent-map.ts";
import { requestTraits } from "../../protocol/traits/client-requests.ts";
import { record, text } from "../connection/wire.ts";

/** Maximum number of the server's reports that are kept for threads on which this client set no policy. */
const REPORTS_KEPT = 1_024;

/** Requests that open a v1 conversation. The current schema no longer contains these requests. */
const V1_OPENERS: ReadonlySet<string> = new Set(["newConversation", "resumeConversation"]);

interface Policies {
  /** The policy that this client last requested; null if the caller left it to the user's configuration. */
  asked: unknown;
  /** The policy that the server last reported. */
  reported: unknown;
  /** The last request that set a policy. An answer to an earlier request is out of date. */
  latest: object | undefined;
}

/**
 * The policy that this client requested and the one that the server reported, for each thread. They decide whether an
 * approval may be accepted without a handler.
 *
 * This class reads the requests themselves, so that every way to set a policy counts: the options of a thread, the
 * overrides of a turn, or a raw request. A request for `never` counts after the server has accepted it. A request for
 * another policy counts as soon as it is sent.
 */
export class ApprovalPolicies {
  readonly #threads = new Map<string, Policies>();
  /** Policies other than `never` that the server reported for threads without an entry in `#threads`. */
  readonly #reports = new RecentMap<string, unknown>(REPORTS_KEPT);

  /** True only if this client requested `never` on the thread and the server reports no other policy. */
  acceptsUnasked(threadId: string): boolean {
    const policies = this.#threads.get(threadId);
    return policies?.asked === "never" && (policies.reported ?? "never") === "never";
  }

  /**
   * The policy that a resume has to request again, because this client requested it before. Null if the resume must not
   * request a policy, because the caller left the policy to the user's configuration or the server has reported another
   * one since. Undefined if the caller has not set a policy for this thread.
   */
  standing(threadId: string): AskForApproval | null | undefined {
    const { asked, reported } = this.#threads.get(threadId) ?? {};
    const holds = reported === undefined || JSON.stringify(reported) === JSON.stringify(asked);
    return holds || asked === undefined ? (asked as AskForApproval | null | undefined) : null;
  }

  /** Called when the caller leaves the policy to the user's configuration. An earlier request no longer counts. */
  withdraw(threadId: string): void {
    Object.assign(this.#open(threadId), { asked: null, latest: undefined });
  }

  /** Called before a request is sent. Returns a callback for its result, if the result can matter. */
  sent(method: string, params: unknown): ((result: unknown) => void) | undefined {
    const { approvalPolicy, threadId, conversationId } = record(params);
    const asked = approvalPolicy ?? undefined;
    // A fork names the thread that it copies, but its policy applies to the copy.
    const target = method === "thread/fork" ? undefined : (text(threadId) ?? text(conversationId));
    if (asked === undefined && !method.startsWith("thread/")) {
      // From now on the thread is known, without a requested policy.
      if (method === "turn/start" && target !== undefined) this.#open(target);
      return undefined;
    }
    const request = {};
    if (asked !== undefined && target !== undefined) {
      const policies = this.#open(target);
      policies.latest = request;
      if (asked !== "never") policies.asked = asked;
    }
    return (result) => {
      const answer = record(result);
      // Only a request that opens a thread can return a thread that it did not name.
      const opened = opensThread(method) ? openedBy(answer) : undefined;
      const id = opened ?? target;
      if (id === undefined) return;
      if (opened !== undefined && opened !== target) this.#opened(opened, asked);
      else if (asked !== undefined) this.#accepted(id, asked, request);
      else if (opened !== undefined) this.#open(opened);
      this.#report(id, answer["approvalPolicy"]);
    };
  }

  /** Called for each notification, even if the client does not follow its thread. */
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

  #accepted(threadId: string, asked: unknown, request: object): void {
    const policies = this.#open(threadId);
    if (policies.latest === request) policies.asked = asked;
  }

  /**
   * Records a new thread. If the thread id is already known, a request for `never` is ignored, because it was not made
   * for that thread.
   */
  #opened(threadId: string, asked: unknown): void {
    const isNew = !this.#threads.has(threadId);
    const policies = this.#open(threadId);
    if (asked !== undefined && (isNew || asked !== "never")) policies.asked = asked;
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

/** Whether the answer to this request names the thread that it opened. */
function opensThread(method: string): boolean {
  return requestTraits(method).opens === "thread" || V1_OPENERS.has(method);
}

function openedBy(answer: Readonly<Record<string, unknown>>): string | undefined {
  return text(record(answer["thread"])["id"]) ?? text(answer["conversationId"]);
}
