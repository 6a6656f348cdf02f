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

/** What turns of a thread go by until somebody changes it. */
export interface Settings {
  model: string;
  modelProvider: string;
  cwd: string;
  approvalPolicy: AskForApproval;
  /** Who gives approvals: the clients, or a model. */
  approvalsReviewer: "user" | "auto_review";
  sandbox: SandboxPolicy;
  /** The profile that the sandbox comes from, where nobody chose another. */
  permissions: string | null;
  effort: string | null;
  summary: string | null;
  personality: string | null;
  collaborationMode: WireObject | null;
}

/** A turn as it is kept: every item, and the time each began and ended in it. */
export interface TurnRecord extends Omit<Turn, "items" | "itemsView"> {
  /** Where it stands in the thread's history: cursors point there. */
  readonly ordinal: number;
  readonly items: ItemRecord[];
  /** What the thread had used when it ended. */
  usage: ThreadTokenUsage | null;
}

/** A turn as the wire shows it, without its items. */
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

/** All that outlives the process; plain data. */
export interface ThreadRecord {
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
  readonly instructions: string;
  updatedAtMs: number;
  preview: string;
  name: string | null;
  gitInfo: WireObject | null;
  archived: boolean;
  /** Part of the file's name since the history was cut short. */
  branch: string | null;
  /** The history exists once a turn was started; before, the real server knows the thread only while it is loaded. */
  materialized: boolean;
  readonly settings: Settings;
  readonly dynamicTools: readonly DynamicToolSpec[];
  readonly turns: TurnRecord[];
  /** The conversation as the model is told it: Responses API items. */
  history: WireObject[];
  usage: ThreadTokenUsage;
  readState: ThreadReadState | null;
  nextOrdinal: number;
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

/** What the real server assumes of a model it does not know. */
export const CONTEXT_WINDOW = 258_400;
