// #region code
import { homedir } from "node:os";
import { serveWeb } from "../web-server.ts";
import { githubBot } from "./bot.ts";
import { NewestRuns } from "./newest-runs.ts";

const { GITHUB_TOKEN: token = "", GITHUB_WEBHOOK_SECRET: secret = "", PORT = "3000" } = process.env;
if (!token || !secret) throw new Error("Set GITHUB_TOKEN and GITHUB_WEBHOOK_SECRET.");
const { BOT_FOLDER: folder = `${homedir()}/.github-bot` } = process.env;
const urls = { apiUrl: "https://api.github.com", gitUrl: "https://github.com" };
const options = { ...urls, token, secret, folder, env: {}, log: console.log };
const { url } = await serveWeb(githubBot(options, new NewestRuns()), Number(PORT));
console.log(`Listening on ${url}`);
// #endregion code
