/** Sandbox modes: first the spellings of servers, then those of older documents. */
export const SANDBOX_SPELLINGS = [
  "read-only",
  "workspace-write",
  "danger-full-access",
  "readOnly",
  "workspaceWrite",
  "dangerFullAccess",
] as const;

/** Approval policies: first the spellings of servers, then those of older documents and servers. */
export const APPROVAL_SPELLINGS = [
  "untrusted",
  "on-request",
  "never",
  "unlessTrusted",
  "always",
  "on-failure",
] as const;
