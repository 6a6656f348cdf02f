import type { TurnSteerParams } from "../../protocol/index.ts";
import { atLeast } from "../../protocol/release.ts";
import type { TurnServer } from "./turn-host.ts";

/** Adds input to the running turn; resolves with the id of the turn that received it. */
export async function steerTurn(server: TurnServer, params: TurnSteerParams): Promise<string> {
  if (!atLeast(server.serverVersion(), "0.100.0")) {
    // Older servers have no `turn/steer`. Their `turn/start` adds the input to the running turn, but returns the id of
    // a turn whose end is never reported.
    const { threadId, input, expectedTurnId } = params;
    await server.request("turn/start", { threadId, input });
    return expectedTurnId;
  }
  const { turnId } = await server.request("turn/steer", params);
  return turnId;
}
