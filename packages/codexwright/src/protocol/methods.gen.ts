// Generated from Codex 0.166.0 by scripts/generate-protocol.ts. Do not edit.

import type { NoParams } from "./open.ts";
import type * as P from "./types.gen.ts";

/** Requests that a client may send, by method. The connection sends `params: {}` if there are none, because most methods reject missing params. */
export interface ClientRequests {
  /** @experimental */
  "account/bedrock/checkGovCloudRequirements": { params: P.BedrockCheckGovCloudRequirementsParams; result: P.BedrockCheckGovCloudRequirementsResponse };
  /** @experimental */
  "account/bedrock/discover": { params: P.BedrockDiscoverParams; result: P.BedrockDiscoverResponse };
  /** @experimental */
  "account/bedrock/setup": { params: P.BedrockSetupParams; result: P.BedrockSetupResponse };
  "account/gatewayOAuth/cancel": { params: NoParams; result: P.GatewayOAuthCancelResponse };
  "account/gatewayOAuth/login": { params: NoParams; result: P.GatewayOAuthLoginResponse };
  "account/gatewayOAuth/read": { params: NoParams; result: P.GatewayOAuthReadResponse };
  /** @experimental */
  "account/gcp/setup": { params: P.GcpSetupParams; result: P.GcpSetupResponse };
  "account/login/cancel": { params: P.CancelLoginAccountParams; result: P.CancelLoginAccountResponse };
  "account/login/start": { params: P.LoginAccountParams; result: P.LoginAccountResponse };
  "account/logout": { params: NoParams; result: P.LogoutAccountResponse };
  "account/rateLimitResetCredit/consume": { params: P.ConsumeAccountRateLimitResetCreditParams; result: P.ConsumeAccountRateLimitResetCreditResponse };
  "account/rateLimits/read": { params: P.GetAccountRateLimitsParams | undefined; result: P.GetAccountRateLimitsResponse };
  "account/read": { params: P.GetAccountParams; result: P.GetAccountResponse };
  "account/sendAddCreditsNudgeEmail": { params: P.SendAddCreditsNudgeEmailParams; result: P.SendAddCreditsNudgeEmailResponse };
  "account/usage/read": { params: P.GetAccountTokenUsageParams | undefined; result: P.GetAccountTokenUsageResponse };
  "account/workspaceMessages/read": { params: NoParams; result: P.GetWorkspaceMessagesResponse };
  /** @experimental */
  "accountSession/list": { params: P.AccountSessionsListParams; result: P.AccountSessionsResponse };
  /** @experimental */
  "accountSession/switch": { params: P.AccountSessionsSwitchParams; result: P.AccountSessionsSwitchResponse };
  "app/installed": { params: P.AppsInstalledParams; result: P.AppsInstalledResponse };
  "app/list": { params: P.AppsListParams; result: P.AppsListResponse };
  "app/read": { params: P.AppsReadParams; result: P.AppsReadResponse };
  /** @experimental */
  "collaborationMode/list": { params: P.CollaborationModeListParams; result: P.CollaborationModeListResponse };
  "command/exec": { params: P.CommandExecParams; result: P.CommandExecResponse };
  "command/exec/resize": { params: P.CommandExecResizeParams; result: P.CommandExecResizeResponse };
  "command/exec/terminate": { params: P.CommandExecTerminateParams; result: P.CommandExecTerminateResponse };
  "command/exec/write": { params: P.CommandExecWriteParams; result: P.CommandExecWriteResponse };
  "config/batchWrite": { params: P.ConfigBatchWriteParams; result: P.ConfigWriteResponse };
  "config/mcpServer/reload": { params: NoParams; result: P.McpServerRefreshResponse };
  "config/read": { params: P.ConfigReadParams; result: P.ConfigReadResponse };
  "config/value/write": { params: P.ConfigValueWriteParams; result: P.ConfigWriteResponse };
  "configRequirements/read": { params: NoParams; result: P.ConfigRequirementsReadResponse };
  /** @experimental */
  "environment/add": { params: P.EnvironmentAddParams; result: P.EnvironmentAddResponse };
  /** @experimental */
  "environment/info": { params: P.EnvironmentInfoParams; result: P.EnvironmentInfoResponse };
  /** @experimental */
  "environment/status": { params: P.EnvironmentStatusParams; result: P.EnvironmentStatusResponse };
  "experimentalFeature/enablement/set": { params: P.ExperimentalFeatureEnablementSetParams; result: P.ExperimentalFeatureEnablementSetResponse };
  "experimentalFeature/list": { params: P.ExperimentalFeatureListParams; result: P.ExperimentalFeatureListResponse };
  "externalAgentConfig/detect": { params: P.ExternalAgentConfigDetectParams; result: P.ExternalAgentConfigDetectResponse };
  "externalAgentConfig/import": { params: P.ExternalAgentConfigImportParams; result: P.ExternalAgentConfigImportResponse };
  "externalAgentConfig/import/readHistories": { params: NoParams; result: P.ExternalAgentConfigImportHistoriesReadResponse };
  "externalAgentConfig/import/recordHistory": { params: P.ExternalAgentConfigImportHistoryRecordParams; result: P.ExternalAgentConfigImportHistoryRecordResponse };
  "feedback/save": { params: P.FeedbackSaveParams; result: P.FeedbackSaveResponse };
  "feedback/upload": { params: P.FeedbackUploadParams; result: P.FeedbackUploadResponse };
  "fs/copy": { params: P.FsCopyParams; result: P.FsCopyResponse };
  "fs/createDirectory": { params: P.FsCreateDirectoryParams; result: P.FsCreateDirectoryResponse };
  "fs/getMetadata": { params: P.FsGetMetadataParams; result: P.FsGetMetadataResponse };
  "fs/readDirectory": { params: P.FsReadDirectoryParams; result: P.FsReadDirectoryResponse };
  "fs/readFile": { params: P.FsReadFileParams; result: P.FsReadFileResponse };
  "fs/remove": { params: P.FsRemoveParams; result: P.FsRemoveResponse };
  "fs/unwatch": { params: P.FsUnwatchParams; result: P.FsUnwatchResponse };
  "fs/watch": { params: P.FsWatchParams; result: P.FsWatchResponse };
  "fs/writeFile": { params: P.FsWriteFileParams; result: P.FsWriteFileResponse };
  "fuzzyFileSearch": { params: P.FuzzyFileSearchParams; result: P.FuzzyFileSearchResponse };
  /** @experimental */
  "fuzzyFileSearch/sessionStart": { params: P.FuzzyFileSearchSessionStartParams; result: P.FuzzyFileSearchSessionStartResponse };
  /** @experimental */
  "fuzzyFileSearch/sessionStop": { params: P.FuzzyFileSearchSessionStopParams; result: P.FuzzyFileSearchSessionStopResponse };
  /** @experimental */
  "fuzzyFileSearch/sessionUpdate": { params: P.FuzzyFileSearchSessionUpdateParams; result: P.FuzzyFileSearchSessionUpdateResponse };
  "getAuthStatus": { params: P.GetAuthStatusParams; result: P.GetAuthStatusResponse };
  "getConversationSummary": { params: P.GetConversationSummaryParams; result: P.GetConversationSummaryResponse };
  "gitDiffToRemote": { params: P.GitDiffToRemoteParams; result: P.GitDiffToRemoteResponse };
  "hooks/list": { params: P.HooksListParams; result: P.HooksListResponse };
  "initialize": { params: P.InitializeParams; result: P.InitializeResponse };
  "marketplace/add": { params: P.MarketplaceAddParams; result: P.MarketplaceAddResponse };
  "marketplace/remove": { params: P.MarketplaceRemoveParams; result: P.MarketplaceRemoveResponse };
  "marketplace/upgrade": { params: P.MarketplaceUpgradeParams; result: P.MarketplaceUpgradeResponse };
  /** @experimental */
  "mcpServer/event/stream/start": { params: P.McpServerEventStreamStartParams; result: P.McpServerEventStreamStartResponse };
  /** @experimental */
  "mcpServer/event/stream/stop": { params: P.McpServerEventStreamStopParams; result: P.McpServerEventStreamStopResponse };
  "mcpServer/oauth/login": { params: P.McpServerOauthLoginParams; result: P.McpServerOauthLoginResponse };
  "mcpServer/resource/read": { params: P.McpResourceReadParams; result: P.McpResourceReadResponse };
  "mcpServer/tool/call": { params: P.McpServerToolCallParams; result: P.McpServerToolCallResponse };
  "mcpServerStatus/list": { params: P.ListMcpServerStatusParams; result: P.ListMcpServerStatusResponse };
  /** @experimental */
  "memory/reset": { params: NoParams; result: P.MemoryResetResponse };
  /** @experimental */
  "memory/status": { params: P.MemoryStatusParams; result: P.MemoryStatusResponse };
  /** @experimental */
  "mock/experimentalMethod": { params: P.MockExperimentalMethodParams; result: P.MockExperimentalMethodResponse };
  "model/list": { params: P.ModelListParams; result: P.ModelListResponse };
  "modelProvider/capabilities/read": { params: P.ModelProviderCapabilitiesReadParams; result: P.ModelProviderCapabilitiesReadResponse };
  "permissionProfile/list": { params: P.PermissionProfileListParams; result: P.PermissionProfileListResponse };
  "plugin/install": { params: P.PluginInstallParams; result: P.PluginInstallResponse };
  "plugin/installed": { params: P.PluginInstalledParams; result: P.PluginInstalledResponse };
  "plugin/list": { params: P.PluginListParams; result: P.PluginListResponse };
  "plugin/read": { params: P.PluginReadParams; result: P.PluginReadResponse };
  "plugin/reconcile": { params: P.PluginReconcileParams; result: P.PluginReconcileResponse };
  /** @experimental */
  "plugin/search": { params: P.PluginSearchParams; result: P.PluginSearchResponse };
  "plugin/share/checkout": { params: P.PluginShareCheckoutParams; result: P.PluginShareCheckoutResponse };
  "plugin/share/delete": { params: P.PluginShareDeleteParams; result: P.PluginShareDeleteResponse };
  "plugin/share/list": { params: P.PluginShareListParams; result: P.PluginShareListResponse };
  "plugin/share/save": { params: P.PluginShareSaveParams; result: P.PluginShareSaveResponse };
  "plugin/share/updateTargets": { params: P.PluginShareUpdateTargetsParams; result: P.PluginShareUpdateTargetsResponse };
  "plugin/skill/read": { params: P.PluginSkillReadParams; result: P.PluginSkillReadResponse };
  "plugin/uninstall": { params: P.PluginUninstallParams; result: P.PluginUninstallResponse };
  /** @experimental */
  "process/kill": { params: P.ProcessKillParams; result: P.ProcessKillResponse };
  /** @experimental */
  "process/resizePty": { params: P.ProcessResizePtyParams; result: P.ProcessResizePtyResponse };
  /** @experimental */
  "process/spawn": { params: P.ProcessSpawnParams; result: P.ProcessSpawnResponse };
  /** @experimental */
  "process/writeStdin": { params: P.ProcessWriteStdinParams; result: P.ProcessWriteStdinResponse };
  /** @experimental */
  "project/create": { params: P.ProjectCreateParams; result: P.ProjectCreateResponse };
  /** @experimental */
  "project/delete": { params: P.ProjectDeleteParams; result: P.ProjectDeleteResponse };
  /** @experimental */
  "project/import": { params: P.ProjectImportParams; result: P.ProjectImportResponse };
  /** @experimental */
  "project/list": { params: P.ProjectListParams; result: P.ProjectListResponse };
  /** @experimental */
  "project/move": { params: P.ProjectMoveParams; result: P.ProjectMoveResponse };
  /** @experimental */
  "project/read": { params: P.ProjectReadParams; result: P.ProjectReadResponse };
  /** @experimental */
  "project/update": { params: P.ProjectUpdateParams; result: P.ProjectUpdateResponse };
  /** @experimental */
  "remoteControl/client/list": { params: P.RemoteControlClientsListParams; result: P.RemoteControlClientsListResponse };
  /** @experimental */
  "remoteControl/client/revoke": { params: P.RemoteControlClientsRevokeParams; result: P.RemoteControlClientsRevokeResponse };
  /** @experimental */
  "remoteControl/disable": { params: P.RemoteControlDisableParams | undefined; result: P.RemoteControlDisableResponse };
  /** @experimental */
  "remoteControl/enable": { params: P.RemoteControlEnableParams | undefined; result: P.RemoteControlEnableResponse };
  /** @experimental */
  "remoteControl/pairing/start": { params: P.RemoteControlPairingStartParams; result: P.RemoteControlPairingStartResponse };
  /** @experimental */
  "remoteControl/pairing/status": { params: P.RemoteControlPairingStatusParams; result: P.RemoteControlPairingStatusResponse };
  /** @experimental */
  "remoteControl/status/read": { params: NoParams; result: P.RemoteControlStatusReadResponse };
  "review/start": { params: P.ReviewStartParams; result: P.ReviewStartResponse };
  /** @experimental */
  "rollout/compress": { params: NoParams; result: P.RolloutCompressResponse };
  /** @experimental */
  "server/diagnostics": { params: P.ServerDiagnosticsParams; result: P.ServerDiagnosticsResponse };
  "skills/config/write": { params: P.SkillsConfigWriteParams; result: P.SkillsConfigWriteResponse };
  "skills/extraRoots/set": { params: P.SkillsExtraRootsSetParams; result: P.SkillsExtraRootsSetResponse };
  "skills/list": { params: P.SkillsListParams; result: P.SkillsListResponse };
  "thread/approveGuardianDeniedAction": { params: P.ThreadApproveGuardianDeniedActionParams; result: P.ThreadApproveGuardianDeniedActionResponse };
  "thread/archive": { params: P.ThreadArchiveParams; result: P.ThreadArchiveResponse };
  "thread/attachment/add": { params: P.ThreadAttachmentAddParams; result: P.ThreadAttachmentAddResponse };
  "thread/attachment/list": { params: P.ThreadAttachmentListParams; result: P.ThreadAttachmentListResponse };
  "thread/attachment/remove": { params: P.ThreadAttachmentRemoveParams; result: P.ThreadAttachmentRemoveResponse };
  "thread/attachmentOwner/list": { params: P.ThreadAttachmentOwnerListParams; result: P.ThreadAttachmentOwnerListResponse };
  /** @experimental */
  "thread/backgroundTerminals/clean": { params: P.ThreadBackgroundTerminalsCleanParams; result: P.ThreadBackgroundTerminalsCleanResponse };
  /** @experimental */
  "thread/backgroundTerminals/list": { params: P.ThreadBackgroundTerminalsListParams; result: P.ThreadBackgroundTerminalsListResponse };
  /** @experimental */
  "thread/backgroundTerminals/terminate": { params: P.ThreadBackgroundTerminalsTerminateParams; result: P.ThreadBackgroundTerminalsTerminateResponse };
  "thread/compact/start": { params: P.ThreadCompactStartParams; result: P.ThreadCompactStartResponse };
  /** @experimental */
  "thread/decrement_elicitation": { params: P.ThreadDecrementElicitationParams; result: P.ThreadDecrementElicitationResponse };
  "thread/delete": { params: P.ThreadDeleteParams; result: P.ThreadDeleteResponse };
  "thread/fork": { params: P.ThreadForkParams; result: P.ThreadForkResponse };
  "thread/goal/clear": { params: P.ThreadGoalClearParams; result: P.ThreadGoalClearResponse };
  "thread/goal/get": { params: P.ThreadGoalGetParams; result: P.ThreadGoalGetResponse };
  "thread/goal/set": { params: P.ThreadGoalSetParams; result: P.ThreadGoalSetResponse };
  /** @experimental */
  "thread/increment_elicitation": { params: P.ThreadIncrementElicitationParams; result: P.ThreadIncrementElicitationResponse };
  "thread/inject_items": { params: P.ThreadInjectItemsParams; result: P.ThreadInjectItemsResponse };
  "thread/items/list": { params: P.ThreadItemsListParams; result: P.ThreadItemsListResponse };
  /** @experimental */
  "thread/items/read": { params: P.ThreadItemsReadParams; result: P.ThreadItemsReadResponse };
  "thread/list": { params: P.ThreadListParams; result: P.ThreadListResponse };
  "thread/loaded/list": { params: P.ThreadLoadedListParams; result: P.ThreadLoadedListResponse };
  /** @experimental */
  "thread/memory/read": { params: P.ThreadMemoryReadParams; result: P.ThreadMemoryReadResponse };
  /** @experimental */
  "thread/memoryMode/set": { params: P.ThreadMemoryModeSetParams; result: P.ThreadMemoryModeSetResponse };
  "thread/metadata/update": { params: P.ThreadMetadataUpdateParams; result: P.ThreadMetadataUpdateResponse };
  "thread/name/set": { params: P.ThreadSetNameParams; result: P.ThreadSetNameResponse };
  /** @experimental */
  "thread/prediction/request": { params: P.ThreadPredictionRequestParams; result: P.ThreadPredictionRequestResponse };
  /** @experimental */
  "thread/queue/add": { params: P.ThreadQueueAddParams; result: P.ThreadQueueAddResponse };
  /** @experimental */
  "thread/queue/delete": { params: P.ThreadQueueDeleteParams; result: P.ThreadQueueDeleteResponse };
  /** @experimental */
  "thread/queue/list": { params: P.ThreadQueueListParams; result: P.ThreadQueueListResponse };
  /** @experimental */
  "thread/queue/reorder": { params: P.ThreadQueueReorderParams; result: P.ThreadQueueReorderResponse };
  /** @experimental */
  "thread/queue/start": { params: P.ThreadQueueStartParams; result: P.ThreadQueueStartResponse };
  /** @experimental */
  "thread/queue/update": { params: P.ThreadQueueUpdateParams; result: P.ThreadQueueUpdateResponse };
  "thread/read": { params: P.ThreadReadParams; result: P.ThreadReadResponse };
  /** @experimental */
  "thread/readState/update": { params: P.ThreadReadStateUpdateParams; result: P.ThreadReadStateUpdateResponse };
  /** @experimental */
  "thread/realtime/appendAudio": { params: P.ThreadRealtimeAppendAudioParams; result: P.ThreadRealtimeAppendAudioResponse };
  /** @experimental */
  "thread/realtime/appendSpeech": { params: P.ThreadRealtimeAppendSpeechParams; result: P.ThreadRealtimeAppendSpeechResponse };
  /** @experimental */
  "thread/realtime/appendText": { params: P.ThreadRealtimeAppendTextParams; result: P.ThreadRealtimeAppendTextResponse };
  /** @experimental */
  "thread/realtime/listVoices": { params: P.ThreadRealtimeListVoicesParams; result: P.ThreadRealtimeListVoicesResponse };
  /** @experimental */
  "thread/realtime/start": { params: P.ThreadRealtimeStartParams; result: P.ThreadRealtimeStartResponse };
  /** @experimental */
  "thread/realtime/stop": { params: P.ThreadRealtimeStopParams; result: P.ThreadRealtimeStopResponse };
  "thread/resume": { params: P.ThreadResumeParams; result: P.ThreadResumeResponse };
  "thread/revert": { params: P.ThreadRevertParams; result: P.ThreadRevertResponse };
  /** @experimental */
  "thread/sample": { params: P.ThreadSampleParams; result: P.ThreadSampleResponse };
  /** @experimental */
  "thread/sample/cancel": { params: P.ThreadSampleCancelParams; result: P.ThreadSampleCancelResponse };
  /** @experimental */
  "thread/search": { params: P.ThreadSearchParams; result: P.ThreadSearchResponse };
  /** @experimental */
  "thread/searchOccurrences": { params: P.ThreadSearchOccurrencesParams; result: P.ThreadSearchOccurrencesResponse };
  "thread/section/move": { params: P.ThreadSectionMoveParams; result: P.ThreadSectionMoveResponse };
  /** @experimental */
  "thread/settings/update": { params: P.ThreadSettingsUpdateParams; result: P.ThreadSettingsUpdateResponse };
  "thread/shellCommand": { params: P.ThreadShellCommandParams; result: P.ThreadShellCommandResponse };
  "thread/start": { params: P.ThreadStartParams; result: P.ThreadStartResponse };
  /** @experimental */
  "thread/timeline/list": { params: P.ThreadTimelineListParams; result: P.ThreadTimelineListResponse };
  "thread/turns/list": { params: P.ThreadTurnsListParams; result: P.ThreadTurnsListResponse };
  "thread/unarchive": { params: P.ThreadUnarchiveParams; result: P.ThreadUnarchiveResponse };
  "thread/unsubscribe": { params: P.ThreadUnsubscribeParams; result: P.ThreadUnsubscribeResponse };
  "threadSection/create": { params: P.ThreadSectionCreateParams; result: P.ThreadSectionCreateResponse };
  "threadSection/delete": { params: P.ThreadSectionDeleteParams; result: P.ThreadSectionDeleteResponse };
  "threadSection/list": { params: P.ThreadSectionListParams; result: P.ThreadSectionListResponse };
  "threadSection/update": { params: P.ThreadSectionUpdateParams; result: P.ThreadSectionUpdateResponse };
  "turn/interrupt": { params: P.TurnInterruptParams; result: P.TurnInterruptResponse };
  /** @experimental */
  "turn/settings/update": { params: P.TurnSettingsUpdateParams; result: P.TurnSettingsUpdateResponse };
  "turn/start": { params: P.TurnStartParams; result: P.TurnStartResponse };
  "turn/steer": { params: P.TurnSteerParams; result: P.TurnSteerResponse };
  /** @experimental */
  "userVerification/cancel": { params: P.UserVerificationCancelParams; result: P.UserVerificationCancelResponse };
  /** @experimental */
  "userVerification/delete": { params: P.UserVerificationDeleteParams; result: P.UserVerificationDeleteResponse };
  /** @experimental */
  "userVerification/enroll": { params: P.UserVerificationEnrollParams; result: P.UserVerificationEnrollResponse };
  /** @experimental */
  "userVerification/status": { params: P.UserVerificationStatusParams; result: P.UserVerificationStatusResponse };
  /** @experimental */
  "userVerification/verify": { params: P.UserVerificationVerifyParams; result: P.UserVerificationVerifyResponse };
  "windowsSandbox/readiness": { params: NoParams; result: P.WindowsSandboxReadinessResponse };
  "windowsSandbox/setupStart": { params: P.WindowsSandboxSetupStartParams; result: P.WindowsSandboxSetupStartResponse };
}

/** Notifications that a client may send, by method. */
export interface ClientNotifications {
  "initialized": NoParams;
}

/** Requests that the server may send, by method. Includes the legacy approvals from before threads. */
export interface ServerRequests {
  "account/chatgptAuthTokens/refresh": { params: P.ChatgptAuthTokensRefreshParams; result: P.ChatgptAuthTokensRefreshResponse };
  "applyPatchApproval": { params: P.ApplyPatchApprovalParams; result: P.ApplyPatchApprovalResponse };
  "attestation/generate": { params: P.AttestationGenerateParams; result: P.AttestationGenerateResponse };
  /** @experimental */
  "currentTime/read": { params: P.CurrentTimeReadParams; result: P.CurrentTimeReadResponse };
  "execCommandApproval": { params: P.ExecCommandApprovalParams; result: P.ExecCommandApprovalResponse };
  "item/commandExecution/requestApproval": { params: P.CommandExecutionRequestApprovalParams; result: P.CommandExecutionRequestApprovalResponse };
  "item/fileChange/requestApproval": { params: P.FileChangeRequestApprovalParams; result: P.FileChangeRequestApprovalResponse };
  "item/permissions/requestApproval": { params: P.PermissionsRequestApprovalParams; result: P.PermissionsRequestApprovalResponse };
  "item/tool/call": { params: P.DynamicToolCallParams; result: P.DynamicToolCallResponse };
  "item/tool/requestUserInput": { params: P.ToolRequestUserInputParams; result: P.ToolRequestUserInputResponse };
  "mcpServer/elicitation/request": { params: P.McpServerElicitationRequestParams; result: P.McpServerElicitationRequestResponse };
}

/** Notifications that the server may send: method → params. */
export interface ServerNotifications {
  "account/gatewayOAuth/changed": P.GatewayOAuthChangedNotification;
  "account/login/completed": P.AccountLoginCompletedNotification;
  "account/rateLimits/updated": P.AccountRateLimitsUpdatedNotification;
  "account/updated": P.AccountUpdatedNotification;
  "app/list/updated": P.AppListUpdatedNotification;
  "autoApprovalReview/strictReviewRequired": P.StrictReviewRequiredNotification;
  "command/exec/outputDelta": P.CommandExecOutputDeltaNotification;
  "configWarning": P.ConfigWarningNotification;
  "deprecationNotice": P.DeprecationNoticeNotification;
  "error": P.ErrorNotification;
  "externalAgentConfig/import/completed": P.ExternalAgentConfigImportCompletedNotification;
  "externalAgentConfig/import/progress": P.ExternalAgentConfigImportProgressNotification;
  "fs/changed": P.FsChangedNotification;
  "fuzzyFileSearch/sessionCompleted": P.FuzzyFileSearchSessionCompletedNotification;
  "fuzzyFileSearch/sessionUpdated": P.FuzzyFileSearchSessionUpdatedNotification;
  "guardianWarning": P.GuardianWarningNotification;
  "hook/completed": P.HookCompletedNotification;
  "hook/started": P.HookStartedNotification;
  "item/agentMessage/delta": P.AgentMessageDeltaNotification;
  "item/autoApprovalReview/completed": P.ItemGuardianApprovalReviewCompletedNotification;
  "item/autoApprovalReview/started": P.ItemGuardianApprovalReviewStartedNotification;
  "item/commandExecution/outputDelta": P.CommandExecutionOutputDeltaNotification;
  "item/commandExecution/terminalInteraction": P.TerminalInteractionNotification;
  "item/completed": P.ItemCompletedNotification;
  "item/fileChange/outputDelta": P.FileChangeOutputDeltaNotification;
  "item/fileChange/patchUpdated": P.FileChangePatchUpdatedNotification;
  "item/mcpToolCall/progress": P.McpToolCallProgressNotification;
  "item/plan/delta": P.PlanDeltaNotification;
  "item/reasoning/summaryPartAdded": P.ReasoningSummaryPartAddedNotification;
  "item/reasoning/summaryTextDelta": P.ReasoningSummaryTextDeltaNotification;
  "item/reasoning/textDelta": P.ReasoningTextDeltaNotification;
  "item/started": P.ItemStartedNotification;
  "mcpServer/event/stream/notification": P.McpServerEventStreamNotification;
  "mcpServer/oauthLogin/completed": P.McpServerOauthLoginCompletedNotification;
  "mcpServer/startupStatus/updated": P.McpServerStatusUpdatedNotification;
  "model/rerouted": P.ModelReroutedNotification;
  "model/safetyBuffering/updated": P.ModelSafetyBufferingUpdatedNotification;
  "model/verification": P.ModelVerificationNotification;
  "modelProvider/authRecoveryCompleted": P.AuthRecoveryNotification;
  "modelProvider/authRecoveryStarted": P.AuthRecoveryNotification;
  "process/exited": P.ProcessExitedNotification;
  "process/outputDelta": P.ProcessOutputDeltaNotification;
  "project/changed": P.ProjectChangedNotification;
  "rawResponse/completed": P.RawResponseCompletedNotification;
  "rawResponseItem/completed": P.RawResponseItemCompletedNotification;
  "remoteControl/status/changed": P.RemoteControlStatusChangedNotification;
  "serverRequest/resolved": P.ServerRequestResolvedNotification;
  "skills/changed": P.SkillsChangedNotification;
  "thread/archived": P.ThreadArchivedNotification;
  "thread/attachment/updated": P.ThreadAttachmentUpdatedNotification;
  "thread/closed": P.ThreadClosedNotification;
  "thread/compacted": P.ContextCompactedNotification;
  "thread/deleted": P.ThreadDeletedNotification;
  "thread/environment/connected": P.EnvironmentConnectionNotification;
  "thread/environment/disconnected": P.EnvironmentConnectionNotification;
  "thread/goal/cleared": P.ThreadGoalClearedNotification;
  "thread/goal/updated": P.ThreadGoalUpdatedNotification;
  "thread/name/updated": P.ThreadNameUpdatedNotification;
  "thread/prediction/updated": P.ThreadPredictionUpdatedNotification;
  "thread/project/updated": P.ThreadProjectUpdatedNotification;
  "thread/queue/changed": P.ThreadQueueChangedNotification;
  "thread/readState/changed": P.ThreadReadStateChangedNotification;
  "thread/realtime/closed": P.ThreadRealtimeClosedNotification;
  "thread/realtime/error": P.ThreadRealtimeErrorNotification;
  "thread/realtime/item/completed": P.ThreadRealtimeItemCompletedNotification;
  "thread/realtime/item/started": P.ThreadRealtimeItemStartedNotification;
  "thread/realtime/item/transcript/delta": P.ThreadRealtimeItemTranscriptDeltaNotification;
  "thread/realtime/itemAdded": P.ThreadRealtimeItemAddedNotification;
  "thread/realtime/outputAudio/delta": P.ThreadRealtimeOutputAudioDeltaNotification;
  "thread/realtime/sdp": P.ThreadRealtimeSdpNotification;
  "thread/realtime/started": P.ThreadRealtimeStartedNotification;
  "thread/realtime/transcript/delta": P.ThreadRealtimeTranscriptDeltaNotification;
  "thread/realtime/transcript/done": P.ThreadRealtimeTranscriptDoneNotification;
  "thread/reverted": P.ThreadRevertedNotification;
  "thread/settings/updated": P.ThreadSettingsUpdatedNotification;
  "thread/started": P.ThreadStartedNotification;
  "thread/status/changed": P.ThreadStatusChangedNotification;
  "thread/tokenUsage/updated": P.ThreadTokenUsageUpdatedNotification;
  "thread/unarchived": P.ThreadUnarchivedNotification;
  "turn/completed": P.TurnCompletedNotification;
  "turn/diff/updated": P.TurnDiffUpdatedNotification;
  "turn/moderationMetadata": P.TurnModerationMetadataNotification;
  "turn/plan/updated": P.TurnPlanUpdatedNotification;
  "turn/started": P.TurnStartedNotification;
  "warning": P.WarningNotification;
  "windows/worldWritableWarning": P.WindowsWorldWritableWarningNotification;
  "windowsSandbox/setupCompleted": P.WindowsSandboxSetupCompletedNotification;
}
