/**
 * Tests a program that uses Codex: on a fake in milliseconds, then on the real server with the same script.
 */
import { CodexClient, type CodexClientOptions } from "codexwright";
import {
  exec,
  fakeAppServer,
  realAppServer,
  reply,
  scriptedModel,
  toolCall,
  wireScript,
  type ModelStep,
} from "@codexwright/testing";

// #region program
/** The program under test: asks Codex to tidy up, and approves harmless commands. */
async function tidyUp(options: CodexClientOptions): Promise<string> {
  await using codex = await CodexClient.connect({
    ...options,
    onApproval: ({ kind }) => (kind === "command" ? "accept" : "decline"),
  });
  const thread = await codex.startThread({ sandbox: "read-only" });
  const { items, agentMessage } = await thread.run("Tidy up.");
  const commands = items.flatMap((item) => (item.type === "commandExecution" ? [item.status] : []));
  return `${commands.join()}: ${agentMessage}`;
}
// #endregion program

// #region fake
const script: ModelStep[] = [
  exec("rm -f tmp.log", { justification: "to tidy up" }),
  (request) => reply(Object.keys(request.toolOutputs).length === 1 ? "One file is gone." : "Nothing to do."),
];
await using fake = fakeAppServer({ model: script });
console.log(await tidyUp({ transport: fake.transport }));
console.log(fake.requests.length, "requests to the model,", fake.unexpected.length, "unexpected");
// #endregion fake

// #region real
await using model = await scriptedModel(script);
await using server = await realAppServer({ model });
console.log(await tidyUp(server.clientOptions));
// #endregion real

// #region faults
await using crashing = fakeAppServer({
  model: [reply("Half of an ans…", { deltas: 4 })],
  faults: [{ on: "delta", nth: 2, fault: "crash" }],
});
console.log(await tidyUp({ transport: crashing.transport }).catch(({ code }: { code: string }) => code));

await using busy = fakeAppServer({
  model: [toolCall("nobody_has_this", {}), reply("Done.")],
  faults: [{ on: "thread/start", fault: "overload" }], // Rejected once with -32001: the client retries.
});
console.log(await tidyUp({ transport: busy.transport }));
// #endregion faults

// #region wire
using odd = wireScript({
  script: [
    { on: "thread/start", result: { thread: { id: "t1" }, model: "any" } },
    { on: "turn/start", result: { turn: { id: "u1", status: "inProgress", items: [] } } },
    { raw: "this is not a message\n" },
    {
      send: {
        method: "turn/completed",
        params: { threadId: "t1", turn: { id: "u1", status: "completed", items: [] } },
      },
    },
  ],
});
console.log(await tidyUp({ transport: odd.transport }));
// #endregion wire
