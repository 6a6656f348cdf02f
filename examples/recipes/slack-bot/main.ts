// #region code
import { serveWeb } from "../web-server.ts";
import { SlackBot } from "./bot.ts";
import { slackEndpoint } from "./endpoint.ts";

const { SLACK_BOT_TOKEN: token = "", SLACK_SIGNING_SECRET: secret = "", SLACK_USERS = "" } = process.env;
if (!token || !secret) throw new Error("Set SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET.");
const bot = new SlackBot({
  apiUrl: "https://slack.com/api",
  token,
  intervalMs: 1200, // chat.update allows about 50 calls a minute.
  users: new Set(SLACK_USERS.split(",")),
  threadsFile: "/var/lib/bot/threads.json",
  cwd: "/srv/project",
  env: {},
});
await bot.connect();
await serveWeb(slackEndpoint(bot, secret), 3000);
// #endregion code
