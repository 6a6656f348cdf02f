/** A scripted model in a process of its own, whose CPU is nobody's: prints its address, and ends with its stdin. */
import { hang, reply, scriptedModel } from "@codexwright/testing";
import { HELD, HOLD, REPLY } from "./words.ts";

await using model = await scriptedModel(({ lastUserText }) =>
  lastUserText === HOLD ? [reply(HELD), hang()] : reply(REPLY),
);
console.log(model.baseUrl);
await new Promise((resolve) => process.stdin.on("end", resolve).resume());
