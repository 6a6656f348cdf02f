/**
 * A scripted model in its own process, so that its CPU is not counted. Prints its address, and ends when its
 * stdin closes.
 */
import { hang, reply, scriptedModel } from "@codexwright/testing";
import { HELD, HOLD, MANY, REPLY, textOf } from "./words.ts";

await using model = await scriptedModel(({ lastUserText }) => {
  if (lastUserText === HOLD) return [reply(HELD), hang()];
  if (!lastUserText.startsWith(MANY)) return reply(REPLY);
  const deltas = Number(lastUserText.slice(MANY.length));
  return reply(textOf(deltas), { deltas });
});
console.log(model.baseUrl);
await new Promise((resolve) => process.stdin.on("end", resolve).resume());
