import type { Handlers } from "codexwright/endpoint";
import type { GitInfo, ThreadReadState } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { describe, type LoadedThread } from "./loaded-thread.ts";
import { backwardsCursors, itemsPage, truncated, turnsPage, wireTurns } from "../records/history.ts";
import { noRollout, notSupported, stored } from "./open-methods.ts";
import { uuid7 } from "../ids.ts";
import type { ThreadInfo, ThreadRecord } from "../records/record.ts";
import { searchThreads } from "./thread-search.ts";
import { listThreads, pageOfIds } from "./thread-list.ts";
import { overridden, wireSettings, type SettingsParams } from "./thread-settings.ts";
import type { ThreadsHost } from "./threads-host.ts";

const HYDRATION =
  "Full-history hydration is deprecated for paginated threads; omit `includeTurns` or set it to `false`, then page with `thread/turns/list` and `thread/items/list`.";

/** The methods that read threads. */
export function readMethods(host: ThreadsHost): Handlers {
  return {
    "thread/read": ({ threadId, includeTurns }, { connection }) =>
      withKnown(host, threadId, (record, loaded) => {
        if (includeTurns) {
          if (record.ephemeral)
            throw new ResponseError(-32600, "ephemeral threads do not support includeTurns");
          if (!record.materialized) throw notSupported("list_turns");
          if (record.historyMode === "paginated") {
            connection.notify("deprecationNotice", { summary: HYDRATION, details: null });
          }
        }
        const thread = describe(host, record, loaded);
        return {
          thread: { ...thread, turns: includeTurns ? wireTurns(record.turns, "full") : [] },
          readState: record.readState,
        };
      }),
    "thread/turns/list": (params) =>
      withKnown(host, params.threadId, (record) => {
        if (record.ephemeral)
          throw new ResponseError(-32600, "ephemeral threads do not support thread/turns/list");
        return turnsPage(record, params);
      }),
    "thread/items/list": async (params) => {
      host.loaded.check(params.threadId, "thread");
      const record = await recordOf(host, params.threadId);
      if (!record || record.ephemeral) throw notSupported("thread/items/list");
      return itemsPage(record, params);
    },
    "thread/list": async (params) => {
      const { records, ...page } = await stored(listThreads(host, params));
      const states = records.filter(({ readState }) => readState !== null);
      return {
        data: records.map((record) => describe(host, record, host.loaded.get(record.id), true)),
        readStates: Object.fromEntries(states.map(({ id, readState }) => [id, readState as ThreadReadState])),
        ...page,
      };
    },
    "thread/search": (params) => stored(searchThreads(host, params)),
    "thread/loaded/list": (params) =>
      pageOfIds(
        host.loaded.all().map(({ id }) => id),
        params,
      ),
  };
}

/** The methods that change a thread without running anything on it. */
export function changeMethods(host: ThreadsHost): Handlers {
  return {
    "thread/name/set": async ({ threadId, name }, context) => {
      host.loaded.check(threadId, "thread");
      const loaded = host.loaded.get(threadId);
      const trimmed = name.trim();
      if (trimmed === "") throw new ResponseError(-32600, "thread name must not be empty");
      if (loaded?.record.ephemeral) throw noMetadata(threadId);
      if (loaded) loaded.record.name = trimmed;
      else await found(host, threadId);
      const warning = await stored(host.store.label(threadId, { name: trimmed }));
      context.afterAnswer(() => {
        host.endpoint.broadcast("thread/name/updated", { threadId, threadName: trimmed });
        warn(host, threadId, warning);
      });
      return {};
    },
    "thread/metadata/update": async ({ threadId, gitInfo }) => {
      host.loaded.check(threadId, "thread");
      const loaded = host.loaded.get(threadId);
      if (loaded?.record.ephemeral) throw noMetadata(threadId);
      if (!gitInfo) {
        throw new ResponseError(-32600, "thread metadata update must include at least one field");
      }
      const record = loaded?.record ?? (await found(host, threadId));
      const {
        sha = null,
        branch = null,
        originUrl = null,
      } = { ...record.gitInfo, ...gitInfo } as Partial<GitInfo>;
      record.gitInfo = { sha, branch, originUrl };
      await stored(host.store.label(threadId, { gitInfo: record.gitInfo }));
      return { thread: describe(host, record, loaded, true) };
    },
    "thread/settings/update": ({ threadId, ...params }, context) => {
      const thread = host.loaded.find(threadId);
      context.afterAnswer(changeSettings(thread, params));
      return {};
    },
    "thread/unsubscribe": ({ threadId }, { connection }) => {
      host.loaded.check(threadId, "thread");
      if (!host.loaded.get(threadId)) return { status: "notLoaded" };
      return { status: connection.unsubscribe(threadId) ? "unsubscribed" : "notSubscribed" };
    },
    "thread/archive": async ({ threadId }, context) => {
      host.loaded.check(threadId, "session");
      const record = host.loaded.get(threadId)?.record ?? (await stored(host.store.find(threadId)));
      if (!record || record.ephemeral || record.archived) throw noRollout(threadId);
      await close(host, threadId);
      const warning = await stored(host.store.archive(threadId, true));
      context.afterAnswer(() => {
        host.endpoint.broadcast("thread/archived", { threadId });
        warn(host, threadId, warning);
      });
      return {};
    },
    "thread/unarchive": async ({ threadId }, context) => {
      host.loaded.check(threadId, "session");
      const record = await stored(host.store.find(threadId));
      if (!record?.archived) {
        throw new ResponseError(-32600, `no archived rollout found for thread id ${threadId}`);
      }
      const warning = await stored(host.store.archive(threadId, false));
      context.afterAnswer(() => {
        host.endpoint.broadcast("thread/unarchived", { threadId });
        warn(host, threadId, warning);
      });
      return { thread: describe(host, await found(host, threadId), undefined) };
    },
    "thread/delete": async ({ threadId }, context) => {
      host.loaded.check(threadId, "session");
      const loaded = host.loaded.get(threadId);
      if (loaded?.record.ephemeral) {
        throw new ResponseError(-32600, `thread is not persisted and cannot be deleted: ${threadId}`);
      }
      if (!loaded) await found(host, threadId);
      await close(host, threadId);
      const all = await stored(host.store.list());
      const forked =
        all.some((each) => each.forkedFromId === threadId) ||
        host.loaded.all().some((each) => each.record.forkedFromId === threadId);
      if (forked) {
        throw new ResponseError(
          -32600,
          `cannot delete thread ${threadId}: forked history still references it`,
        );
      }
      await stored(host.store.delete(threadId));
      context.afterAnswer(() => host.endpoint.broadcast("thread/deleted", { threadId }));
      return {};
    },
    "thread/revert": async ({ threadId, beforeTurnId }, context) => {
      const thread = host.loaded.find(threadId);
      await thread.turn?.interruptForGood();
      thread.tellStatus({ type: "notLoaded" });
      thread.tellStatus();
      const { record } = thread;
      const at = record.turns.findIndex((turn) => turn.id === beforeTurnId);
      if (at === -1) throw new ResponseError(-32600, `turn not found: ${beforeTurnId}`);
      const warning = await stored(revert(host, thread, beforeTurnId));
      context.afterAnswer(() => {
        host.endpoint.broadcast("thread/reverted", { threadId });
        warn(host, threadId, warning);
      });
      return { thread: describe(host, record, thread), ...backwardsCursors(record) };
    },
  };
}

/** Applies settings. Returns a function that notifies clients if a setting has changed. */
export function changeSettings(thread: LoadedThread, params: SettingsParams): () => void {
  const before = JSON.stringify(thread.settings);
  const { host, config } = thread;
  const settings = overridden(host, config, thread.settings, params);
  if (JSON.stringify(settings) === before) return () => {};
  Object.assign(thread.settings, settings);
  thread.keepSettings();
  const threadSettings = wireSettings(thread.settings, host.platform.tmpdir);
  return () => thread.notify("thread/settings/updated", { threadId: thread.id, threadSettings });
}

/** Truncates the history of a thread: it goes on in a new file, which begins with the history before this turn. */
async function revert(
  host: ThreadsHost,
  thread: LoadedThread,
  beforeTurnId: string,
): Promise<string | undefined> {
  const { record } = thread;
  if (record.ephemeral || !record.materialized) {
    adopt(record, truncated(record, beforeTurnId));
    return undefined;
  }
  await thread.flush(true);
  const read = await host.store.read(thread.id, beforeTurnId);
  if (!read) throw noRollout(thread.id);
  const before = { branch: record.branch, path: record.path };
  Object.assign(record, { branch: uuid7(), path: null });
  let warning: string | undefined;
  try {
    warning = await thread.branch({ id: thread.id, before: beforeTurnId });
  } catch (error) {
    Object.assign(record, before);
    throw error;
  }
  adopt(record, read.thread);
  record.updatedAtMs = Date.now();
  return warning;
}

function warn(host: ThreadsHost, threadId: string, message: string | undefined): void {
  if (message !== undefined) host.endpoint.broadcast("warning", { threadId, message });
}

function adopt(record: ThreadRecord, { turns, history, usage }: ThreadRecord): void {
  record.turns.splice(0, record.turns.length, ...turns);
  record.history = history;
  record.usage = usage;
}

/** Interrupts the running turn of a thread, if any, and unloads the thread. */
async function close(host: ThreadsHost, threadId: string): Promise<void> {
  const thread = host.loaded.get(threadId);
  if (!thread) return await host.loaded.left(threadId);
  await thread.turn?.interruptForGood();
  await host.loaded.endAgentsOf(threadId);
  await host.loaded.unload(thread);
}

/** Answers about a thread: immediately if it is loaded, otherwise after reading it. */
function withKnown<T>(
  host: ThreadsHost,
  id: string,
  answer: (record: ThreadRecord, loaded: LoadedThread | undefined) => T,
): T | Promise<T> {
  host.loaded.check(id, "thread");
  const loaded = host.loaded.get(id);
  if (loaded) return answer(loaded.record, loaded);
  return stored(host.store.read(id)).then((read) => {
    if (!read) throw new ResponseError(-32600, `thread not loaded: ${id}`);
    return answer(read.thread, undefined);
  });
}

async function recordOf(host: ThreadsHost, id: string): Promise<ThreadRecord | undefined> {
  return host.loaded.get(id)?.record ?? (await stored(host.store.read(id)))?.thread;
}

async function found(host: ThreadsHost, id: string): Promise<ThreadInfo> {
  const info = await stored(host.store.find(id));
  if (!info) throw noRollout(id);
  return info;
}

function noMetadata(id: string): ResponseError {
  return new ResponseError(-32600, `ephemeral thread does not support metadata updates: ${id}`);
}
