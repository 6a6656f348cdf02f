/** Sandbox modes: first the spellings of servers, then the spellings of older documentation. */
export const SANDBOX_SPELLINGS = [
  "read-only",
  "workspace-write",
  "danger-full-access",
  "readOnly",
  "workspaceWrite",
  "dangerFullAccess",
] as const;

/** Approval policies: first the spellings of current servers, then the spellings of older documentation and servers. */
export const APPROVAL_SPELLINGS = [
  "untrusted",
  "on-request",
  "never",
  "unlessTrusted",
  "always",
  "on-failure",
] as const;
