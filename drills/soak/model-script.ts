import {
  fail,
  reasoning,
  reply,
  toolCall,
  truncate,
  type ModelItem,
  type ModelRequest,
} from "@codexwright/testing";
import type { Random } from "../lib/random.ts";
import type { Ledger } from "./ledger.ts";

/** How often the model misbehaves, in percent. */
const TROUBLE = 6;

/**
 * A turn has two model answers: a message with two tool calls, then a message. Sometimes the model fails,
 * stops midway, or is slow. Its output is recorded in the ledger under the turn's text.
 */
export function modelScript(random: Random, ledger: Ledger): (request: ModelRequest) => ModelItem[] {
  return ({ index, input, lastUserText }) => {
    const trouble = random.below(100);
    if (trouble < TROUBLE)
      return [random.pick([fail(500), truncate("cut", { drop: true }), truncate("cut")])];
    const slow = { deltas: 4, ...(random.below(4) === 0 && { delayMs: 40 }) };
    if (input.at(-1)?.["type"] !== "message") {
      ledger.sent(lastUserText, "the end", [`msg_${index}_0`]);
      return [reply(`${lastUserText} is done`, slow)];
    }
    ledger.sent(lastUserText, "the beginning", [
      `rs_${index}_0`,
      `msg_${index}_1`,
      `call_${index}_2`,
      `call_${index}_3`,
    ]);
    return [
      reasoning("thinking", { deltas: 2 }),
      reply(`${lastUserText} begins`, { ...slow, phase: "commentary" }),
      toolCall("count", { n: 2 }),
      toolCall("count", { n: 3 }),
    ];
  };
}
