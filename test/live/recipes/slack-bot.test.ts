import { existsSync } from "node:fs";
import path from "node:path";
import { exec, realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { PINNED } from "@codexwright/test-support/world";
import { verifies } from "@codexwright/test-support/verifies";
import { expect } from "vitest";
import { SlackBot } from "../../../examples/recipes/slack-bot/bot.ts";
import { slackEndpoint } from "../../../examples/recipes/slack-bot/endpoint.ts";
import { slackStandIn } from "../../../examples/recipes/slack-bot/stand-in.ts";
import { emptyHome, expectAsShown } from "./offline.ts";

verifies(
  "docs.recipes",
  "slack-bot: answers in a thread, asks with buttons, and resumes the thread after a restart",
  async () => {
    await expectAsShown("slack-bot");
  },
  PINNED,
);

verifies(
  "docs.recipes",
  "slack-bot: an accepted command runs, updates are limited, and mentions are escaped",
  async () => {
    await using slack = await slackStandIn();
    await using model = await scriptedModel([
      exec("touch accepted.txt", { justification: "needed" }),
      reply("Done, <!channel> & all.", { deltas: 20 }),
    ]);
    await using codex = await realAppServer({ model });
    await using bot = new SlackBot({
      ...slack.options,
      intervalMs: 600_000,
      users: new Set(["U1"]),
      threadsFile: path.join(codex.root, "threads.json"),
      cwd: codex.workspace,
      env: codex.clientOptions.env,
    });
    await bot.connect();
    const handle = slackEndpoint(bot, "the-secret");
    await handle(slack.message("100.0", "Let me in.", "U2"));
    await handle(slack.message("101.0", "Do it."));
    const { buttons } = await slack.until((message) => message.buttons.length > 0);
    await handle(slack.press("accept", buttons[0] ?? ""));
    const answer = await slack.until(({ text }) => text === "Done, &lt;!channel&gt; &amp; all.");
    expect(answer.updates).toBeLessThanOrEqual(2);
    expect(existsSync(path.join(codex.workspace, "accepted.txt"))).toBe(true);
    expect(slack.messages.length).toBe(2);
  },
  PINNED,
);

verifies(
  "docs.recipes",
  "slack-bot: replies that Codex is not logged in, and refuses forged and old requests",
  async () => {
    await using slack = await slackStandIn();
    using home = emptyHome();
    await using bot = new SlackBot({
      ...slack.options,
      intervalMs: 0,
      users: new Set(["U1"]),
      threadsFile: path.join(home.dir, "threads.json"),
      cwd: home.dir,
      env: home.env,
    });
    await bot.connect();
    const handle = slackEndpoint(bot, "the-secret");
    await handle(slack.message("101.0", "Do it."));
    await slack.until(({ text }) => text === "Codex is not logged in on the machine of this bot.");
    const forged = await handle(slack.send({ type: "url_verification" }, "guessed"));
    expect(forged.status).toBe(401);
    const old = slack.send({ type: "url_verification" });
    old.headers.set("x-slack-request-timestamp", "1");
    expect((await handle(old)).status).toBe(401);
  },
  PINNED,
);
