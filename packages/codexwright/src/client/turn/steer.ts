import type { TurnSteerParams } from "../../protocol/index.ts";
import { atLeast } from "../../protocol/release.ts";
import type { TurnServer } from "./turn-host.ts";

/** Gives input to a running turn; resolves with the id of the turn that took it. */
export async function steerTurn(server: TurnServer, params: TurnSteerParams): Promise<string> {
  if (!atLeast(server.serverVersion(), "0.100.0")) {
    // Before there was turn/steer, turn/start gave the input to the running turn, under an id that never ends.
    const { threadId, input, expectedTurnId } = params;
    await server.request("turn/start", { threadId, input });
    return expectedTurnId;
  }
  const { turnId } = await server.request("turn/steer", params);
  return turnId;
}
