// #region code
import { serveWeb } from "../web-server.ts";
import { githubBot } from "./bot.ts";
import { NewestRuns } from "./newest-runs.ts";

const { GITHUB_TOKEN: token = "", GITHUB_WEBHOOK_SECRET: secret = "" } = process.env;
if (!token || !secret) throw new Error("Set GITHUB_TOKEN and GITHUB_WEBHOOK_SECRET.");
const urls = { apiUrl: "https://api.github.com", gitUrl: "https://github.com" };
const options = { ...urls, token, secret, folder: "/var/lib/bot", env: {}, log: console.log };
await serveWeb(githubBot(options, new NewestRuns()), 3000);
// #endregion code
