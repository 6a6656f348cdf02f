import { DELTA_METHOD, type Ids } from "../lib/deltas.ts";

/** The request that a server sends to its client, over and over. */
export type Question = "approval" | "tool";

/**
 * A protocol that a measured client speaks: the same text at the same points, in the messages of that
 * protocol.
 */
export interface Dialect {
  /** A notification that carries a piece of text. */
  delta(ids: Ids, text: string): object;
  /** The messages before the first piece of text, and after the last one. */
  before(ids: Ids): object[];
  after(ids: Ids, text: string): object[];
  /** The request that starts the stream of a thread. */
  readonly start: string;
  /** Whether that request is answered before its stream begins, or after it has ended. */
  readonly answers: "first" | "last";
  result(method: string, threads: readonly Ids[], nth: number): unknown;
  question?(kind: Question, ids: Ids): { readonly method: string; readonly params: object } | undefined;
}

const EMITTED = 1_760_000_000_000;
let calls = 0;

const INITIALIZE = {
  userAgent: "codexwright/0.166.0 (bench; none) none",
  codexHome: "(none)",
  platformFamily: "unix",
  platformOs: "linux",
};

/** Some clients do not start without a model. */
const MODEL = {
  id: "bench",
  model: "bench",
  upgrade: null,
  displayName: "bench",
  description: "",
  hidden: false,
  supportedReasoningEfforts: [{ reasoningEffort: "medium", description: "" }],
  defaultReasoningEffort: "medium",
  inputModalities: ["text"],
  supportsPersonality: false,
  additionalSpeedTiers: [],
  serviceTiers: [],
  isDefault: true,
};

/** Codex's own protocol, without the member `jsonrpc`. */
const codex: Dialect = {
  delta: (ids, text) => ({
    method: DELTA_METHOD,
    params: { ...ids, delta: text },
    emittedAtMs: EMITTED,
  }),
  before: (ids) => [
    event("turn/started", ids, { turn: turn(ids, "inProgress") }),
    event("item/started", ids, { turnId: ids.turnId, item: message(ids, "") }),
  ],
  // As on the real server, the completed item repeats the whole text.
  after: (ids, text) => [
    event("item/completed", ids, { turnId: ids.turnId, item: message(ids, text) }),
    event("turn/completed", ids, { turn: turn(ids, "completed") }),
  ],
  start: "turn/start",
  answers: "first",
  result(method, threads, nth) {
    const ids = threads[nth];
    if (method === "initialize") return INITIALIZE;
    if (method === "thread/start" || method === "thread/resume") {
      const status = { type: "idle" };
      const thread = {
        id: ids?.threadId,
        preview: "",
        modelProvider: "none",
        createdAt: 0,
        status,
        turns: [],
      };
      return { thread, model: "none", modelProvider: "none", approvalPolicy: "on-request" };
    }
    if (method === "model/list") return { data: [MODEL], nextCursor: null };
    if (method === "turn/start" && ids) return { turn: turn(ids, "inProgress") };
    return { data: [], nextCursor: null };
  },
  question(kind, ids) {
    const { threadId, turnId, itemId } = ids;
    if (kind === "tool") {
      const params = {
        threadId,
        turnId,
        callId: `call_${++calls}`,
        namespace: null,
        tool: "look_up",
        arguments: { city: "Ulm" },
      };
      return { method: "item/tool/call", params };
    }
    const params = {
      kind: "command",
      threadId,
      turnId,
      itemId,
      startedAtMs: EMITTED,
      environmentId: null,
      command: "make test",
      cwd: "/tmp",
    };
    return { method: "item/commandExecution/requestApproval", params };
  },
};

function event(method: string, { threadId }: Ids, params: object): object {
  return { method, params: { threadId, ...params }, emittedAtMs: EMITTED };
}

function turn({ turnId }: Ids, status: string): object {
  return { id: turnId, items: [], status, error: null };
}

function message({ itemId }: Ids, text: string): object {
  return { type: "agentMessage", id: itemId, text, phase: "final_answer" };
}

/** The same methods in JSON-RPC 2.0, for libraries that only support that. */
const jsonrpc: Dialect = {
  ...codex,
  delta: (ids, text) => ({ method: DELTA_METHOD, params: { ...ids, delta: text } }),
};

/** The text is in log messages of a running tool. */
const mcp: Dialect = {
  delta: (ids, text) => ({
    method: "notifications/message",
    params: { level: "info", logger: ids.threadId, data: { ...ids, delta: text } },
  }),
  before: () => [],
  after: () => [],
  start: "tools/call",
  answers: "last",
  result(method) {
    if (method === "tools/call") return { content: [{ type: "text", text: "done" }] };
    if (method !== "initialize") return {};
    const serverInfo = { name: "bench", version: "0" };
    return { protocolVersion: "2025-06-18", capabilities: { tools: {}, logging: {} }, serverInfo };
  },
  question: (kind) =>
    kind === "tool"
      ? undefined
      : {
          method: "elicitation/create",
          params: { message: "Run make test?", requestedSchema: { type: "object", properties: {} } },
        },
};

/** The text is in chunks of an agent's message. */
const acp: Dialect = {
  delta: (ids, text) => ({
    method: "session/update",
    params: {
      sessionId: ids.threadId,
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    },
  }),
  before: () => [],
  after: () => [],
  start: "session/prompt",
  answers: "last",
  result(method, threads, nth) {
    if (method === "initialize") return { protocolVersion: 1, agentCapabilities: {}, authMethods: [] };
    if (method === "session/new") return { sessionId: threads[nth]?.threadId };
    if (method === "session/prompt") return { stopReason: "end_turn" };
    return {};
  },
  question: (kind, ids) =>
    kind === "tool"
      ? undefined
      : {
          method: "session/request_permission",
          params: {
            sessionId: ids.threadId,
            toolCall: { toolCallId: "call_1", title: "make test", kind: "execute", status: "pending" },
            options: [
              { optionId: "yes", name: "Yes", kind: "allow_once" },
              { optionId: "no", name: "No", kind: "reject_once" },
            ],
          },
        },
};

/** `codex exec --experimental-json`: events of one process per turn, which are not JSON-RPC. */
const exec: Dialect = {
  delta: ({ itemId }, text) => ({ type: "item.updated", item: { id: itemId, type: "agent_message", text } }),
  before: ({ threadId, itemId }) => [
    { type: "thread.started", thread_id: threadId },
    { type: "turn.started" },
    { type: "item.started", item: { id: itemId, type: "agent_message", text: "" } },
  ],
  after: ({ itemId }, text) => [
    { type: "item.completed", item: { id: itemId, type: "agent_message", text } },
    { type: "turn.completed", usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } },
  ],
  start: "",
  answers: "first",
  result: () => ({}),
};

export const DIALECTS: Readonly<Record<string, Dialect>> = { codex, jsonrpc, mcp, acp, exec };

/** Whether messages have the member `jsonrpc`. */
export function isJsonRpc(dialect: Dialect): boolean {
  return dialect !== codex && dialect !== exec;
}
