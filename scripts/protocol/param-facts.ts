/*
 * Facts about how the server parses params. Neither of Codex's two outputs (TypeScript and JSON schema) contains them.
 * We found them by sending tens of thousands of wrong params; test/live/endpoint-params.test.ts checks them on the
 * pinned binary.
 *
 * Keys are names of types, names of fields (`Type.field`), or, with a final dot, the level of a variant that contains
 * its fields (`Type.variant.`).
 */

/** Types that have their own parser. Both outputs describe paths as plain strings. */
export const LEAVES: Readonly<Record<string, string>> = {
  AbsolutePathBuf: "absolutePath",
  ReasoningEffort: "effort",
  ThreadId: "uuid",
  "CapabilityRootLocation.environment.path": "rootPath",
  "CommandExecParams.cwd": "path?",
  "ExternalAgentConfigDetectParams.cwds": "path[]?",
  "ExternalAgentConfigImportHistoryRecordSuccessParams.cwd": "path?",
  "ExternalAgentConfigImportItemTypeFailure.cwd": "path?",
  "ExternalAgentConfigMigrationItem.cwd": "path?",
  "FeedbackSaveParams.extraLogFiles": "path[]?",
  "FeedbackUploadParams.extraLogFiles": "path[]?",
  "GetConversationSummaryParams.0.rolloutPath": "path",
  "GitDiffToRemoteParams.cwd": "path",
  "HooksListParams.cwds": "path[]",
  "SessionMigration.cwd": "path",
  "SessionMigration.path": "path",
  "SkillsListParams.cwds": "path[]",
  "ThreadForkParams.path": "path?",
  "ThreadResumeParams.path": "path?",
  "ThreadSettingsUpdateParams.cwd": "path?",
  "ThreadStartParams.dynamicTools": "dynamicTools?",
  "TurnStartParams.cwd": "path?",
  "UserInput.localAudio.path": "path",
  "UserInput.localImage.path": "path",
  "UserInput.skill.path": "path",
};

/** Types that have another name in the server's errors. */
export const NAMES: Readonly<Record<string, string>> = {
  SandboxPolicy: "SandboxPolicyDeserialize",
  "ThreadListParams.cwd": "ThreadListCwdFilter",
};

/** Types that have another name in the JSON schema. */
export const SCHEMA_NAMES: Readonly<Record<string, string>> = {
  WebSearchAction: "v2/ResponsesApiWebSearchAction",
};

/** Unions that look tagged but are not, with their names in errors. */
export const UNTAGGED: Readonly<Record<string, string>> = {
  "ContentItem.input_image.": "ImageReference",
  "FunctionCallOutputContentItem.input_image.": "ImageReference",
  GetConversationSummaryParams: "GetConversationSummaryParams",
  "UserInput.image.": "ImageReference",
};

/** Values that the server accepts but never sends. */
export const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  ModeKind: ["plan", "code", "custom", "default", "execute", "pair_programming"],
  MultiAgentMode: ["none", "custom", "explicitRequestOnly", "proactive"],
};

/** Fields that may be omitted although the schema requires them: `=` if the server has a default value. */
export const OMISSIONS: Readonly<Record<string, "" | "?" | "=">> = {
  "InternalChatMessageMetadataPassthrough.turn_id": "=",
  "ThreadMetadataGitInfoUpdateParams.branch": "=",
  "ThreadMetadataGitInfoUpdateParams.originUrl": "=",
  "ThreadMetadataGitInfoUpdateParams.sha": "=",
};

/** Tagged unions that parse an unknown tag as their `other` member. */
export const OPEN: ReadonlySet<string> = new Set(["ResponseItem", "WebSearchAction"]);

/**
 * Structs that cannot be written as a list of field values, because in the server they contain another
 * struct.
 */
export const MAPS_ONLY: ReadonlySet<string> = new Set(["FeedbackSaveParams"]);
