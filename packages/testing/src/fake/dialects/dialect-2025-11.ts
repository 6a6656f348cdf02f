import { isJsonObject } from "codexwright/internal";
import type { WireMessage } from "codexwright/rpc";
import type { WireObject } from "../../model-request.ts";
import { DIALECT_098, said098, tells098 } from "./dialect-098.ts";
import type { FakeDialect, Speech } from "./dialect.ts";
import { only } from "./dialect-shapes.ts";

/** The methods of the app-server of November 2025, according to its README. */
const METHODS: ReadonlySet<string> = new Set([
  "thread/start",
  "thread/resume",
  "thread/list",
  "thread/archive",
  "turn/start",
  "turn/interrupt",
  "review/start",
  "model/list",
  "account/read",
  "account/login/start",
  "account/login/cancel",
  "account/logout",
  "account/rateLimits/read",
]);
const THREAD = ["id", "preview", "modelProvider", "createdAt", "turns"];

/** At that time, the server reported usage only at the end of a turn. */
const USAGE_UPDATED = "thread/tokenUsage/updated";
const USAGE = ["inputTokens", "cachedInputTokens", "outputTokens", "reasoningOutputTokens"];

/** How the server spelled these values at that time. */
const WORDS: Readonly<Record<string, string>> = {
  workspaceWrite: "workspace-write",
  readOnly: "read-only",
  dangerFullAccess: "danger-full-access",
  unlessTrusted: "untrusted",
};

/**
 * The app-server of November 2025: a review is one `codeReview` item, `turn/completed` includes the usage,
 * and a sandbox policy has a `mode`.
 */
export function dialect2025(): FakeDialect {
  return {
    ...DIALECT_098,
    version: "0.58.0",
    knows: (method) => METHODS.has(method),
    tells: (method) => tells098(method) && method !== USAGE_UPDATED,
    turnId: () => undefined,
    speaks: new Speech2025(),
  };
}

/** Translates messages. The translation depends on earlier messages. */
class Speech2025 implements Speech {
  /** Threads whose client asked for the review to be appended as a message (`appendToOriginalThread`). */
  readonly #appending = new Set<string>();
  readonly #reviews = new Map<string, string>();
  /** The usage so far of the turn that runs on each thread. */
  readonly #usage = new Map<string, Readonly<Record<string, number>>>();

  heard(message: WireMessage): WireMessage {
    const params = isJsonObject(message.params) ? { ...message.params } : undefined;
    if (!params) return message;
    for (const field of ["sandbox", "approvalPolicy"]) {
      const word = params[field];
      if (typeof word === "string") params[field] = WORDS[word] ?? word;
    }
    const { sandboxPolicy, appendToOriginalThread, threadId } = params;
    if (isJsonObject(sandboxPolicy) && "mode" in sandboxPolicy) {
      const { mode, ...rest } = sandboxPolicy;
      params["sandboxPolicy"] = { type: mode, ...rest };
    }
    if (message.method === "review/start") {
      if (appendToOriginalThread === true) this.#appending.add(String(threadId));
      else this.#appending.delete(String(threadId));
    }
    return { ...message, params };
  }

  said(message: WireMessage, method: string | undefined): WireMessage | undefined {
    this.#remember(message);
    const reviewed = this.#review(message);
    const older = reviewed && said098(reviewed, method);
    if (!older || older.method === USAGE_UPDATED) return undefined;
    if (older.method === "turn/completed" && isJsonObject(older.params)) {
      const threadId = String(older.params["threadId"]);
      const usage = this.#usage.get(threadId) ?? null;
      this.#usage.delete(threadId);
      return { ...older, params: { ...older.params, usage } };
    }
    return { ...older, ...withFewerFields(older) };
  }

  #remember({ method, params }: WireMessage): void {
    if (method !== USAGE_UPDATED || !isJsonObject(params)) return;
    const { last } = params["tokenUsage"] as { last: Readonly<Record<string, number>> };
    const threadId = String(params["threadId"]);
    const before = this.#usage.get(threadId) ?? {};
    const sum = USAGE.map((field) => [field, (before[field] ?? 0) + (last[field] ?? 0)] as const);
    this.#usage.set(threadId, Object.fromEntries(sum));
  }

  /** Merges the two items of a review into one item, which starts and completes. */
  #review(message: WireMessage): WireMessage | undefined {
    const { method, params } = message;
    if (!isJsonObject(params) || !isJsonObject(params["item"])) return message;
    const { item, turnId, threadId } = params as { item: WireObject; turnId: string; threadId: string };
    const asItem = (review: unknown): WireMessage => ({
      ...message,
      params: { ...params, item: { type: "codeReview", id: turnId, review } },
    });
    if (item["type"] === "enteredReviewMode") {
      this.#reviews.set(turnId, String(item["review"]));
      return method === "item/started" ? asItem(item["review"]) : undefined;
    }
    if (item["type"] === "exitedReviewMode")
      return method === "item/completed" ? asItem(item["review"]) : undefined;
    const appended = item["type"] !== "agentMessage" || this.#appending.has(threadId);
    return this.#reviews.has(turnId) && !appended ? undefined : message;
  }
}

function withFewerFields(message: WireMessage): { result?: unknown; params?: unknown } {
  const { result, params } = message;
  if (isJsonObject(result) && isJsonObject(result["thread"])) {
    return { result: { thread: only(result["thread"], THREAD) } };
  }
  if (isJsonObject(result) && "reviewThreadId" in result) return { result: { turn: result["turn"] } };
  if (isJsonObject(params) && isJsonObject(params["thread"])) {
    return { params: { thread: only(params["thread"], THREAD) } };
  }
  return {};
}
