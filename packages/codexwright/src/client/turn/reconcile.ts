import type { Thread as WireThread, Turn as WireTurn } from "../../protocol/index.ts";
import { RequestTimeoutError } from "../../rpc/errors.ts";
import { ThreadNotFoundError } from "../connection/server/server-errors.ts";
import type { ThreadFold } from "../state/index.ts";
import { madeTurn } from "./end/terminal.ts";
import type { TurnHost, TurnServer } from "./turn-host.ts";

/** A healthy server answers immediately; an unresponsive one must not delay the end of the turn. */
const READ_MS = 2_000;

/** Delays before each re-read of a history that may lag behind the end of a turn. */
const LAGS_MS = [0, 50, 200];

/**
 * Asks the server for the outcome of a turn whose terminal event never arrived. Returns `undefined` if the turn still
 * runs according to the server, or if the outcome cannot be determined.
 *
 * @param seen whether any event of the turn arrived; if not, an idle thread may just not have started the turn yet
 */
export async function readBack(host: TurnHost, turnId: string, seen: boolean): Promise<WireTurn | undefined> {
  const thread = await read(host.server, host.threadId);
  if (thread === "gone") return seen ? madeTurn(turnId, "interrupted", null) : undefined;
  const stored = thread?.turns?.find((turn) => turn.id === turnId);
  if (stored && stored.status !== "inProgress") return stored;
  const status = thread?.status?.type;
  if (!seen || (status !== "idle" && status !== "systemError" && status !== "notLoaded")) return undefined;
  // An ephemeral thread has no history. The server reports only that the thread is idle; the items come from our state.
  const error = host.fold.turn(turnId)?.error ?? null;
  return madeTurn(turnId, status === "systemError" || error ? "failed" : "completed", error);
}

/**
 * Re-reads the history of a resumed thread until it is up to date. If the history is read at the moment a turn ends,
 * the server reports the completed turn as `interrupted`, without a completion time, and does not correct this later.
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
 * Ends a turn that only seems to run after its thread was resumed. After a review, servers from 0.145 on answer every
 * resume with the turn inside the review as `inProgress`. Only `thread/read` reports that the thread is idle.
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
      // Ephemeral threads refuse to send their turns; the second attempt reads only the status.
      if (error instanceof RequestTimeoutError) return undefined;
    }
  }
  return undefined;
}
