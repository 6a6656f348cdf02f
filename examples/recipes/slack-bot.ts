/** Runs the Slack bot offline: a stand-in for Slack, and the real Codex with a scripted model. */
import path from "node:path";
import { exec, realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { SlackBot } from "./slack-bot/bot.ts";
import { slackEndpoint } from "./slack-bot/endpoint.ts";
import { slackStandIn } from "./slack-bot/stand-in.ts";

await using slack = await slackStandIn();
await using model = await scriptedModel([
  exec("npm publish", { justification: "It needs the network." }),
  reply("I did not publish it.", { deltas: 4 }),
  reply("You asked me to publish it.", { deltas: 4 }),
]);
await using codex = await realAppServer({ model });
const options = {
  ...slack.options,
  intervalMs: 1000,
  users: new Set(["U1"]),
  threadsFile: path.join(codex.root, "threads.json"),
  cwd: codex.workspace,
  env: codex.clientOptions.env,
};

{
  await using bot = new SlackBot(options);
  await bot.connect();
  const handle = slackEndpoint(bot, "the-secret");
  const challenge = await handle(slack.send({ type: "url_verification", challenge: "abc" }));
  console.log(challenge.status, await challenge.text());
  console.log((await handle(slack.send({ type: "url_verification" }, "not-the-secret"))).status);
  await handle(slack.message("101.0", "<@UBOT> Publish it."));
  await handle(slack.message("101.0", "<@UBOT> Publish it.")); // Slack sends it again: nothing happens.
  const { buttons } = await slack.until((message) => message.buttons.length > 0);
  await handle(slack.press("accept", buttons[0] ?? "", "U2")); // A stranger: nothing happens.
  await handle(slack.press("decline", buttons[0] ?? ""));
  await slack.until(({ text }) => text === "I did not publish it.");
}
{
  // A new bot resumes the thread, as a bot in another process would.
  await using bot = new SlackBot(options);
  await bot.connect();
  await slackEndpoint(bot, "the-secret")(slack.message("102.0", "What did I ask for?"));
  await slack.until(({ text }) => text.startsWith("You asked"));
}
for (const { text } of slack.messages) console.log(text);
