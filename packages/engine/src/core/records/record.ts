import type {
  AskForApproval,
  DynamicToolSpec,
  SandboxPolicy,
  ThreadItem,
  ThreadReadState,
  ThreadTokenUsage,
  Turn,
} from "codexwright/protocol";
import type { WireObject } from "../wire-object.ts";

/** The settings that the turns of a thread use until a client changes them. */
export interface Settings {
  model: string;
  modelProvider: string;
  cwd: string;
  /** The folders that a sandbox of the kind "workspaceWrite" lets commands write to. Usually `cwd` is among them. */
  roots: readonly string[];
  approvalPolicy: AskForApproval;
  /** Who decides on approvals: the clients or a model. */
  approvalsReviewer: "user" | "auto_review";
  sandbox: SandboxPolicy;
  /** The profile that defines the sandbox, or `null` if the sandbox was set directly. */
  permissions: string | null;
  effort: string | null;
  summary: string | null;
  personality: string | null;
  collaborationMode: WireObject | null;
}

/** A stored turn with all of its items. Each item has the times at which it started and completed. */
export interface TurnRecord extends Omit<Turn, "items" | "itemsView"> {
  /** The position in the thread's history that cursors point to. */
  ordinal: number;
  readonly items: ItemRecord[];
  /** The token usage of the thread when the turn ended. */
  usage: ThreadTokenUsage | null;
}

/** A turn in wire form, without its items. */
export function bareTurn(record: TurnRecord): Turn {
  const { id, rootTurnId, status, error, startedAt, completedAt, durationMs } = record;
  return {
    id,
    rootTurnId,
    items: [],
    itemsView: "notLoaded",
    status,
    error,
    startedAt,
    completedAt,
    durationMs,
  };
}

/** The message that counts as the turn's answer. */
export function finalMessage(items: readonly ThreadItem[]): ThreadItem | undefined {
  return items.findLast(
    (item) => item.type === "agentMessage" && item.text !== "" && item.phase !== "commentary",
  );
}

export interface ItemRecord {
  readonly ordinal: number;
  item: ThreadItem;
}

/** A stored thread without its history. It is plain data. */
export interface ThreadInfo {
  readonly id: string;
  readonly sessionId: string;
  forkedFromId: string | null;
  readonly parentThreadId: string | null;
  readonly ephemeral: boolean;
  readonly historyMode: "legacy" | "paginated";
  readonly createdAtMs: number;
  readonly originator: string | null;
  readonly source: unknown;
  readonly agentNickname: string | null;
  updatedAtMs: number;
  preview: string;
  name: string | null;
  gitInfo: WireObject | null;
  archived: boolean;
  /** A suffix of the history's file name, set when the history is truncated. */
  branch: string | null;
  /** The history's file. `null` if it is the file that `pathOf` names. */
  path: string | null;
  /**
   * Whether a turn has run, which creates a history. The real server finds a thread without a history only while the
   * thread is loaded.
   */
  materialized: boolean;
  readonly settings: Settings;
  readState: ThreadReadState | null;
}

/** The persistent state of a thread. It is plain data. */
export interface ThreadRecord extends ThreadInfo {
  /** The client's base instructions; empty for those of the engine. */
  readonly instructions: string;
  /** The client's instructions in addition to the base instructions. */
  readonly developerInstructions?: string | null;
  readonly dynamicTools: readonly DynamicToolSpec[];
  readonly turns: TurnRecord[];
  /** The conversation that the model receives, as Responses API items. */
  history: WireObject[];
  usage: ThreadTokenUsage;
  /** The position of the next entry of the history. */
  nextOrdinal: number;
}

/** A new record with the settings and instructions of another one, for a conversation that works for it. */
export function derived(parent: ThreadRecord, id: string, now: number): ThreadRecord {
  return {
    ...parent,
    id,
    parentThreadId: parent.id,
    createdAtMs: now,
    updatedAtMs: now,
    agentNickname: null,
    forkedFromId: null,
    name: null,
    preview: "",
    branch: null,
    path: null,
    materialized: false,
    settings: { ...parent.settings },
    turns: [],
    history: [],
    usage: noUsage(),
    readState: null,
    nextOrdinal: 1,
  };
}

/** The roots of a thread whose folder changes. */
export function moved(roots: readonly string[], from: string, to: string): readonly string[] {
  return [...new Set(roots.map((root) => (root === from ? to : root)))];
}

export function noUsage(): ThreadTokenUsage {
  const none = {
    totalTokens: 0,
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: 0,
    reasoningOutputTokens: 0,
  };
  return { total: none, last: none, modelContextWindow: CONTEXT_WINDOW };
}

/** The context window that the real server assumes for a model that it does not know. */
export const CONTEXT_WINDOW = 258_400;
