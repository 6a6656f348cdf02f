/*
 * What neither of Codex's outputs tells of how the server reads params: found by sending it tens of thousands of
 * wrong ones, and checked on the pinned binary by test/live/endpoint-params.test.ts.
 *
 * Keys are names of types, of fields (`Type.field`), or of what stands beside the fields of a variant
 * (`Type.variant.`).
 */

/** Types that are read in a way of their own. To both outputs, paths are strings. */
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

/** Types that the server's errors call by another name. */
export const NAMES: Readonly<Record<string, string>> = {
  SandboxPolicy: "SandboxPolicyDeserialize",
  "ThreadListParams.cwd": "ThreadListCwdFilter",
};

/** Types that the JSON schema calls by another name. */
export const SCHEMA_NAMES: Readonly<Record<string, string>> = {
  WebSearchAction: "v2/ResponsesApiWebSearchAction",
};

/** Unions that look as if they had a tag and have none, and what errors call them. */
export const UNTAGGED: Readonly<Record<string, string>> = {
  "ContentItem.input_image.": "ImageReference",
  "FunctionCallOutputContentItem.input_image.": "ImageReference",
  GetConversationSummaryParams: "GetConversationSummaryParams",
  "UserInput.image.": "ImageReference",
};

/** Words that the server accepts and does not write. */
export const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  ModeKind: ["plan", "code", "custom", "default", "execute", "pair_programming"],
  MultiAgentMode: ["none", "custom", "explicitRequestOnly", "proactive"],
};

/** Fields that may be left out, against what the schema says: `=` where the server has a value of its own. */
export const OMISSIONS: Readonly<Record<string, "" | "?" | "=">> = {
  "InternalChatMessageMetadataPassthrough.turn_id": "=",
  "ThreadMetadataGitInfoUpdateParams.branch": "=",
  "ThreadMetadataGitInfoUpdateParams.originUrl": "=",
  "ThreadMetadataGitInfoUpdateParams.sha": "=",
};

/** Unions with a tag that take a word they do not know for their `other`. */
export const OPEN: ReadonlySet<string> = new Set(["ResponseItem", "WebSearchAction"]);

/** Structs that cannot be written as a list of their fields' values: in the server they contain another one. */
export const MAPS_ONLY: ReadonlySet<string> = new Set(["FeedbackSaveParams"]);
