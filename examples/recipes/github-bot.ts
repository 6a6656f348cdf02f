/** Runs the GitHub bot offline: a stand-in for GitHub, and the real Codex with a scripted model. */
import { realAppServer, scriptedModel } from "@codexwright/testing";
import { githubBot } from "./github-bot/bot.ts";
import { NewestRuns } from "./github-bot/newest-runs.ts";
import { githubStandIn, review } from "./github-bot/stand-in.ts";

await using github = await githubStandIn();
await using model = await scriptedModel((request) => review(request));
await using codex = await realAppServer({ model });
await using runs = new NewestRuns();
const { env } = codex.clientOptions;
const handle = githubBot({ ...github.options, env, log: (line) => console.log(line) }, runs);
const deliver = async (id: string, secret?: string): Promise<void> => {
  const response = await handle(github.delivery(id, secret));
  console.log(response.status, await response.text());
};

github.push("export const first = (text) => text.split(' ')[0].trim();\n");
await deliver("delivery-1", "not-the-secret");
await deliver("delivery-1");
await runs.idle();
await deliver("delivery-1");
for (const { body, comments = [] } of github.reviews) {
  console.log(body.split("\n")[0]);
  for (const { path, line, body: comment } of comments)
    console.log(`${path}:${line} ${comment.split("\n")[0]}`);
}
