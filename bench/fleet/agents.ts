/**
 * The agents of a fleet: a fake app-server in its own process, so that its CPU is not counted as the fleet's. Prints the
 * path of the fake's executable, and ends when its stdin closes.
 */
import { fakeAppServer, hang, reply, toolCall } from "@codexwright/testing";
import { DELTA_MS, FINISH, SPEAK, WAIT } from "./words.ts";

/** Far more than a measurement takes. */
const DELTAS = 20_000;

await using fake = fakeAppServer({
  // A resumed thread has the prompt in its history.
  model: ({ input }) => {
    const text = JSON.stringify(input);
    if (text.includes(FINISH)) {
      const isCalled = input.some(({ type }) => type === "function_call_output");
      return isCalled ? reply("The issue is done.") : toolCall("issue_update", { state: "done" });
    }
    if (text.includes(WAIT)) return hang();
    if (!text.includes(SPEAK)) return undefined;
    return [reply("word ".repeat(DELTAS), { deltas: DELTAS, delayMs: DELTA_MS }), hang()];
  },
});
console.log(fake.executable);
await new Promise((resolve) => process.stdin.on("end", resolve).resume());
