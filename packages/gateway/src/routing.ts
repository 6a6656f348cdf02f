import { ConnectionClosedError, ResponseError, RpcError } from "codexwright";
import { notificationTraits, type requestTraits } from "codexwright/internal";

/** The thread whose followers a notification is for; `undefined` if it is for all clients. */
export function audience(method: string, params: unknown): string | undefined {
  return notificationTraits(method).to === "all" ? undefined : threadOf(params);
}

/** The thread that params are about. */
export function threadOf(params: unknown): string | undefined {
  const { threadId, conversationId } = (params ?? {}) as { threadId?: unknown; conversationId?: unknown };
  const id = threadId ?? conversationId;
  return typeof id === "string" ? id : undefined;
}

/** The thread that a client follows after this answer; `undefined` if the request does not open one. */
export function openedThread(
  opens: ReturnType<typeof requestTraits>["opens"],
  params: unknown,
  result: unknown,
): string | undefined {
  if (opens === undefined) return undefined;
  const { thread, reviewThreadId } = result as { thread?: { id?: unknown }; reviewThreadId?: unknown };
  // A review on the thread itself is one of its turns; one beside it has a thread of its own.
  const id = opens === "reviewThread" ? reviewThreadId : thread?.id;
  if (typeof id !== "string") return undefined;
  return opens === "reviewThread" && id === threadOf(params) ? undefined : id;
}

/** The threads of agents that an item tells of: the app-server attaches us to them by itself. */
export function agentThreads(params: unknown): readonly string[] {
  const { item } = params as { item?: { receiverThreadIds?: unknown; agentThreadId?: unknown } };
  return [item?.receiverThreadIds, item?.agentThreadId].flat().filter((id) => typeof id === "string");
}

/** An error of one side, as the other is to be told: a refusal in its own words, and that the one side has gone. */
export function relayed(error: unknown, who: "app-server" | "client"): unknown {
  if (error instanceof RpcError) return new ResponseError(error.rpcCode, error.message, error.data);
  if (!(error instanceof ConnectionClosedError)) return error;
  return new ResponseError(-32603, `the ${who} is gone: ${error.message}`);
}
