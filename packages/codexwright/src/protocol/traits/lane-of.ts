import { requestTraits } from "./client-requests.ts";

/** Which requests must not overlap. */
export interface Lane {
  readonly key: string;
  /** Requests that only read run together. */
  readonly shared: boolean;
}

/** Members of params that name what requests of one connection share. */
const OWN = ["processId", "processHandle", "watchId"] as const;

/** The lane of a request, or `undefined` if it waits for nothing. */
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
