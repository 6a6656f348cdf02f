import type {
  ServerEvent,
  ServerNotifications,
  Turn as WireTurn,
  TurnError,
} from "../../../protocol/index.ts";
import type { ThreadFold } from "../../state/index.ts";
import { TurnFailedError, TurnInterruptedError } from "../../errors.ts";

/** Only older and third-party servers send `turn/failed` and `turn/cancelled`; Codex sends `turn/completed`. */
export function isTerminal(method: string): boolean {
  return method === "turn/completed" || method === "turn/failed" || method === "turn/cancelled";
}

/** The turn that a terminal event ends. Built here if the event does not contain it. */
export function terminalTurn(event: ServerEvent, id: string): WireTurn {
  const params = (event.params ?? {}) as Partial<ServerNotifications["turn/completed"]> & {
    message?: string;
    reason?: string;
    error?: TurnError;
  };
  if (params.turn) return params.turn;
  const method: string = event.method;
  const status =
    method === "turn/failed" ? "failed" : method === "turn/cancelled" ? "interrupted" : "completed";
  const text = params.message ?? params.reason;
  const error = params.error ?? (text === undefined ? null : textError(text));
  return madeTurn(id, status, error);
}

/** Builds a turn that the server did not send. Its items are in the state of the thread. */
export function madeTurn(id: string, status: WireTurn["status"], error: TurnError | null): WireTurn {
  const unknown = { rootTurnId: null, startedAt: null, completedAt: null, durationMs: null };
  return { id, status, error, items: [], itemsView: "notLoaded", ...unknown };
}

/** The last known state of a turn that was running when the connection was lost. */
export function lostTurn(id: string, fold: ThreadFold): WireTurn {
  const { status = "inProgress", error = null } = fold.turn(id) ?? {};
  const runs = status === "inProgress" && fold.activeTurnId === id;
  return madeTurn(id, status === "inProgress" && !runs ? "interrupted" : status, error);
}

function textError(message: string): TurnError {
  return { message, codexErrorInfo: null, additionalDetails: null, misalignment: null };
}

/** The error that a turn of this status rejects with. */
export function failureOf(turn: WireTurn): Error | undefined {
  if (turn.status === "failed") return new TurnFailedError(turn, turn.error ?? undefined);
  if (turn.status === "interrupted") return new TurnInterruptedError(turn);
  return undefined;
}
