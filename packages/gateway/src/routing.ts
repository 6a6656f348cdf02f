import { ConnectionClosedError, ResponseError, RpcError } from "codexwright";
import { notificationTraits, type requestTraits } from "codexwright/internal";

/** The thread whose followers receive a notification; `undefined` if all clients receive it. */
export function audience(method: string, params: unknown): string | undefined {
  return notificationTraits(method).to === "all" ? undefined : threadOf(params);
}

/** The thread that params refer to. */
export function threadOf(params: unknown): string | undefined {
  const { threadId, conversationId } = (params ?? {}) as { threadId?: unknown; conversationId?: unknown };
  const id = threadId ?? conversationId;
  return typeof id === "string" ? id : undefined;
}

/** The thread that a client follows after this answer; `undefined` if the request opens none. */
export function openedThread(
  opens: ReturnType<typeof requestTraits>["opens"],
  params: unknown,
  result: unknown,
): string | undefined {
  if (opens === undefined) return undefined;
  const { thread, reviewThreadId } = result as { thread?: { id?: unknown }; reviewThreadId?: unknown };
  // An inline review is a turn of the thread. A detached review has its own thread.
  const id = opens === "reviewThread" ? reviewThreadId : thread?.id;
  if (typeof id !== "string") return undefined;
  return opens === "reviewThread" && id === threadOf(params) ? undefined : id;
}

/** The sub-agent threads that an item names. The app-server subscribes us to them by itself. */
export function agentThreads(params: unknown): readonly string[] {
  const { item } = params as { item?: { receiverThreadIds?: unknown; agentThreadId?: unknown } };
  return [item?.receiverThreadIds, item?.agentThreadId].flat().filter((id) => typeof id === "string");
}

/**
 * Converts an error of the app-server or of a client for the other side: a rejection keeps its message, and a closed
 * connection is reported as such.
 */
export function relayed(error: unknown, who: "app-server" | "client"): unknown {
  if (error instanceof RpcError) return new ResponseError(error.rpcCode, error.message, error.data);
  if (!(error instanceof ConnectionClosedError)) return error;
  return new ResponseError(-32603, `the ${who} is gone: ${error.message}`);
}
