import type { AskForApproval } from "../../protocol/index.ts";
import { RecentMap } from "../../rpc/recent-map.ts";
import { requestTraits } from "../../protocol/traits/client-requests.ts";
import { record, text } from "../connection/wire.ts";

/** Reports that are kept for threads on which this client asked for no policy. */
const REPORTS_KEPT = 1_024;

/** Requests that open a v1 conversation, which the schema no longer has. */
const V1_OPENERS: ReadonlySet<string> = new Set(["newConversation", "resumeConversation"]);

interface Policies {
  /** The policy that this client last asked for; null if the caller left it to the user's configuration. */
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

  /**
   * The policy that a resume has to ask for again: what this client asked for. Null if it must not ask for any: the
   * caller left the policy to the user's configuration, or another one was reported since. Undefined if the caller has
   * not said anything of this thread.
   */
  standing(threadId: string): AskForApproval | null | undefined {
    const { asked, reported } = this.#threads.get(threadId) ?? {};
    const holds = reported === undefined || JSON.stringify(reported) === JSON.stringify(asked);
    return holds || asked === undefined ? (asked as AskForApproval | null | undefined) : null;
  }

  /** The caller leaves the policy to the user's configuration: what was asked for before no longer counts. */
  withdraw(threadId: string): void {
    Object.assign(this.#open(threadId), { asked: null, latest: undefined });
  }

  /** A request is about to be sent. Returns what reads its result, if the result can matter. */
  sent(method: string, params: unknown): ((result: unknown) => void) | undefined {
    const { approvalPolicy, threadId, conversationId } = record(params);
    const asked = approvalPolicy ?? undefined;
    // A fork names the thread that it copies; what it asks for is for the copy.
    const target = method === "thread/fork" ? undefined : (text(threadId) ?? text(conversationId));
    if (asked === undefined && !method.startsWith("thread/")) {
      // From now on the thread is a known one, for which nothing was asked.
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
      // Only a request that opens a thread can be answered with a thread that it did not name.
      const opened = opensThread(method) ? openedBy(answer) : undefined;
      const id = opened ?? target;
      if (id === undefined) return;
      if (opened !== undefined && opened !== target) this.#opened(opened, asked);
      else if (asked !== undefined) this.#accepted(id, asked, request);
      else if (opened !== undefined) this.#open(opened);
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

  #accepted(threadId: string, asked: unknown, request: object): void {
    const policies = this.#open(threadId);
    if (policies.latest === request) policies.asked = asked;
  }

  /** A new thread. If its id is that of a known one, `never` was not asked for that one. */
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

/** Whether the answer to this request names the thread that it has opened. */
function opensThread(method: string): boolean {
  return requestTraits(method).opens === "thread" || V1_OPENERS.has(method);
}

function openedBy(answer: Readonly<Record<string, unknown>>): string | undefined {
  return text(record(answer["thread"])["id"]) ?? text(answer["conversationId"]);
}
