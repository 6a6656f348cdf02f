// #region code
import { homedir } from "node:os";
import { serveWeb } from "../web-server.ts";
import { SlackBot } from "./bot.ts";
import { slackEndpoint } from "./endpoint.ts";

const { SLACK_BOT_TOKEN: token = "", SLACK_SIGNING_SECRET: secret = "", SLACK_USERS = "" } = process.env;
if (!token || !secret || !SLACK_USERS)
  throw new Error("Set SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET and SLACK_USERS.");
const { PORT = "3000", BOT_PROJECT = process.cwd() } = process.env;
const bot = new SlackBot({
  apiUrl: "https://slack.com/api",
  token,
  intervalMs: 1200, // chat.update allows about 50 calls a minute.
  users: new Set(SLACK_USERS.split(",")),
  threadsFile: `${homedir()}/.slack-bot-threads.json`,
  cwd: BOT_PROJECT,
  env: {},
});
await bot.connect();
const { url } = await serveWeb(slackEndpoint(bot, secret), Number(PORT));
console.log(`Listening on ${url}`);
// #endregion code
