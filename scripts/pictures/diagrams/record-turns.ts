import { CodexClient } from "codexwright";
import { exec, realAppServer, reasoning, reply, scriptedModel } from "@codexwright/testing";
import type { TurnEvent } from "./turns.ts";

/** Records the events of a thread with two turns. The model is scripted, the server is the real Codex. */
export async function recordTurns(): Promise<TurnEvent[]> {
  await using model = await scriptedModel([
    [
      reasoning("The test compares two dates. I run it first.", { deltas: 3 }),
      exec("printf '1 failed\\n'; sleep 0.2; printf '3 passed\\n'"),
    ],
    reply("One of four tests fails: it compares local time with UTC.", { deltas: 6, phase: "final_answer" }),
    reply("Fixed. All four pass.", { deltas: 4, phase: "final_answer" }),
  ]);
  await using server = await realAppServer({ model, sandbox: "danger-full-access", approvalPolicy: "never" });
  await using codex = await CodexClient.connect(server.clientOptions);
  const thread = await codex.startThread();
  const events: TurnEvent[] = [];
  for (const [turn, prompt] of ["Why does the test fail?", "Fix it."].entries()) {
    for await (const { method, params, item } of thread.turn(prompt)) {
      const { itemId = item?.id } = params as { readonly itemId?: string };
      const kind = kindOf(method);
      if (kind === undefined || (kind !== "turnStarted" && kind !== "turnCompleted" && itemId === undefined))
        continue;
      events.push({
        turn,
        kind,
        prompt,
        method,
        ...(itemId !== undefined && { itemId, type: item?.type ?? "" }),
      });
    }
  }
  return events;
}

function kindOf(method: string): TurnEvent["kind"] | undefined {
  if (method === "turn/started") return "turnStarted";
  if (method === "turn/completed") return "turnCompleted";
  if (method === "item/started") return "started";
  if (method === "item/completed") return "completed";
  return /^item\/.*[dD]elta$/.test(method) ? "delta" : undefined;
}
