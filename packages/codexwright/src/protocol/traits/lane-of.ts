import { requestTraits } from "./client-requests.ts";

/** A queue of requests that must not overlap. */
export interface Lane {
  readonly key: string;
  /** True for requests that only read. Consecutive requests of this kind may run at the same time. */
  readonly shared: boolean;
}

/** Params that identify a resource of one connection. */
const OWN = ["processId", "processHandle", "watchId"] as const;

/** Returns the lane of a request, or `undefined` if the request never waits. */
export function laneOf(method: string, params: unknown, connectionId: number): Lane | undefined {
  const { lane, reads = false } = requestTraits(method);
  if (lane === "none") return undefined;
  if (lane !== undefined) return { key: `global ${lane}`, shared: reads };
  if (typeof params !== "object" || params === null) return undefined;
  const { threadId, sessionId, path } = params as Readonly<Record<string, unknown>>;
  if (typeof threadId === "string") {
    if (threadId === "" && typeof path === "string") return { key: `path ${path}`, shared: false };
    return { key: `thread ${threadId}`, shared: false };
  }
  if (method.startsWith("fuzzyFileSearch/") && typeof sessionId === "string") {
    return { key: `search ${sessionId}`, shared: false };
  }
  for (const name of OWN) {
    const value = (params as Readonly<Record<string, unknown>>)[name];
    if (typeof value === "string") return { key: `${name} ${connectionId} ${value}`, shared: false };
  }
  return undefined;
}
