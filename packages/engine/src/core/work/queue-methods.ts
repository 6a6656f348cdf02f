import type { Handlers, HandlerContext } from "codexwright/endpoint";
import type { QueuedSubmission, UserInput } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { uuid7 } from "../ids.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import { archived, stored } from "../threads/open-methods.ts";
import type { ThreadsHost } from "../threads/threads-host.ts";
import type { QueueRunner } from "./queue-runner.ts";
import { checkInput, shown } from "./user-input.ts";

const PAGE = 25;

/** The methods for submissions that wait for the running turn. */
export function queueMethods(host: ThreadsHost, runner: QueueRunner): Handlers {
  const { queues } = host;
  return {
    "thread/queue/add": async ({ threadId, input, clientUserMessageId }, context) => {
      const thread = await queueing(host, threadId);
      const queuedSubmission: QueuedSubmission = { id: uuid7(), input: inputOf(input), clientUserMessageId };
      await stored(queues.change(threadId, (all) => [...all, queuedSubmission]));
      if (!thread || thread.turn || thread.queuePaused) changedAfter(context, thread);
      else {
        tellChanged(thread);
        const run = await stored(runner.take(thread));
        if (run) context.afterAnswer(() => host.loaded.launch(run));
      }
      return { queuedSubmission };
    },
    "thread/queue/list": async ({ threadId, cursor, limit }) => {
      await queueing(host, threadId);
      const all = await stored(queues.list(threadId));
      const from = cursor === undefined || cursor === null ? 0 : positionOf(cursor);
      const end = from + Math.max(1, limit ?? PAGE);
      return { data: all.slice(from, end), nextCursor: end < all.length ? `${end}` : null };
    },
    "thread/queue/update": async ({ threadId, queuedSubmissionId, input }, context) => {
      const thread = await queueing(host, threadId);
      const said = inputOf(input);
      let queuedSubmission: QueuedSubmission | undefined;
      await change(host, threadId, (all) => {
        const found = all.find(({ id }) => id === queuedSubmissionId);
        if (!found) throw missing(queuedSubmissionId);
        queuedSubmission = { ...found, input: said };
        return all.map((each) => (each === found ? (queuedSubmission ?? each) : each));
      });
      changedAfter(context, thread);
      if (!queuedSubmission) throw missing(queuedSubmissionId);
      return { queuedSubmission };
    },
    "thread/queue/delete": async ({ threadId, queuedSubmissionId }, context) => {
      const thread = await queueing(host, threadId);
      let deleted = false;
      await change(host, threadId, (all) => {
        const left = all.filter(({ id }) => id !== queuedSubmissionId);
        deleted = left.length < all.length;
        return deleted ? left : undefined;
      });
      if (deleted) changedAfter(context, thread);
      return { deleted };
    },
    "thread/queue/reorder": async ({ threadId, queuedSubmissionIds }, context) => {
      const thread = await queueing(host, threadId);
      await change(host, threadId, (all) => {
        const byId = new Map(all.map((each) => [each.id, each]));
        const ordered = queuedSubmissionIds.flatMap((id) => byId.get(id) ?? []);
        if (new Set(ordered).size !== all.length || queuedSubmissionIds.length !== all.length) {
          throw new ResponseError(-32600, "queue reorder must include every queued submission exactly once");
        }
        return ordered;
      });
      changedAfter(context, thread);
      return {};
    },
    "thread/queue/start": async ({ threadId, queuedSubmissionId }, context) => {
      const thread = await queueing(host, threadId);
      if (!thread) throw new ResponseError(-32600, "resume the thread before starting a queued message");
      const all = await stored(queues.list(threadId));
      const id = queuedSubmissionId ?? all[0]?.id;
      if (id === undefined) throw new ResponseError(-32600, "queue is empty");
      if (!all.some((each) => each.id === id)) throw missing(id);
      if (thread.turn) throw new ResponseError(-32600, "thread already has an active or pending turn");
      const run = await stored(runner.take(thread, id));
      if (!run) throw missing(id);
      context.afterAnswer(() => host.loaded.launch(run));
      return { turn: run.acknowledged() };
    },
  };
}

/** Returns the thread if it is loaded. Throws the real server's error if it cannot have a queue. */
async function queueing(host: ThreadsHost, threadId: string): Promise<LoadedThread | undefined> {
  host.loaded.check(threadId, "thread");
  const thread = host.loaded.get(threadId);
  if (thread?.record.ephemeral) {
    throw new ResponseError(-32600, `ephemeral thread does not support queued submissions: ${threadId}`);
  }
  if (thread) return thread;
  const found = await stored(host.store.find(threadId));
  if (!found) {
    const why = `invalid thread-store request: no rollout found for thread id ${threadId}`;
    throw new ResponseError(-32603, `failed to read thread: ${why}`);
  }
  if (found.archived) throw archived(threadId);
  return undefined;
}

function inputOf(input: readonly UserInput[]): UserInput[] {
  if (input.length === 0) {
    throw new ResponseError(-32600, "only user input can be added to the user-message queue");
  }
  checkInput(input);
  return input.map((part) => shown(part));
}

function change(
  host: ThreadsHost,
  threadId: string,
  by: (all: readonly QueuedSubmission[]) => readonly QueuedSubmission[] | undefined,
): Promise<void> {
  return stored(host.queues.change(threadId, by));
}

function tellChanged(thread: LoadedThread): void {
  thread.notify("thread/queue/changed", { threadId: thread.id });
}

function changedAfter(context: HandlerContext, thread: LoadedThread | undefined): void {
  if (thread) context.afterAnswer(() => tellChanged(thread));
}

function missing(id: string): ResponseError {
  return new ResponseError(-32600, `queued submission not found: ${id}`);
}

/** Reads a cursor, as the real server reads it. */
function positionOf(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  const why = cursor === "" ? "cannot parse integer from empty string" : "invalid digit found in string";
  throw new ResponseError(-32600, `invalid queue pagination cursor: ${why}`);
}
