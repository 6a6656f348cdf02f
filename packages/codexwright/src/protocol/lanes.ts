/** Calls that are answered when what they started ends: they hold no slot and have no default time limit. */
const LONG: ReadonlySet<string> = new Set([
  "command/exec",
  "mcpServer/tool/call",
  "account/login/start",
  "feedback/upload",
  "thread/sample",
  "userVerification/delete",
  "userVerification/enroll",
  "userVerification/verify",
]);

/** Calls that end or feed others: they must pass when every slot is taken by what they act on. */
const URGENT: ReadonlySet<string> = new Set([
  "turn/interrupt",
  "turn/steer",
  "account/login/cancel",
  "command/exec/terminate",
  "command/exec/write",
  "command/exec/resize",
  "process/kill",
  "process/writeStdin",
  "thread/backgroundTerminals/clean",
  "thread/backgroundTerminals/terminate",
  "thread/sample/cancel",
  "userVerification/cancel",
]);

/** How a method waits: whether it takes a slot of the in-flight cap, and whether it has a default time limit. */
export function laneOf(method: string): { readonly uncapped: boolean; readonly unlimited: boolean } {
  const long = LONG.has(method);
  return { uncapped: long || URGENT.has(method), unlimited: long };
}
