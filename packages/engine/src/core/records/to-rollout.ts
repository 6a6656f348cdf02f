import type { ThreadItem, ThreadTokenUsage, TokenUsageBreakdown, TurnError } from "codexwright/protocol";
import { itemToRollout } from "./rollout-items.ts";
import { policyToRollout, profileToRollout } from "./rollout-policy.ts";
import type { Settings, ThreadRecord, TurnRecord } from "./record.ts";
import type { WireObject } from "../wire-object.ts";

/** The type and payload of a rollout record. */
export type Entry = readonly [type: string, payload: WireObject];

/** The first record of a file. */
export function metaEntry(thread: ThreadRecord, version: string): Entry {
  const { settings, gitInfo } = thread;
  const own = {
    ...(thread.dynamicTools.length > 0 ? { dynamic_tools: thread.dynamicTools } : {}),
    ...(thread.developerInstructions ? { developer_instructions: thread.developerInstructions } : {}),
    created_at_ms: thread.createdAtMs,
  };
  return [
    "session_meta",
    {
      session_id: thread.sessionId,
      id: thread.id,
      ...(thread.forkedFromId === null ? {} : { forked_from_id: thread.forkedFromId }),
      ...(thread.parentThreadId === null ? {} : { parent_thread_id: thread.parentThreadId }),
      timestamp: new Date(thread.createdAtMs).toISOString(),
      cwd: settings.cwd,
      runtime_workspace_roots: settings.roots,
      originator: thread.originator ?? "codexwright",
      cli_version: version,
      source: sourceToRollout(thread.source),
      ...(thread.parentThreadId === null ? {} : { thread_source: "subagent" }),
      ...(thread.agentNickname === null ? {} : { agent_nickname: thread.agentNickname }),
      model_provider: settings.modelProvider,
      ...(thread.instructions === "" ? {} : { base_instructions: { text: thread.instructions } }),
      history_mode: thread.historyMode,
      ...(gitInfo === null
        ? {}
        : {
            git: {
              commit_hash: gitInfo["sha"],
              branch: gitInfo["branch"],
              repository_url: gitInfo["originUrl"],
            },
          }),
      codexwright: own,
    },
  ];
}

function sourceToRollout(source: unknown): unknown {
  if (typeof source !== "object" || source === null || !("subAgent" in source)) return source;
  return { subagent: source.subAgent };
}

export function turnStarted(turn: TurnRecord, contextWindow: number | null): Entry {
  return [
    "event_msg",
    {
      type: "task_started",
      turn_id: turn.id,
      root_turn_id: turn.rootTurnId ?? turn.id,
      started_at: turn.startedAt,
      model_context_window: contextWindow,
      collaboration_mode_kind: "default",
    },
  ];
}

/** The settings that a turn runs with. */
export function turnContext(turnId: string, settings: Settings): Entry {
  return ["turn_context", { turn_id: turnId, ...contextOf(settings) }];
}

/** Settings that change between turns. Codex has its own form for them, so ours is kept beside it. */
export function settingsApplied(threadId: string, settings: Settings): Entry {
  const { effort, personality, collaborationMode } = settings;
  return [
    "event_msg",
    {
      type: "thread_settings_applied",
      thread_id: threadId,
      thread_settings: {
        model: settings.model,
        model_provider_id: settings.modelProvider,
        approval_policy: settings.approvalPolicy,
        approvals_reviewer: settings.approvalsReviewer,
        permission_profile: profileToRollout(settings.sandbox, settings.roots),
        cwd: settings.cwd,
        ...(effort === null ? {} : { reasoning_effort: effort }),
        ...(personality === null ? {} : { personality }),
        collaboration_mode: collaborationMode ?? {
          mode: "default",
          settings: { model: settings.model, reasoning_effort: effort, developer_instructions: null },
        },
      },
      codexwright: { context: contextOf(settings) },
    },
  ];
}

function contextOf(settings: Settings): WireObject {
  return {
    cwd: settings.cwd,
    approval_policy: settings.approvalPolicy,
    approvals_reviewer: settings.approvalsReviewer,
    sandbox_policy: policyToRollout(settings.sandbox),
    model: settings.model,
    ...(settings.effort === null ? {} : { effort: settings.effort }),
    ...(settings.personality === null ? {} : { personality: settings.personality }),
    ...(settings.collaborationMode === null ? {} : { collaboration_mode: settings.collaborationMode }),
    summary: settings.summary ?? "none",
    codexwright: {
      model_provider: settings.modelProvider,
      permissions: settings.permissions,
      roots: settings.roots,
    },
  };
}

export function responseItem(item: WireObject): Entry {
  return ["response_item", item];
}

/** Replaces the whole conversation so far. */
export function compacted(history: readonly WireObject[]): Entry {
  return ["compacted", { message: "", replacement_history: history }];
}

export function tokenCount(usage: ThreadTokenUsage): Entry {
  return [
    "event_msg",
    {
      type: "token_count",
      info: {
        total_token_usage: tokens(usage.total),
        last_token_usage: tokens(usage.last),
        model_context_window: usage.modelContextWindow,
      },
      rate_limits: null,
    },
  ];
}

function tokens(usage: TokenUsageBreakdown): WireObject {
  return {
    input_tokens: usage.inputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    cache_write_input_tokens: usage.cacheWriteInputTokens ?? 0,
    output_tokens: usage.outputTokens,
    reasoning_output_tokens: usage.reasoningOutputTokens,
    total_tokens: usage.totalTokens,
  };
}

export function itemCompleted(threadId: string, turnId: string, item: ThreadItem): Entry {
  return [
    "event_msg",
    { type: "item_completed", thread_id: threadId, turn_id: turnId, ...itemToRollout(item) },
  ];
}

/** The entry by which the legacy form shows a message, which it does not read from items. */
export function legacyMessage(item: ThreadItem): Entry[] {
  if (item.type === "agentMessage") {
    return [["event_msg", { type: "agent_message", message: item.text, phase: item.phase }]];
  }
  if (item.type !== "userMessage") return [];
  const text = item.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return [
    ["event_msg", { type: "user_message", message: text, images: [], local_images: [], text_elements: [] }],
  ];
}

export function turnEnded(turn: TurnRecord, answer: string | null, readState: unknown): Entry {
  const common = {
    root_turn_id: turn.rootTurnId ?? turn.id,
    turn_id: turn.id,
    started_at: turn.startedAt,
    completed_at: turn.completedAt,
    duration_ms: turn.durationMs,
    ...(readState === null ? {} : { codexwright: { read_state: readState } }),
  };
  if (turn.status === "interrupted") {
    return ["event_msg", { type: "turn_aborted", reason: "interrupted", ...common }];
  }
  return [
    "event_msg",
    {
      type: "task_complete",
      last_agent_message: answer,
      ...(turn.error ? { error: errorToRollout(turn.error) } : {}),
      ...common,
    },
  ];
}

/** Codex reads the kind of an error only in its own spelling, so ours is kept beside it. */
function errorToRollout(error: TurnError): WireObject {
  return { message: error.message, codex_error_info: "other", codexwright: error };
}
