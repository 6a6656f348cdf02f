import type { RequestId, Thread, ThreadStatus } from "../../protocol/index.ts";
import type { Draft } from "./draft.ts";
import type { FoldTable } from "./events.ts";
import { asId, asObject, same, type Loose } from "./loose.ts";
import { seedTurns } from "./seed.ts";
import type { PendingRequest } from "./state.ts";

export type ThreadFolding = (draft: Draft, params: Loose) => void;

export const threadFolds: FoldTable<ThreadFolding> = {
  "thread/started": (draft, { thread }) => describe(draft, asObject(thread)),
  "thread/seeded": (draft, params) => {
    const thread: Partial<Thread> | undefined = asObject(params["thread"]);
    if (thread?.id !== draft.state.threadId) return;
    seedTurns(draft, thread);
    describe(draft, thread);
  },
  "thread/status/changed": (draft, { status }) => setStatus(draft, status),
  "thread/name/updated": (draft, { threadName }) => setName(draft, threadName),
  "thread/closed": (draft) => {
    setStatus(draft, { type: "notLoaded" });
    draft.requests.dropAll(() => true);
  },
  "thread/reverted": (draft, { beforeTurnId }) => {
    const from = draft.state.turns.findIndex(({ id }) => id === beforeTurnId);
    // How far it went back is not known, or it went beyond what is known here: the server has the rest.
    draft.dropTurns((_, place) => place >= from);
    // The totals go back too; the next report tells how far.
    for (const field of ["usage", "context", "activeTurnId"] as const) {
      if (draft.state[field] !== undefined) delete draft.write()[field];
    }
    draft.requests.dropAll(() => true);
  },
  "serverRequest/opened": (draft, { requestId, method, params }) => {
    if (!isRequestId(requestId) || typeof method !== "string") return;
    // A request that is asked again, as after a resume, keeps its id.
    draft.requests.put({ requestId, method, params } as unknown as PendingRequest);
  },
  "serverRequest/answered": (draft, { requestId }) => draft.requests.drop(requestId),
  "serverRequest/resolved": (draft, { requestId }) => draft.requests.drop(requestId),
};

function describe(draft: Draft, thread: Partial<Thread> | undefined): void {
  if (!thread) return;
  setStatus(draft, thread.status);
  if (thread.name !== undefined) setName(draft, thread.name);
  const parent = asId(thread.parentThreadId);
  if (parent !== undefined && parent !== draft.state.parentThreadId) draft.write().parentThreadId = parent;
}

function setStatus(draft: Draft, status: unknown): void {
  if (!asId(asObject(status)?.["type"])) return;
  if (!same(draft.state.status, status)) draft.write().status = status as ThreadStatus;
  // A turn whose end was missed does not run for ever.
  const runs = (status as ThreadStatus).type === "active";
  if (!runs && draft.state.activeTurnId !== undefined) delete draft.write().activeTurnId;
}

function setName(draft: Draft, name: unknown): void {
  const next = asId(name);
  if (next === draft.state.name) return;
  if (next === undefined) delete draft.write().name;
  else draft.write().name = next;
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}
