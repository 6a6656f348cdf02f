/**
 * Result types that cannot be derived from the name of the params (`XParams` → `XResponse`).
 *
 * Codex's generator writes no map from method to response. These were read from the method definitions in its public
 * source. For methods newer than that source, we took the only response type that has a fitting name and that no other
 * method uses. The generator fails on a method that neither the rule nor this table resolves.
 */
export const RESPONSE_OVERRIDES: Readonly<Record<string, string>> = {
  "account/gatewayOAuth/cancel": "GatewayOAuthCancelResponse",
  "account/gatewayOAuth/login": "GatewayOAuthLoginResponse",
  "account/gatewayOAuth/read": "GatewayOAuthReadResponse",
  "account/logout": "LogoutAccountResponse",
  "account/workspaceMessages/read": "GetWorkspaceMessagesResponse",
  "accountSession/list": "AccountSessionsResponse",
  "config/batchWrite": "ConfigWriteResponse",
  "config/mcpServer/reload": "McpServerRefreshResponse",
  "config/value/write": "ConfigWriteResponse",
  "configRequirements/read": "ConfigRequirementsReadResponse",
  "externalAgentConfig/import/readHistories": "ExternalAgentConfigImportHistoriesReadResponse",
  "memory/reset": "MemoryResetResponse",
  "remoteControl/status/read": "RemoteControlStatusReadResponse",
  "rollout/compress": "RolloutCompressResponse",
  "windowsSandbox/readiness": "WindowsSandboxReadinessResponse",
};
