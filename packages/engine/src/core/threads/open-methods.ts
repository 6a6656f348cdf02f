import type { ClientConnection, HandlerContext, Handlers } from "codexwright/endpoint";
import type { ThreadForkParams, ThreadResumeParams, ThreadStartParams } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { markedAsOf } from "../context/prompt.ts";
import { checkDynamicTools } from "./dynamic-tool-specs.ts";
import { checkTexts } from "./thread-texts.ts";
import { describe, type LoadedThread } from "./loaded-thread.ts";
import { backwardsCursors, turnsPage, wireTurns } from "../records/history.ts";
import { isUnused } from "./idle-threads.ts";
import { uuid7 } from "../ids.ts";
import { noUsage, type Settings, type ThreadRecord } from "../records/record.ts";
import { ThreadInUseError, ThreadStoreError } from "../records/store-errors.ts";
import type { Lease, StoredThread, ThreadConfig } from "../ports.ts";
import { otherModel, unloadDelayMs, wantsOther } from "./resume-overrides.ts";
import { checkConfigured, checkStillConfigured, configFor } from "./thread-config.ts";
import {
  collaborationModeOf,
  defaultsOf,
  folderOf,
  openedWith,
  overridden,
  withOverrides,
} from "./thread-settings.ts";
import { checkRequired, startMcpServers } from "./thread-mcp.ts";
import type { ThreadsHost } from "./threads-host.ts";

const HYDRATION =
  "Full-history hydration is deprecated for paginated threads; use `excludeTurns: true`, then page with `thread/turns/list` and `thread/items/list`.";

/** The methods that open a thread: start, resume, fork. */
export function openMethods(host: ThreadsHost): Handlers {
  return {
    "thread/start": async (params, context) => {
      checkDynamicTools(params.dynamicTools ?? []);
      checkConfinement(params);
      checkTexts(params);
      const unloadMs = unloadDelayMs(params.config);
      const cwd = folderOf(host, params.cwd) ?? host.defaults.cwd;
      const config = await configFor(host, cwd, params.config);
      const record = newRecord(host, config, params, context.connection.clientInfo?.name ?? null);
      const thread = host.loaded.load(record, config);
      thread.unloadMs = unloadMs ?? thread.unloadMs;
      await checkRequired(host, thread);
      follow(host, thread, context);
      context.afterAnswer(() => {
        started(host, thread);
        startMcpServers(thread);
      });
      return { ...answerOf(thread), thread: describe(host, thread.record, thread) };
    },
    "thread/resume": async (params, context) => {
      checkConfinement(params);
      checkTexts(params);
      const loaded = host.loaded.get(params.threadId);
      if (!loaded) host.loaded.check(params.threadId, "session");
      const { thread, opened } = await resumed(host, params, context.connection, loaded);
      const { record } = thread;
      if (!params.excludeTurns && record.historyMode === "paginated") {
        context.connection.notify("deprecationNotice", { summary: HYDRATION, details: null });
      }
      follow(host, thread, context);
      context.afterAnswer(() => {
        thread.warnOfSkipped();
        const notify = context.connection.notify.bind(context.connection);
        if (opened || !params.excludeTurns) tellUsageOf(thread, notify);
        host.endpoint.broadcast("thread/goal/cleared", { threadId: thread.id });
        if (!opened) return;
        thread.warnOfInstructions();
        startMcpServers(thread);
        host.loaded.opened(thread);
      });
      const page = params.initialTurnsPage;
      return {
        ...answerOf(thread),
        thread: {
          ...describe(host, record, thread),
          turns: params.excludeTurns ? [] : wireTurns(record.turns, "full"),
        },
        collaborationMode: collaborationModeOf(thread.settings),
        initialTurnsPage: page ? turnsPage(record, page) : null,
        ...backwardsCursors(record),
      };
    },
    "thread/fork": async (params, context) => {
      checkConfinement(params);
      checkTexts(params);
      const unloadMs = unloadDelayMs(params.config);
      const source = await forkable(host, params, context.connection.notify.bind(context.connection));
      const before = turnAfter(source, params);
      const cut = before === undefined ? source : await historyBefore(host, source, before);
      const cwd = folderOf(host, params.cwd) ?? cut.settings.cwd;
      const config = await configFor(host, cwd, params.config);
      const copy = copyOf(host, config, cut, params, context.connection.clientInfo?.name ?? null);
      const thread = host.loaded.load(copy, config);
      thread.unloadMs = unloadMs ?? thread.unloadMs;
      try {
        if (!thread.record.ephemeral) await stored(thread.branch({ id: source.id, before }));
        const { modelProvider } = source.settings;
        if (thread.settings.modelProvider !== modelProvider) {
          thread.rewrite(markedAsOf(thread.record.history, modelProvider));
        }
      } catch (error) {
        await host.loaded.forget(thread);
        throw error;
      }
      follow(host, thread, context);
      context.afterAnswer(() => {
        if (!params.excludeTurns) tellUsageOf(thread, thread.notify.bind(thread));
        started(host, thread);
        startMcpServers(thread);
      });
      return {
        ...answerOf(thread),
        thread: {
          ...describe(host, thread.record, thread),
          turns: params.excludeTurns ? [] : wireTurns(thread.record.turns, "full"),
        },
      };
    },
  };
}

/** Subscribes the client. If its connection has ended meanwhile, the thread may have no client at all. */
function follow(host: ThreadsHost, { id }: LoadedThread, { subscribe }: HandlerContext): void {
  subscribe(id);
  host.loaded.abandoned(id);
}

function checkConfinement({
  sandbox,
  permissions,
}: Pick<ThreadStartParams, "sandbox" | "permissions">): void {
  if (sandbox && permissions) {
    throw new ResponseError(-32600, "`permissions` cannot be combined with `sandbox`");
  }
}

function answerOf({ settings, host, instructions }: LoadedThread): ReturnType<typeof openedWith> {
  return openedWith(settings, host.platform.tmpdir, instructions);
}

function newRecord(
  host: ThreadsHost,
  config: ThreadConfig,
  params: ThreadStartParams,
  originator: string | null,
): ThreadRecord {
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
    developerInstructions: params.developerInstructions ?? config.settings.developerInstructions ?? null,
    preview: "",
    name: null,
    gitInfo: null,
    archived: false,
    branch: null,
    path: null,
    materialized: false,
    settings: newSettings(host, config, params),
    dynamicTools: params.dynamicTools ?? [],
    turns: [],
    history: [],
    usage: noUsage(),
    readState: null,
    nextOrdinal: 1,
  };
}

/** The settings of a thread that begins. Throws the real server's error if they cannot be used. */
function newSettings(host: ThreadsHost, config: ThreadConfig, params: ThreadStartParams): Settings {
  const cwd = folderOf(host, params.cwd) ?? host.defaults.cwd;
  const settings = overridden(host, config, defaultsOf(config, cwd), params);
  checkConfigured(config, settings.modelProvider);
  if (settings.model === "") throw noModel();
  return settings;
}

/** Returns the thread, loaded. Throws the real server's error if it cannot be resumed. */
async function resumed(
  host: ThreadsHost,
  params: ThreadResumeParams,
  connection: ClientConnection,
  loaded: LoadedThread | undefined,
): Promise<{ readonly thread: LoadedThread; readonly opened: boolean }> {
  const id = params.threadId;
  if (loaded && !loaded.record.ephemeral) {
    if (loaded.record.archived) throw archived(id);
    if (!loaded.record.materialized) throw noRollout(id);
    // No client uses the thread, so it is opened again with what this client wants.
    if (!isUnused(loaded) || !wantsOther(loaded.settings, params)) return { thread: loaded, opened: false };
    await host.loaded.unload(loaded);
  }
  await host.loaded.left(id);
  const found = await stored(host.store.find(id));
  if (!found) throw noRollout(id);
  if (found.archived) throw archived(id);
  const lease = await stored(host.store.claim(id));
  try {
    // The claim excludes other writers, so the file does not change any more.
    const read = await stored(host.store.read(id));
    if (!read) throw noRollout(id);
    return { thread: await reload(host, read, params, connection, lease), opened: true };
  } catch (error) {
    await lease.release();
    throw error;
  }
}

async function reload(
  host: ThreadsHost,
  { thread: record, skipped }: StoredThread,
  params: ThreadResumeParams,
  connection: ClientConnection,
  lease: Lease,
): Promise<LoadedThread> {
  const unloadMs = unloadDelayMs(params.config);
  const { model, modelProvider } = host.defaults;
  // A file does not always name them.
  record.settings.model ||= model;
  record.settings.modelProvider ||= modelProvider;
  const previous = record.settings.model;
  const recorded = JSON.stringify(record.settings);
  const config = await configFor(host, folderOf(host, params.cwd) ?? record.settings.cwd, params.config);
  const before = withOverrides(restored(host, record.settings), config);
  Object.assign(record.settings, overridden(host, config, before, params));
  checkStillConfigured(host, config, record.settings.modelProvider);
  const thread = host.loaded.load(record, config, lease);
  thread.skipped = skipped;
  thread.unloadMs = unloadMs ?? thread.unloadMs;
  const { model: now } = record.settings;
  if (now !== previous) {
    connection.notify("warning", { threadId: record.id, message: otherModel(previous, now) });
  }
  thread.announce();
  if (JSON.stringify(record.settings) !== recorded) thread.keepSettings();
  return thread;
}

/** The settings of a thread that is opened again. The real server resets a sandbox other than `dangerFullAccess`. */
function restored(host: ThreadsHost, settings: Settings): Settings {
  if (!host.dialect.forgetsSandbox) return settings;
  if (settings.sandbox.type === "dangerFullAccess") return settings;
  const { sandbox, permissions } = host.defaults;
  return { ...settings, sandbox, permissions };
}

async function forkable(
  host: ThreadsHost,
  params: ThreadForkParams,
  notify: LoadedThread["notify"],
): Promise<ThreadRecord> {
  host.loaded.check(params.threadId, "session");
  const loaded = host.loaded.get(params.threadId);
  if (loaded) await stored(loaded.flush());
  const source = (await stored(host.store.read(params.threadId)))?.thread;
  if (!source) throw noRollout(params.threadId);
  if (source.archived) throw archived(source.id);
  if (params.ephemeral && !params.excludeTurns) {
    throw new ResponseError(-32600, "ephemeral paginated thread/fork requires `excludeTurns: true`");
  }
  if (!params.excludeTurns) notify("deprecationNotice", { summary: HYDRATION, details: null });
  return source;
}

/** The first turn that a fork leaves out, or `undefined` if it takes all of them. */
function turnAfter(source: ThreadRecord, { lastTurnId, beforeTurnId }: ThreadForkParams): string | undefined {
  const id = lastTurnId ?? beforeTurnId;
  if (id === undefined || id === null) return undefined;
  const at = source.turns.findIndex((turn) => turn.id === id);
  if (at === -1) throw new ResponseError(-32600, `turn not found: ${id}`);
  return source.turns[lastTurnId ? at + 1 : at]?.id;
}

async function historyBefore(host: ThreadsHost, source: ThreadRecord, turnId: string): Promise<ThreadRecord> {
  const read = await stored(host.store.read(source.id, turnId));
  if (!read) throw noRollout(source.id);
  return read.thread;
}

function copyOf(
  host: ThreadsHost,
  config: ThreadConfig,
  source: ThreadRecord,
  params: ThreadForkParams,
  originator: string | null,
): ThreadRecord {
  const now = Date.now();
  const id = uuid7();
  const copy = structuredClone(source);
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
    path: null,
    readState: params.ephemeral ? null : { firstUnread: null, revision: `initial:${id}` },
    usage: copy.turns.at(-1)?.usage ?? noUsage(),
    settings: forkedSettings(host, config, copy.settings, params),
  };
}

/** A fork has the settings of a new thread, but the approvals and the sandbox of its source. */
function forkedSettings(
  host: ThreadsHost,
  config: ThreadConfig,
  source: Settings,
  params: ThreadForkParams,
): Settings {
  const defaults = defaultsOf(config, source.cwd);
  const { approvalPolicy, approvalsReviewer } = source;
  const { sandbox, permissions } = restored(host, source);
  const kept = withOverrides(
    { ...defaults, approvalPolicy, approvalsReviewer, sandbox, permissions },
    config,
  );
  const settings = overridden(host, config, kept, params);
  checkConfigured(config, settings.modelProvider);
  return settings;
}

/** Announces a new thread to all clients. */
function started(host: ThreadsHost, thread: LoadedThread): void {
  host.endpoint.broadcast("thread/started", { thread: describe(host, thread.record, thread) });
  thread.warnOfInstructions();
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

export function noRollout(id: string): ResponseError {
  return new ResponseError(-32600, `no rollout found for thread id ${id}`);
}

export function archived(id: string): ResponseError {
  return new ResponseError(
    -32600,
    `session ${id} is archived. Run \`codex unarchive ${id}\` to unarchive it first.`,
  );
}

/** Waits for the store, and converts its errors to those of the protocol. */
export async function stored<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ThreadInUseError) throw new ResponseError(-32600, error.message);
    if (error instanceof ThreadStoreError) {
      throw new ResponseError(-32603, error.message, { code: error.code, reason: error.reason });
    }
    throw error;
  }
}

function noModel(): ResponseError {
  return new ResponseError(
    -32600,
    "No models are available. Set `model` explicitly or check your model catalog configuration.",
  );
}

export function notSupported(what: string): ResponseError {
  return new ResponseError(-32601, `${what} is not supported yet`);
}
