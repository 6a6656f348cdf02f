// #region code
import { exec, realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { Gateway } from "@codexwright/gateway";
import { stdio } from "codexwright";
import { servePage } from "./server.ts";

await using model = await scriptedModel([
  exec("touch notes.txt && ls", { justification: "to take notes" }),
  reply("I made notes.txt.", { deltas: 3 }),
]);
await using codex = await realAppServer({ model });
const { cwd, env } = codex.clientOptions;
await using gateway = await Gateway.open({
  transport: stdio({ cwd, env }),
  // Ends the program when the page is closed.
  onClients: (count) => void (count === 0 && gateway.close()),
});
await using page = await servePage(gateway, import.meta.dirname, 0);
console.log(`Open ${page.address}`);
await gateway.ended;
// #endregion code
