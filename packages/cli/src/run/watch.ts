import type { Thread, TurnUsage } from "codexwright";
import type { ThreadItem } from "codexwright/protocol";
import { CommandError, EXIT } from "../shared/command-error.ts";
import type { Stop } from "./stop.ts";
import { factsOf, type Facts } from "../show/summary.ts";

/** The work and cost of the command's turns so far. */
export interface Watched {
  readonly usage: () => TurnUsage | undefined;
  readonly facts: () => Facts;
}

/** Follows the next turns of a thread, and stops the running turn if these turns together exceed the token limit. */
export function watch(thread: Thread, maxTokens: number | undefined, stop: Stop): Watched {
  const since = performance.now();
  const known = new Set(thread.state.turns.map(({ id }) => id));
  const turns = (): Thread["state"]["turns"] => thread.state.turns.filter(({ id }) => !known.has(id));
  const usage = (): TurnUsage | undefined =>
    turns()
      .map((turn) => turn.usage)
      .filter((used) => used !== undefined)
      .reduce<TurnUsage | undefined>(sum, undefined);
  thread.subscribe(() => {
    const used = usage()?.totalTokens ?? 0;
    if (maxTokens === undefined || used <= maxTokens || stop.isStopping) return;
    const message = `The turn has used ${used} tokens; the limit is ${maxTokens}.`;
    stop.end(new CommandError("budget_exceeded", EXIT.limit, message));
  });
  return {
    usage,
    facts: () => {
      const ours = turns();
      const current = ours.at(-1);
      const used = usage();
      const items: ThreadItem[] = ours.flatMap((turn) => turn.items.map(({ item }) => item));
      return {
        threadId: thread.id,
        ...(current && { turnId: current.id }),
        ...factsOf(items),
        ...(used && { usage: used }),
        durationMs: Math.round(performance.now() - since),
      };
    },
  };
}

function sum(total: TurnUsage | undefined, used: TurnUsage): TurnUsage {
  if (total === undefined) return used;
  return {
    inputTokens: total.inputTokens + used.inputTokens,
    cachedInputTokens: total.cachedInputTokens + used.cachedInputTokens,
    outputTokens: total.outputTokens + used.outputTokens,
    reasoningOutputTokens: total.reasoningOutputTokens + used.reasoningOutputTokens,
    totalTokens: total.totalTokens + used.totalTokens,
  };
}
