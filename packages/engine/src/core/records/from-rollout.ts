import type { ThreadItem, ThreadTokenUsage, TokenUsageBreakdown, TurnError } from "codexwright/protocol";
import {
  CONTEXT_WINDOW,
  moved,
  noUsage,
  type Settings,
  type ThreadRecord,
  type TurnRecord,
} from "./record.ts";
import { itemFromRollout } from "./rollout-items.ts";
import { allowsNoWrites, approvalFromRollout, policyFromRollout } from "./rollout-policy.ts";
import { isObject, listOr, numberOr, objectOr, textOr, type RolloutRecord } from "./rollout-record.ts";
import type { WireObject } from "../wire-object.ts";

/**
 * Rebuilds a thread from the records of its file, one after the other. Records that it does not know and fields of the
 * wrong type are skipped, so every sequence of records leads to a thread.
 */
export class RolloutFold {
  readonly #turns: TurnRecord[] = [];
  readonly #byId = new Map<string, TurnRecord>();
  readonly #items = new Map<string, number>();
  readonly #defaults: Settings;
  #meta: WireObject = {};
  #metaTime = 0;
  #settings: Settings;
  #history: WireObject[] = [];
  #usage: ThreadTokenUsage = noUsage();
  #preview = "";
  #readState: unknown = null;
  #open: TurnRecord | undefined;
  #next = 0;
  #lastTime = 0;

  /** `defaults` are the settings that no record sets. */
  constructor(defaults: Settings) {
    this.#defaults = defaults;
    this.#settings = { ...defaults };
  }

  get meta(): WireObject {
    return this.#meta;
  }

  /** The ordinal of the next record. */
  get next(): number {
    return this.#next;
  }

  /** Whether the turn is part of the history so far. */
  has(turnId: string): boolean {
    return this.#byId.has(turnId);
  }

  /** Forgets the preview, which a fork does not take over from its source. */
  forked(): void {
    this.#preview = "";
  }

  add(record: RolloutRecord): void {
    // Codex repeats the ordinals of lines that it could not read. Ours must be unique.
    const ordinal = Math.max(this.#next, record.ordinal);
    this.#next = ordinal + 1;
    const time = Date.parse(record.timestamp);
    if (!Number.isNaN(time)) this.#lastTime = time;
    const { payload } = record;
    switch (record.type) {
      case "session_meta":
        this.#begin(payload, time);
        break;
      case "turn_context":
        this.#context(payload);
        break;
      case "response_item":
        if (typeof payload["type"] === "string") this.#history.push(cleaned(payload));
        break;
      case "compacted":
        this.#compact(payload);
        break;
      case "event_msg":
        this.#event(payload, ordinal);
        break;
      default:
        break;
    }
  }

  /** The thread with this id, as the records so far describe it. */
  thread(id: string): ThreadRecord {
    const meta = this.#meta;
    const own = objectOr(meta["codexwright"]);
    // The process that ran the turn is gone.
    for (const turn of this.#turns) if (turn.status === "inProgress") turn.status = "interrupted";
    return {
      id,
      sessionId: textOr(meta["session_id"], id),
      forkedFromId: textOr(meta["forked_from_id"], null),
      parentThreadId: textOr(meta["parent_thread_id"], null),
      ephemeral: false,
      historyMode: meta["history_mode"] === "paginated" ? "paginated" : "legacy",
      createdAtMs: numberOr(own["created_at_ms"], timeOf(meta["timestamp"], this.#metaTime)),
      updatedAtMs: this.#lastTime,
      originator: textOr(meta["originator"], null),
      source: sourceFromRollout(meta["source"]),
      agentNickname: textOr(meta["agent_nickname"], null),
      instructions: textOr(objectOr(meta["base_instructions"])["text"], ""),
      developerInstructions: textOr(own["developer_instructions"], null),
      preview: this.#preview,
      name: null,
      gitInfo: gitFromRollout(meta["git"]),
      archived: false,
      branch: null,
      path: null,
      materialized: true,
      settings: this.#settings,
      dynamicTools: listOr(own["dynamic_tools"]).filter((tool) => isObject(tool)) as never,
      turns: this.#turns,
      history: withOutputs(this.#history),
      usage: this.#usage,
      readState: readStateOr(this.#readState),
      nextOrdinal: this.#next,
    };
  }

  #begin(payload: WireObject, time: number): void {
    this.#meta = payload;
    this.#metaTime = Number.isNaN(time) ? 0 : time;
    const cwd = textOr(payload["cwd"], this.#settings.cwd);
    this.#settings = {
      ...this.#settings,
      cwd,
      roots: rootsOr(payload["runtime_workspace_roots"], [cwd]),
      modelProvider: textOr(payload["model_provider"], this.#settings.modelProvider),
    };
  }

  #context(payload: WireObject): void {
    const before = this.#settings;
    const sandbox = policyFromRollout(payload["sandbox_policy"]);
    const own = objectOr(payload["codexwright"]);
    const summary = textOr(payload["summary"], null);
    const cwd = textOr(payload["cwd"], before.cwd);
    this.#settings = {
      ...before,
      cwd,
      roots: rootsOr(own["roots"], moved(before.roots, before.cwd, cwd)),
      model: textOr(payload["model"], before.model),
      modelProvider: textOr(own["model_provider"], before.modelProvider),
      approvalPolicy: approvalFromRollout(payload["approval_policy"]) ?? before.approvalPolicy,
      approvalsReviewer: payload["approvals_reviewer"] === "auto_review" ? "auto_review" : "user",
      // A policy that cannot be read falls back to the default, not to the policy of an earlier turn.
      sandbox: sandbox ?? this.#defaults.sandbox,
      permissions: sandbox ? textOr(own["permissions"], null) : this.#defaults.permissions,
      effort: textOr(payload["effort"], null),
      personality: textOr(payload["personality"], before.personality),
      summary: summary === "none" ? null : summary,
      collaborationMode: isObject(payload["collaboration_mode"])
        ? payload["collaboration_mode"]
        : before.collaborationMode,
    };
  }

  /** Settings that changed between turns. */
  #applied(payload: WireObject): void {
    const own = objectOr(payload["codexwright"])["context"];
    if (isObject(own)) return this.#context(own);
    const applied = objectOr(payload["thread_settings"]);
    const before = this.#settings;
    const cwd = textOr(applied["cwd"], before.cwd);
    this.#settings = {
      ...before,
      cwd,
      roots: moved(before.roots, before.cwd, cwd),
      model: textOr(applied["model"], before.model),
      modelProvider: textOr(applied["model_provider_id"], before.modelProvider),
      approvalPolicy: approvalFromRollout(applied["approval_policy"]) ?? before.approvalPolicy,
      approvalsReviewer: applied["approvals_reviewer"] === "auto_review" ? "auto_review" : "user",
      effort: textOr(applied["reasoning_effort"], null),
      personality: textOr(applied["personality"], before.personality),
      collaborationMode: isObject(applied["collaboration_mode"])
        ? applied["collaboration_mode"]
        : before.collaborationMode,
      // Codex's form of a sandbox says more than ours. A sandbox is narrowed by it, and never widened.
      ...(allowsNoWrites(applied["permission_profile"]) && before.sandbox.type !== "readOnly"
        ? { sandbox: { type: "readOnly" as const, networkAccess: false }, permissions: null }
        : {}),
    };
  }

  #compact(payload: WireObject): void {
    const replacement = payload["replacement_history"];
    if (Array.isArray(replacement)) {
      this.#history = replacement.filter((item) => isObject(item)).map((item) => cleaned(item));
      return;
    }
    // An older form holds only the summary. The user's messages stay.
    const said = this.#history.filter((item) => item["type"] === "message" && item["role"] === "user");
    const text = textOr(payload["message"], "");
    this.#history = [...said, { type: "message", role: "user", content: [{ type: "input_text", text }] }];
  }

  #event(payload: WireObject, ordinal: number): void {
    switch (payload["type"]) {
      case "task_started":
      case "turn_started":
        this.#turn(payload, ordinal);
        break;
      case "task_complete":
      case "turn_complete":
        this.#end(payload, isObject(payload["error"]) ? "failed" : "completed");
        break;
      case "turn_aborted":
        this.#end(payload, "interrupted");
        break;
      case "item_completed":
        this.#item(payload, ordinal);
        break;
      case "thread_settings_applied":
        this.#applied(payload);
        break;
      case "token_count":
        this.#usage = usageFromRollout(payload["info"]) ?? this.#usage;
        break;
      case "user_message":
        this.#legacy(payload, ordinal, "userMessage");
        break;
      case "agent_message":
        this.#legacy(payload, ordinal, "agentMessage");
        break;
      default:
        break;
    }
  }

  #turn(payload: WireObject, ordinal: number): void {
    const id = textOr(payload["turn_id"], `turn-${ordinal}`);
    if (this.#byId.has(id)) return;
    const turn: TurnRecord = {
      id,
      rootTurnId: textOr(payload["root_turn_id"], id),
      ordinal,
      items: [],
      usage: null,
      status: "inProgress",
      error: null,
      startedAt: numberOr(payload["started_at"], null),
      completedAt: null,
      durationMs: null,
    };
    this.#turns.push(turn);
    this.#byId.set(id, turn);
    this.#open = turn;
  }

  #end(payload: WireObject, status: TurnRecord["status"]): void {
    const id = payload["turn_id"];
    const turn = typeof id === "string" ? this.#byId.get(id) : this.#open;
    if (!turn) return;
    turn.status = status;
    turn.error = status === "failed" ? errorFromRollout(objectOr(payload["error"])) : null;
    turn.startedAt = numberOr(payload["started_at"], turn.startedAt);
    turn.completedAt = numberOr(payload["completed_at"], null);
    turn.durationMs = numberOr(payload["duration_ms"], null);
    turn.usage = this.#usage;
    this.#readState = objectOr(payload["codexwright"])["read_state"] ?? this.#readState;
    if (this.#open === turn) this.#open = undefined;
  }

  #item(payload: WireObject, ordinal: number): void {
    const item = itemFromRollout(payload);
    if (!item) return;
    const id = payload["turn_id"];
    const turn =
      (typeof id === "string" ? this.#byId.get(id) : undefined) ?? this.#open ?? this.#turns.at(-1);
    if (!turn) return;
    const key = `${turn.id} ${(item as { id: string }).id}`;
    const known = this.#items.get(key);
    const before = known === undefined ? undefined : turn.items[known];
    if (before) before.item = item;
    else this.#items.set(key, turn.items.push({ ordinal, item }) - 1);
    if (item.type === "userMessage" && this.#preview === "") {
      this.#preview = item.content
        .map((part) => (part.type === "text" ? part.text : ""))
        .join("")
        .trim();
    }
  }

  /** Messages of the legacy form, which has no items. */
  #legacy(payload: WireObject, ordinal: number, type: "userMessage" | "agentMessage"): void {
    if (this.#meta["history_mode"] === "paginated") return;
    const text = textOr(payload["message"], "");
    if (text === "" || saysAlready(this.#open?.items.at(-1)?.item, type, text)) return;
    if (!this.#open) this.#turn({ turn_id: `turn-${ordinal}` }, ordinal);
    const content = [{ type: "text", text, text_elements: [] }];
    const item =
      type === "userMessage"
        ? { type: "UserMessage", id: `item-${ordinal}`, content }
        : { type: "AgentMessage", id: `item-${ordinal}`, content: [{ type: "Text", text }] };
    this.#item({ item, turn_id: this.#open?.id }, ordinal);
  }
}

/** Whether a message is the item before it, which our own legacy files have too. */
function saysAlready(item: ThreadItem | undefined, type: string, text: string): boolean {
  if (item?.type !== type) return false;
  if (item.type === "agentMessage") return item.text === text;
  if (item.type !== "userMessage") return false;
  return item.content.map((part) => (part.type === "text" ? part.text : "")).join("") === text;
}

/** Removes fields that are not part of the Responses API. */
function cleaned(item: WireObject): WireObject {
  const { internal_chat_message_metadata_passthrough: _, ...rest } = item;
  return rest;
}

/** Answers the calls that have no output, because the process that ran them is gone. */
function withOutputs(history: WireObject[]): WireObject[] {
  const answered = new Set(
    history.filter(({ type }) => String(type).endsWith("_call_output")).map((item) => item["call_id"]),
  );
  const open = history.some((item) => isOpenCall(item, answered));
  if (!open) return history;
  return history.flatMap((item) =>
    isOpenCall(item, answered)
      ? [item, { type: `${String(item["type"])}_output`, call_id: item["call_id"], output: "aborted" }]
      : [item],
  );
}

function isOpenCall(item: WireObject, answered: ReadonlySet<unknown>): boolean {
  const calls = item["type"] === "function_call" || item["type"] === "custom_tool_call";
  return calls && typeof item["call_id"] === "string" && !answered.has(item["call_id"]);
}

function rootsOr(value: unknown, fallback: readonly string[]): readonly string[] {
  if (!Array.isArray(value)) return fallback;
  return value.filter((root): root is string => typeof root === "string" && root.startsWith("/"));
}

function timeOf(value: unknown, fallback: number): number {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? fallback : time;
}

function sourceFromRollout(source: unknown): unknown {
  if (typeof source === "string") return source;
  if (isObject(source) && "subagent" in source) return { subAgent: source["subagent"] };
  return "unknown";
}

function gitFromRollout(git: unknown): WireObject | null {
  if (!isObject(git)) return null;
  return {
    sha: textOr(git["commit_hash"], null),
    branch: textOr(git["branch"], null),
    originUrl: textOr(git["repository_url"], null),
  };
}

function errorFromRollout(error: WireObject): TurnError {
  const own = error["codexwright"];
  if (isObject(own) && typeof own["message"] === "string") return own as unknown as TurnError;
  return {
    message: textOr(error["message"], "the turn failed"),
    codexErrorInfo: "other",
    additionalDetails: null,
    misalignment: null,
  };
}

function usageFromRollout(info: unknown): ThreadTokenUsage | undefined {
  if (!isObject(info)) return undefined;
  return {
    total: breakdown(info["total_token_usage"]),
    last: breakdown(info["last_token_usage"]),
    modelContextWindow: numberOr(info["model_context_window"], CONTEXT_WINDOW),
  };
}

function breakdown(value: unknown): TokenUsageBreakdown {
  const usage = objectOr(value);
  return {
    totalTokens: numberOr(usage["total_tokens"], 0),
    inputTokens: numberOr(usage["input_tokens"], 0),
    cachedInputTokens: numberOr(usage["cached_input_tokens"], 0),
    cacheWriteInputTokens: numberOr(usage["cache_write_input_tokens"], 0),
    outputTokens: numberOr(usage["output_tokens"], 0),
    reasoningOutputTokens: numberOr(usage["reasoning_output_tokens"], 0),
  };
}

function readStateOr(value: unknown): ThreadRecord["readState"] {
  if (!isObject(value) || typeof value["revision"] !== "string") return null;
  return value as unknown as ThreadRecord["readState"];
}
