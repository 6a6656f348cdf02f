import type { ServerRequests } from "../methods.gen.ts";
import type { ScopeOf, ServerRequestTraits } from "./types.ts";

/** Every method of the schema must have a row, with the scope that its params imply. */
type Rows = {
  readonly [M in keyof ServerRequests]: ServerRequestTraits & {
    readonly scope: ScopeOf<ServerRequests[M]["params"]>;
  };
};

const APPROVAL = { scope: "thread", tellsResolved: true } as const;

const ROWS: Rows = {
  "account/chatgptAuthTokens/refresh": { scope: "connection", answeredBy: "one" },
  applyPatchApproval: { scope: "thread" },
  "attestation/generate": { scope: "connection", answeredBy: "one" },
  "currentTime/read": { scope: "thread" },
  execCommandApproval: { scope: "thread" },
  "item/commandExecution/requestApproval": APPROVAL,
  "item/fileChange/requestApproval": APPROVAL,
  "item/permissions/requestApproval": APPROVAL,
  "item/tool/call": { scope: "thread", answeredBy: "one" },
  "item/tool/requestUserInput": APPROVAL,
  "mcpServer/elicitation/request": APPROVAL,
};

const UNKNOWN: ServerRequestTraits = { scope: "connection" };

/** Returns the traits of a server request. Unknown methods have the default traits. */
export function serverRequestTraits(method: string): ServerRequestTraits {
  return Object.hasOwn(ROWS, method) ? ROWS[method as keyof ServerRequests] : UNKNOWN;
}
