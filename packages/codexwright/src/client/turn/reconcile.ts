import type { Thread as WireThread, Turn as WireTurn } from "../../protocol/index.ts";
import { RequestTimeoutError } from "../../rpc/errors.ts";
import { ThreadNotFoundError } from "../connection/server/server-errors.ts";
import type { ThreadFold } from "../state/index.ts";
import { madeTurn } from "./end/terminal.ts";
import type { TurnHost, TurnServer } from "./turn-host.ts";

/** A server that lives answers at once; one that does not must not hold up the end of the turn. */
const READ_MS = 2_000;

/** How long the history may lag behind the end of a turn, asked again after each. */
const LAGS_MS = [0, 50, 200];

/**
 * Asks the server how a turn ended whose terminal event never came. `undefined`: it still runs, as far as the
 * server tells, or nothing can be learnt.
 *
 * @param seen whether anything was heard of the turn: a thread that rests may not have begun it yet
 */
export async function readBack(host: TurnHost, turnId: string, seen: boolean): Promise<WireTurn | undefined> {
  const thread = await read(host.server, host.threadId);
  if (thread === "gone") return seen ? madeTurn(turnId, "interrupted", null) : undefined;
  const stored = thread?.turns?.find((turn) => turn.id === turnId);
  if (stored && stored.status !== "inProgress") return stored;
  const status = thread?.status?.type;
  if (!seen || (status !== "idle" && status !== "systemError" && status !== "notLoaded")) return undefined;
  // An ephemeral thread has no history: that it rests is all the server can say; the items are ours.
  const error = host.fold.turn(turnId)?.error ?? null;
  return madeTurn(turnId, status === "systemError" || error ? "failed" : "completed", error);
}

/**
 * A resumed thread with what its history says once that has caught up. Asked in the moment in which a turn ends, a
 * server tells the turn as `interrupted` at no time, though it has completed, and says no more of it.
 */
export async function caughtUp(
  server: TurnServer,
  fold: ThreadFold,
  resumed: WireThread,
): Promise<WireThread> {
  let thread = resumed;
  for (const lagMs of LAGS_MS) {
    const last = thread.turns?.at(-1);
    const doubtful = last?.status === "interrupted" && typeof last.completedAt !== "number";
    if (!doubtful || fold.turn(last.id)?.status === last.status) break;
    await new Promise((resolve) => setTimeout(resolve, lagMs));
    const again = await read(server, thread.id);
    if (typeof again === "object" && again.turns) thread = { ...thread, turns: again.turns };
  }
  return thread;
}

/**
 * A resumed thread without the turn that only seems to run. After a review, servers from 0.145 on answer a resume with
 * the turn inside the review as `inProgress`, for ever; their status alone says that the thread is idle.
 */
export async function withoutPhantom(server: TurnServer, resumed: WireThread): Promise<WireThread> {
  const last = resumed.turns?.at(-1);
  if (resumed.status?.type !== "active" || last?.status !== "inProgress") return resumed;
  const params = { threadId: resumed.id, includeTurns: false };
  const answer = await server.request("thread/read", params, { timeoutMs: READ_MS }).catch(() => undefined);
  const status = answer?.thread.status;
  if (!status || status.type === "active") return resumed;
  return { ...resumed, status, turns: [...resumed.turns.slice(0, -1), { ...last, status: "interrupted" }] };
}

async function read(server: TurnServer, threadId: string): Promise<WireThread | "gone" | undefined> {
  for (const includeTurns of [true, false]) {
    try {
      const { thread } = await server.request(
        "thread/read",
        { threadId, includeTurns },
        { timeoutMs: READ_MS },
      );
      return thread;
    } catch (error) {
      if (error instanceof ThreadNotFoundError) return "gone";
      // Ephemeral threads refuse their turns; the second try asks for the status alone.
      if (error instanceof RequestTimeoutError) return undefined;
    }
  }
  return undefined;
}
