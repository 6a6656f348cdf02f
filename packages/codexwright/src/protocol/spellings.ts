/** Sandbox modes as servers spell them, then as older documents do. */
export const SANDBOX_SPELLINGS = [
  "read-only",
  "workspace-write",
  "danger-full-access",
  "readOnly",
  "workspaceWrite",
  "dangerFullAccess",
] as const;

/** Names of approval policies as servers spell them, then as older documents and servers do. */
export const APPROVAL_SPELLINGS = [
  "untrusted",
  "on-request",
  "never",
  "unlessTrusted",
  "always",
  "on-failure",
] as const;
