import { NoActiveTurnError } from "../connection/server/server-errors.ts";
import type { ThreadFold, TurnState } from "../state/index.ts";
import type { TurnServer } from "./turn-host.ts";

/** Interrupts a turn by the id that the server runs it under. For an inline review, that is the id of its reviewer. */
export async function interruptTurn(
  server: TurnServer,
  fold: ThreadFold,
  threadId: string,
  turnId: string,
): Promise<void> {
  const turn = fold.turn(turnId);
  try {
    await server.request("turn/interrupt", { threadId, turnId: turn?.reviewerTurnId ?? turnId });
  } catch (error) {
    // The reviewer runs, but its start has not been reported yet.
    const reviewer = turn && isReview(turn) ? runningTurn(error) : undefined;
    if (reviewer === undefined) throw error;
    await server.request("turn/interrupt", { threadId, turnId: reviewer });
  }
}

function isReview({ status, items }: TurnState): boolean {
  return status === "inProgress" && items.some(({ item }) => item.type === "enteredReviewMode");
}

/** When the server rejects an interrupt, it names the turn that is running. Returns the id of that turn. */
function runningTurn(error: unknown): string | undefined {
  if (!(error instanceof NoActiveTurnError)) return undefined;
  return /expected active turn id \S+ but found `?([^\s`]+)/.exec(error.message)?.[1];
}
