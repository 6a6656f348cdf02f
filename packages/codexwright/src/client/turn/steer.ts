import type { TurnSteerParams } from "../../protocol/index.ts";
import { atLeast } from "../../protocol/release.ts";
import type { ThreadHost } from "../thread/thread-route.ts";

/** Gives input to a running turn; resolves with the id of the turn that took it. */
export async function steerTurn(host: ThreadHost, params: TurnSteerParams): Promise<string> {
  if (!atLeast(host.serverVersion(), "0.100.0")) {
    // Before there was turn/steer, turn/start gave the input to the running turn, under an id that never ends.
    const { threadId, input, expectedTurnId } = params;
    await host.request("turn/start", { threadId, input });
    return expectedTurnId;
  }
  const { turnId } = await host.request("turn/steer", params);
  return turnId;
}
