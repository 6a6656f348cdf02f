import type { Handlers } from "codexwright/endpoint";
import type { ThreadForkParams, ThreadResumeParams, ThreadStartParams } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { checkDynamicTools } from "./dynamic-tool-specs.ts";
import { describe, type LoadedThread } from "./loaded-thread.ts";
import { backwardsCursors, forgetFrom, turnsPage, wireTurns } from "../records/history.ts";
import { uuid7 } from "../ids.ts";
import { noUsage, type Settings, type ThreadRecord } from "../records/record.ts";
import { collaborationModeOf, openedWith, overridden } from "./thread-settings.ts";
import type { ThreadsHost } from "./threads-host.ts";

const HYDRATION =
  "Full-history hydration is deprecated for paginated threads; use `excludeTurns: true`, then page with `thread/turns/list` and `thread/items/list`.";

/** The methods that open a thread: start, resume, fork. */
export function openMethods(host: ThreadsHost): Handlers {
  return {
    "thread/start": (params, context) => {
      checkDynamicTools(params.dynamicTools ?? []);
      checkConfinement(params);
      const thread = host.loaded.load(newRecord(host, params, context.connection.clientInfo?.name ?? null));
      context.subscribe(thread.id);
      context.afterAnswer(() => {
        started(host, thread);
        startMcpServers(host, thread);
      });
      return { ...openedWith(thread.settings), thread: describe(host, thread.record, thread) };
    },
    "thread/resume": (params, context) => {
      checkConfinement(params);
      const loaded = host.loaded.get(params.threadId);
      if (!loaded) host.loaded.check(params.threadId, "session");
      const record = resumable(host, params.threadId, loaded);
      if (!record.materialized) throw noRollout(record.id);
      if (!params.excludeTurns && record.historyMode === "paginated") {
        context.connection.notify("deprecationNotice", { summary: HYDRATION, details: null });
      }
      const thread = loaded ?? reload(host, record, params);
      context.subscribe(thread.id);
      context.afterAnswer(() => {
        if (!params.excludeTurns) tellUsageOf(thread, context.connection.notify.bind(context.connection));
        thread.notify("thread/goal/cleared", { threadId: thread.id });
        if (!loaded) startMcpServers(host, thread);
      });
      const page = params.initialTurnsPage;
      return {
        ...openedWith(thread.settings),
        thread: {
          ...describe(host, record, thread),
          turns: params.excludeTurns ? [] : wireTurns(record.turns, "full"),
        },
        collaborationMode: collaborationModeOf(thread.settings),
        initialTurnsPage: page ? turnsPage(record, page) : null,
        ...backwardsCursors(record),
      };
    },
    "thread/fork": (params, context) => {
      checkConfinement(params);
      const source = forkable(host, params, context.connection.notify.bind(context.connection));
      const turns = turnsUpTo(source, params);
      const thread = host.loaded.load(
        copyOf(host, source, turns, params, context.connection.clientInfo?.name ?? null),
      );
      thread.save();
      context.subscribe(thread.id);
      context.afterAnswer(() => {
        if (!params.excludeTurns) tellUsageOf(thread, thread.notify.bind(thread));
        started(host, thread);
        startMcpServers(host, thread);
      });
      return {
        ...openedWith(thread.settings),
        thread: {
          ...describe(host, thread.record, thread),
          turns: params.excludeTurns ? [] : wireTurns(thread.record.turns, "full"),
        },
      };
    },
  };
}

function checkConfinement({
  sandbox,
  permissions,
}: Pick<ThreadStartParams, "sandbox" | "permissions">): void {
  if (sandbox && permissions) {
    throw new ResponseError(-32600, "`permissions` cannot be combined with `sandbox`");
  }
}

function newRecord(host: ThreadsHost, params: ThreadStartParams, originator: string | null): ThreadRecord {
  const id = uuid7();
  const now = Date.now();
  return {
    id,
    sessionId: id,
    forkedFromId: null,
    parentThreadId: null,
    ephemeral: params.ephemeral ?? false,
    historyMode: params.historyMode === "legacy" ? "legacy" : "paginated",
    createdAtMs: now,
    updatedAtMs: now,
    originator,
    source: "vscode",
    agentNickname: null,
    instructions: params.baseInstructions ?? "",
    developerInstructions: params.developerInstructions ?? null,
    preview: "",
    name: null,
    gitInfo: null,
    archived: false,
    branch: null,
    materialized: false,
    settings: overridden(host.platform.paths, host.defaults, params),
    dynamicTools: params.dynamicTools ?? [],
    turns: [],
    history: [],
    usage: noUsage(),
    readState: null,
    nextOrdinal: 1,
  };
}

/** Returns the record of a thread. Throws the real server's error if it cannot be resumed. */
function resumable(host: ThreadsHost, id: string, loaded: LoadedThread | undefined): ThreadRecord {
  const record = loaded && !loaded.record.ephemeral ? loaded.record : host.store.get(id);
  if (!record) throw noRollout(id);
  if (record.archived) throw archived(id);
  return record;
}

function reload(host: ThreadsHost, record: ThreadRecord, params: ThreadResumeParams): LoadedThread {
  Object.assign(record.settings, overridden(host.platform.paths, restored(host, record.settings), params));
  const thread = host.loaded.load(record);
  thread.announce();
  return thread;
}

/** The settings of a thread that is opened again. A sandbox is reset to the default, except for `dangerFullAccess`. */
function restored(host: ThreadsHost, settings: Settings): Settings {
  if (settings.sandbox.type === "dangerFullAccess") return settings;
  const { sandbox, permissions } = host.defaults;
  return { ...settings, sandbox, permissions };
}

function forkable(host: ThreadsHost, params: ThreadForkParams, notify: LoadedThread["notify"]): ThreadRecord {
  host.loaded.check(params.threadId, "session");
  const source = host.store.get(params.threadId);
  if (!source) throw noRollout(params.threadId);
  if (source.archived) throw archived(source.id);
  if (params.ephemeral && !params.excludeTurns) {
    throw new ResponseError(-32600, "ephemeral paginated thread/fork requires `excludeTurns: true`");
  }
  if (!params.excludeTurns) notify("deprecationNotice", { summary: HYDRATION, details: null });
  return source;
}

function turnsUpTo(
  source: ThreadRecord,
  { lastTurnId, beforeTurnId }: ThreadForkParams,
): ThreadRecord["turns"] {
  const id = lastTurnId ?? beforeTurnId;
  if (id === undefined || id === null) return source.turns;
  const at = source.turns.findIndex((turn) => turn.id === id);
  if (at === -1) throw new ResponseError(-32600, `turn not found: ${id}`);
  return source.turns.slice(0, lastTurnId ? at + 1 : at);
}

function copyOf(
  host: ThreadsHost,
  source: ThreadRecord,
  turns: ThreadRecord["turns"],
  params: ThreadForkParams,
  originator: string | null,
): ThreadRecord {
  const now = Date.now();
  const id = uuid7();
  const copy = structuredClone({ ...source, turns });
  if (turns.length < source.turns.length) forgetFrom(copy, turns.length);
  return {
    ...copy,
    id,
    sessionId: id,
    forkedFromId: source.id,
    createdAtMs: now,
    updatedAtMs: now,
    originator,
    ephemeral: params.ephemeral ?? false,
    preview: params.ephemeral ? source.preview : "",
    gitInfo: null,
    branch: null,
    readState: params.ephemeral ? null : { firstUnread: null, revision: `initial:${id}` },
    usage: turns.at(-1)?.usage ?? noUsage(),
    settings: overridden(host.platform.paths, restored(host, copy.settings), params),
  };
}

/** Announces a new thread to all clients. */
function started(host: ThreadsHost, thread: LoadedThread): void {
  host.endpoint.broadcast("thread/started", { thread: describe(host, thread.record, thread) });
}

function tellUsageOf(thread: LoadedThread, notify: LoadedThread["notify"]): void {
  const { turns } = thread.record;
  const last = turns.findLast(({ status }) => status !== "inProgress") ?? turns.at(-1);
  if (!last || thread.record.usage.total.totalTokens === 0) return;
  notify("thread/tokenUsage/updated", {
    threadId: thread.id,
    turnId: last.id,
    tokenUsage: thread.record.usage,
  });
}

function startMcpServers(host: ThreadsHost, thread: LoadedThread): void {
  for (const status of ["starting", "ready"] as const) {
    for (const { name } of host.mcp.list()) {
      const params = { threadId: thread.id, name, status, error: null, failureReason: null };
      thread.notify("mcpServer/startupStatus/updated", params);
    }
  }
}

export function noRollout(id: string): ResponseError {
  return new ResponseError(-32600, `no rollout found for thread id ${id}`);
}

export function archived(id: string): ResponseError {
  return new ResponseError(
    -32600,
    `session ${id} is archived. Run \`codex unarchive ${id}\` to unarchive it first.`,
  );
}

export function notSupported(what: string): ResponseError {
  return new ResponseError(-32601, `${what} is not supported yet`);
}
