/** A typed answer, offline. */
import { CodexClient } from "codexwright";
import { realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { z } from "zod";

// #region all
const answer = { verdict: "good", summary: "Small and clear." };
await using model = await scriptedModel([reply(JSON.stringify(answer))]);
await using server = await realAppServer({ model });
await using codex = await CodexClient.connect(server.clientOptions); // With a login: connect()
const thread = await codex.startThread();
const Review = z.object({ verdict: z.enum(["good", "bad"]), summary: z.string().min(10) });
const { output } = await thread.run("Review the last change.", { output: Review });
console.log(output.verdict, "-", output.summary); // good - Small and clear.
// #endregion all
