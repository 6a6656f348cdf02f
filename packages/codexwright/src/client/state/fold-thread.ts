import type { RequestId, Thread, ThreadStatus } from "../../protocol/index.ts";
import type { StateWriter } from "./state-writer.ts";
import type { FoldTable } from "./events.ts";
import { asId, asObject, same, type WireObject } from "./wire-values.ts";
import { seedTurns } from "./seed.ts";
import type { PendingRequest } from "./state.ts";

export type ThreadFolding = (writer: StateWriter, params: WireObject) => void;

export const threadFolds: FoldTable<ThreadFolding> = {
  "thread/started": (writer, { thread }) => describe(writer, asObject(thread)),
  "thread/seeded": (writer, params) => {
    const thread: Partial<Thread> | undefined = asObject(params["thread"]);
    if (thread?.id !== writer.state.threadId) return;
    seedTurns(writer, thread);
    describe(writer, thread);
  },
  "thread/status/changed": (writer, { status }) => setStatus(writer, status),
  "thread/name/updated": (writer, { threadName }) => setName(writer, threadName),
  "thread/closed": (writer) => {
    setStatus(writer, { type: "notLoaded" });
    writer.requests.dropAll(() => true);
  },
  "thread/reverted": (writer, { beforeTurnId }) => {
    const from = writer.state.turns.findIndex(({ id }) => id === beforeTurnId);
    // If `beforeTurnId` is missing or not in the state, drop every turn. The server still has the turns that remain.
    writer.dropTurns((_, place) => place >= from);
    // The revert also decreases the totals. The next report of the server contains the new totals.
    for (const field of ["usage", "context", "activeTurnId"] as const) {
      if (writer.state[field] !== undefined) delete writer.write()[field];
    }
    writer.requests.dropAll(() => true);
  },
  "serverRequest/opened": (writer, { requestId, method, params }) => {
    if (!isRequestId(requestId) || typeof method !== "string") return;
    // A request that is repeated, for example after a resume, keeps its id.
    writer.requests.put({ requestId, method, params } as unknown as PendingRequest);
  },
  "serverRequest/answered": (writer, { requestId }) => writer.requests.drop(requestId),
  "serverRequest/resolved": (writer, { requestId }) => writer.requests.drop(requestId),
};

function describe(writer: StateWriter, thread: Partial<Thread> | undefined): void {
  if (!thread) return;
  setStatus(writer, thread.status);
  if (thread.name !== undefined) setName(writer, thread.name);
  const parent = asId(thread.parentThreadId);
  if (parent !== undefined && parent !== writer.state.parentThreadId) writer.write().parentThreadId = parent;
}

function setStatus(writer: StateWriter, status: unknown): void {
  if (!asId(asObject(status)?.["type"])) return;
  if (!same(writer.state.status, status)) writer.write().status = status as ThreadStatus;
  // Ends an active turn whose end was missed.
  const runs = (status as ThreadStatus).type === "active";
  if (!runs && writer.state.activeTurnId !== undefined) delete writer.write().activeTurnId;
}

function setName(writer: StateWriter, name: unknown): void {
  const next = asId(name);
  if (next === writer.state.name) return;
  if (next === undefined) delete writer.write().name;
  else writer.write().name = next;
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}
