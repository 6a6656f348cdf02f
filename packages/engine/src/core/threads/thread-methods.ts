import type { Handlers } from "codexwright/endpoint";
import type { GitInfo, ThreadReadState } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { describe, type LoadedThread } from "./loaded-thread.ts";
import { backwardsCursors, forgetFrom, itemsPage, turnsPage, wireTurns } from "../records/history.ts";
import { noRollout, notSupported } from "./open-methods.ts";
import { uuid7 } from "../ids.ts";
import { noUsage, type ThreadRecord } from "../records/record.ts";
import { listThreads, pageOfIds } from "./thread-list.ts";
import { overridden, wireSettings } from "./thread-settings.ts";
import type { ThreadsHost } from "./threads-host.ts";

const HYDRATION =
  "Full-history hydration is deprecated for paginated threads; omit `includeTurns` or set it to `false`, then page with `thread/turns/list` and `thread/items/list`.";

/** The methods that read threads. */
export function readMethods(host: ThreadsHost): Handlers {
  return {
    "thread/read": ({ threadId, includeTurns }, { connection }) => {
      const { record, loaded } = known(host, threadId);
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
    },
    "thread/turns/list": (params) => {
      const { record } = known(host, params.threadId);
      if (record.ephemeral)
        throw new ResponseError(-32600, "ephemeral threads do not support thread/turns/list");
      return turnsPage(record, params);
    },
    "thread/items/list": (params) => {
      host.loaded.check(params.threadId, "thread");
      const record = host.loaded.get(params.threadId)?.record ?? host.store.get(params.threadId);
      if (!record || record.ephemeral) throw notSupported("thread/items/list");
      return itemsPage(record, params);
    },
    "thread/list": (params) => {
      const { records, ...page } = listThreads(host, params);
      const states = records.filter(({ readState }) => readState !== null);
      return {
        data: records.map((record) => describe(host, record, host.loaded.get(record.id), true)),
        readStates: Object.fromEntries(states.map(({ id, readState }) => [id, readState as ThreadReadState])),
        ...page,
      };
    },
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
    "thread/name/set": ({ threadId, name }, context) => {
      host.loaded.check(threadId, "thread");
      const loaded = host.loaded.get(threadId);
      const trimmed = name.trim();
      if (trimmed === "") throw new ResponseError(-32600, "thread name must not be empty");
      if (loaded?.record.ephemeral) throw noMetadata(threadId);
      const record = loaded?.record ?? stored(host, threadId);
      record.name = trimmed;
      host.store.save(record);
      context.afterAnswer(() =>
        host.endpoint.broadcast("thread/name/updated", { threadId, threadName: trimmed }),
      );
      return {};
    },
    "thread/metadata/update": ({ threadId, gitInfo }) => {
      host.loaded.check(threadId, "thread");
      const loaded = host.loaded.get(threadId);
      if (loaded?.record.ephemeral) throw noMetadata(threadId);
      const record = loaded?.record ?? stored(host, threadId);
      if (!gitInfo) {
        throw new ResponseError(-32600, "thread metadata update must include at least one field");
      }
      const {
        sha = null,
        branch = null,
        originUrl = null,
      } = { ...record.gitInfo, ...gitInfo } as Partial<GitInfo>;
      record.gitInfo = { sha, branch, originUrl };
      host.store.save(record);
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
      const record = host.loaded.get(threadId)?.record ?? host.store.get(threadId);
      if (!record || record.ephemeral || record.archived) throw noRollout(threadId);
      await close(host, threadId);
      host.store.archive(record, true);
      context.afterAnswer(() => host.endpoint.broadcast("thread/archived", { threadId }));
      return {};
    },
    "thread/unarchive": ({ threadId }, context) => {
      host.loaded.check(threadId, "session");
      const record = host.store.get(threadId);
      if (!record?.archived) {
        throw new ResponseError(-32600, `no archived rollout found for thread id ${threadId}`);
      }
      host.store.archive(record, false);
      context.afterAnswer(() => host.endpoint.broadcast("thread/unarchived", { threadId }));
      return { thread: describe(host, record, undefined) };
    },
    "thread/delete": async ({ threadId }, context) => {
      host.loaded.check(threadId, "session");
      const loaded = host.loaded.get(threadId);
      if (loaded?.record.ephemeral) {
        throw new ResponseError(-32600, `thread is not persisted and cannot be deleted: ${threadId}`);
      }
      const record = loaded?.record ?? stored(host, threadId);
      await close(host, threadId);
      const forked =
        host.store.all().some((each) => each.forkedFromId === threadId) ||
        host.loaded.all().some((each) => each.record.forkedFromId === threadId);
      if (forked) {
        throw new ResponseError(
          -32600,
          `cannot delete thread ${threadId}: forked history still references it`,
        );
      }
      host.store.delete(record);
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
      record.turns.splice(at);
      forgetFrom(record, at);
      record.usage = record.turns.at(-1)?.usage ?? noUsage();
      host.store.branch(record, uuid7());
      thread.save();
      context.afterAnswer(() => host.endpoint.broadcast("thread/reverted", { threadId }));
      return { thread: describe(host, record, thread), ...backwardsCursors(record) };
    },
  };
}

/** Applies settings. Returns a function that notifies clients if a setting has changed. */
export function changeSettings(thread: LoadedThread, params: Parameters<typeof overridden>[2]): () => void {
  const before = JSON.stringify(thread.settings);
  const settings = overridden(thread.host.platform.paths, thread.settings, params);
  if (JSON.stringify(settings) === before) return () => {};
  Object.assign(thread.settings, settings);
  const threadSettings = wireSettings(thread.settings);
  return () => thread.notify("thread/settings/updated", { threadId: thread.id, threadSettings });
}

/** Interrupts the running turn of a thread, if any, and unloads the thread. */
async function close(host: ThreadsHost, threadId: string): Promise<void> {
  const thread = host.loaded.get(threadId);
  if (!thread) return;
  await thread.turn?.interruptForGood();
  host.loaded.unload(thread);
}

function known(host: ThreadsHost, id: string): { record: ThreadRecord; loaded: LoadedThread | undefined } {
  host.loaded.check(id, "thread");
  const loaded = host.loaded.get(id);
  const record = loaded?.record ?? host.store.get(id);
  if (!record) throw new ResponseError(-32600, `thread not loaded: ${id}`);
  return { record, loaded };
}

function stored(host: ThreadsHost, id: string): ThreadRecord {
  const record = host.store.get(id);
  if (!record) throw noRollout(id);
  return record;
}

function noMetadata(id: string): ResponseError {
  return new ResponseError(-32600, `ephemeral thread does not support metadata updates: ${id}`);
}
