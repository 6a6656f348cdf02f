import type { Turn as WireTurn } from "../../protocol/index.ts";
import { atLeast } from "../../protocol/release.ts";
import { UnsupportedError } from "../connection/server/server-errors.ts";
import { InvalidArgumentError, RpcError } from "../../rpc/errors.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, needed, Variant } from "../../rpc/options/table.ts";
import type { RevertTarget } from "./thread-options.ts";
import type { ThreadHost, ThreadRoute } from "./thread-route.ts";

const TARGET: Variant<RevertTarget> = new Variant<RevertTarget>({
  beforeTurnId: { beforeTurnId: needed(is.text) },
  numTurns: { numTurns: needed(is.integer(1)) },
});

/**
 * Reverts turns with `thread/revert` or, on older servers, with `thread/rollback`. `thread/revert` needs a turn id, and
 * `thread/rollback` needs a count. If the caller passed the other form, the needed form is computed from the list of
 * turns.
 */
export async function revertThread(
  host: ThreadHost,
  route: ThreadRoute,
  target: RevertTarget,
): Promise<void> {
  checkOptions("thread.revert()", target, TARGET);
  await route.load();
  const { threadId } = route;
  // Servers before 0.151 may have `thread/revert` too, but it refuses the histories that these servers write.
  if (atLeast(host.serverVersion(), "0.151.0")) {
    const beforeTurnId =
      "beforeTurnId" in target ? target.beforeTurnId : await nthLast(host, threadId, target.numTurns);
    await host.request("thread/revert", { threadId, beforeTurnId });
    // The server reported `notLoaded` for a moment, but the subscription still exists.
    route.facts.subscribed = true;
    route.reverted(beforeTurnId);
    return;
  }
  const numTurns =
    "numTurns" in target ? target.numTurns : await countFrom(host, threadId, target.beforeTurnId);
  try {
    await rollback(host, threadId, numTurns);
  } catch (error) {
    if (error instanceof RpcError && /paginated threads do not support/.test(error.message)) {
      throw new UnsupportedError(`thread ${threadId} cannot be rolled back: ${error.message}`, error);
    }
    throw error;
  }
  const known = route.fold.state.turns;
  route.reverted("beforeTurnId" in target ? target.beforeTurnId : known.at(-numTurns)?.id);
}

/** A method of older servers that the newest schema no longer contains. */
async function rollback(host: ThreadHost, threadId: string, numTurns: number): Promise<void> {
  const request = host.request as (method: string, params: unknown) => Promise<unknown>;
  await request("thread/rollback", { threadId, numTurns });
}

async function nthLast(host: ThreadHost, threadId: string, numTurns: number): Promise<string> {
  const { data } = await host.request("thread/turns/list", {
    threadId,
    limit: numTurns,
    sortDirection: "desc",
  });
  const turn = data[numTurns - 1];
  if (!turn)
    throw new InvalidArgumentError(
      `numTurns must be at most ${data.length}, the number of turns of thread ${threadId} (got ${numTurns})`,
    );
  return turn.id;
}

async function countFrom(host: ThreadHost, threadId: string, beforeTurnId: string): Promise<number> {
  const { thread } = await host.request("thread/read", { threadId, includeTurns: true });
  const at = thread.turns.findIndex((turn: WireTurn) => turn.id === beforeTurnId);
  if (at === -1) throw new InvalidArgumentError(`thread ${threadId} has no turn ${beforeTurnId}`);
  return thread.turns.length - at;
}
