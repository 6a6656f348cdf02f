import type { Thread, TurnUsage } from "codexwright";
import type { ThreadItem } from "codexwright/protocol";
import { CommandError, EXIT } from "../shared/command-error.ts";
import type { Stop } from "./stop.ts";
import { factsOf, type Facts } from "./summary.ts";

/** What the turn of a command has done and cost so far. */
export interface Watched {
  readonly usage: () => TurnUsage | undefined;
  readonly facts: () => Facts;
}

/** Follows the next turn of a thread, and ends it where it has used more tokens than it may. */
export function watch(thread: Thread, maxTokens: number | undefined, stop: Stop): Watched {
  const since = performance.now();
  const known = new Set(thread.state.turns.map(({ id }) => id));
  const turn = (): Thread["state"]["turns"][number] | undefined =>
    thread.state.turns.findLast(({ id }) => !known.has(id));
  const usage = (): TurnUsage | undefined => turn()?.usage;
  thread.subscribe(() => {
    const used = usage()?.totalTokens ?? 0;
    if (maxTokens === undefined || used <= maxTokens || stop.isStopping) return;
    const message = `The turn has used ${used} tokens, and may use ${maxTokens}.`;
    stop.end(new CommandError("budget_exceeded", EXIT.limit, message));
  });
  return {
    usage,
    facts: () => {
      const current = turn();
      const items: ThreadItem[] = current?.items.map(({ item }) => item) ?? [];
      return {
        threadId: thread.id,
        ...(current && { turnId: current.id }),
        ...factsOf(items),
        ...(current?.usage && { usage: current.usage }),
        durationMs: Math.round(performance.now() - since),
      };
    },
  };
}
