import type { Lane } from "./lanes.ts";

/** Methods about one thread that the real server nevertheless runs at once; the rest of them wait for each other. */
const FREE = new Set([
  // It must reach a turn whose start is still being worked on.
  "turn/interrupt",
  // Answers when the model has; 0.166.0 reads the thread meanwhile.
  "thread/sample",
  "thread/items/list",
  "thread/items/read",
  "thread/search",
  "thread/searchOccurrences",
  "thread/timeline/list",
  "thread/turns/list",
  "account/usage/read",
]);

/** Methods that answer late: those behind them wait for their start only. */
const LATE = new Set(["command/exec", "mcpServer/tool/call"]);

/** Methods that share something that is not a thread; those with `true` only read it. */
const SHARED: Readonly<Record<string, readonly [key: string, reads: boolean]>> = {
  ...keyed("config", true, [
    "config/read",
    "configRequirements/read",
    "externalAgentConfig/import/readHistories",
    "hooks/list",
    "permissionProfile/list",
    "skills/list",
  ]),
  ...keyed("config", false, [
    "config/batchWrite",
    "config/value/write",
    "experimentalFeature/enablement/set",
    "experimentalFeature/list",
    "externalAgentConfig/import",
    "externalAgentConfig/import/recordHistory",
    "marketplace/add",
    "marketplace/remove",
    "marketplace/upgrade",
    "plugin/install",
    "plugin/share/checkout",
    "plugin/share/delete",
    "plugin/share/list",
    "plugin/share/save",
    "plugin/share/updateTargets",
    "plugin/skill/read",
    "plugin/uninstall",
    "skills/config/write",
    "skills/extraRoots/set",
    "windowsSandbox/readiness",
  ]),
  ...keyed("account-auth", true, ["account/bedrock/discover"]),
  ...keyed("account-auth", false, [
    "account/bedrock/setup",
    "account/login/cancel",
    "account/login/start",
    "account/logout",
    "account/rateLimitResetCredit/consume",
    "account/read",
    "account/sendAddCreditsNudgeEmail",
    "getAuthStatus",
  ]),
  ...keyed("environment", true, ["environment/info", "environment/status"]),
  ...keyed("environment", false, ["environment/add"]),
  ...keyed("mcp-registry", false, ["config/mcpServer/reload", "mcpServerStatus/list"]),
  ...keyed("memory", false, ["memory/reset"]),
  ...keyed("projects", true, ["project/list", "project/read"]),
  ...keyed("projects", false, [
    "project/create",
    "project/delete",
    "project/import",
    "project/move",
    "project/update",
  ]),
  ...keyed("thread-sections", true, ["threadSection/list"]),
  ...keyed("thread-sections", false, [
    "threadSection/create",
    "threadSection/delete",
    "threadSection/update",
  ]),
};

/** Members of params that name what requests of one connection share. */
const OWN = ["processId", "processHandle", "watchId"] as const;

/** Whether others may pass a request of this method before it is answered. */
export function answersLate(method: string): boolean {
  return LATE.has(method);
}

/**
 * The lane of a request, or `undefined` where it waits for nothing. Taken from the public source of about 0.150;
 * methods that are newer follow the rule that those about one thread wait for each other.
 */
export function laneOf(method: string, params: unknown, connectionId: number): Lane | undefined {
  if (FREE.has(method)) return undefined;
  const named = Object.hasOwn(SHARED, method) ? SHARED[method] : undefined;
  if (named) return { key: `global ${named[0]}`, shared: named[1] };
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

function keyed(
  key: string,
  reads: boolean,
  methods: readonly string[],
): Record<string, readonly [string, boolean]> {
  return Object.fromEntries(methods.map((method) => [method, [key, reads] as const]));
}
