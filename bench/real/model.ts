/**
 * A scripted model in its own process, so that its CPU is not counted. Prints its address, and ends when its
 * stdin closes.
 */
import { hang, reply, scriptedModel } from "@codexwright/testing";
import { HELD, HOLD, REPLY } from "./words.ts";

await using model = await scriptedModel(({ lastUserText }) =>
  lastUserText === HOLD ? [reply(HELD), hang()] : reply(REPLY),
);
console.log(model.baseUrl);
await new Promise((resolve) => process.stdin.on("end", resolve).resume());
