import { ConnectionClosedError, ResponseError, RpcError } from "codexwright";

/** Notifications about one thread that every client gets, as from the app-server itself. */
const TO_ALL: ReadonlySet<string> = new Set([
  "thread/started",
  "thread/status/changed",
  "thread/archived",
  "thread/unarchived",
  "thread/deleted",
  "thread/name/updated",
]);

/** Said right after the handshake: clients that come later are told as well. */
export const GREETINGS: ReadonlySet<string> = new Set(["configWarning", "remoteControl/status/changed"]);

/** Requests after whose answer the client that asked follows a thread. */
export const OPENERS: ReadonlySet<string> = new Set([
  "thread/start",
  "thread/resume",
  "thread/fork",
  "review/start",
]);

/** Requests that start a turn, which a shutdown waits for. */
export const TURN_STARTERS: ReadonlySet<string> = new Set([
  "turn/start",
  "review/start",
  "thread/compact/start",
  "thread/shellCommand",
]);

/** Requests that start something, which a server that shuts down does not. */
export const STARTERS: ReadonlySet<string> = new Set([
  ...TURN_STARTERS,
  "thread/start",
  "thread/fork",
  "command/exec",
  "process/spawn",
]);

/** The thread whose followers a notification is for; `undefined` where it is for all. */
export function audience(method: string, params: unknown): string | undefined {
  return TO_ALL.has(method) ? undefined : threadOf(params);
}

/** The thread that params are about. */
export function threadOf(params: unknown): string | undefined {
  const { threadId, conversationId } = (params ?? {}) as { threadId?: unknown; conversationId?: unknown };
  const id = threadId ?? conversationId;
  return typeof id === "string" ? id : undefined;
}

/** The thread that a client follows after this answer to one of the {@link OPENERS}. */
export function openedThread(method: string, params: unknown, result: unknown): string | undefined {
  const { thread, reviewThreadId } = result as { thread?: { id?: unknown }; reviewThreadId?: unknown };
  // A review on the thread itself is one of its turns; one beside it has a thread of its own.
  const id = method === "review/start" ? reviewThreadId : thread?.id;
  if (typeof id !== "string") return undefined;
  return method === "review/start" && id === threadOf(params) ? undefined : id;
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
