/** Serves the page offline: the real Codex with a scripted model, and a client in place of the browser. */
import path from "node:path";
import { realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { CodexClient, stdio } from "codexwright";
import { websocket } from "codexwright/websocket";
import { servePage } from "./web-page/server.ts";

const SCRIPT = path.resolve(import.meta.dirname, "../../../examples/recipes/web-page/page.js");

await using model = await scriptedModel([reply("Hello, page.")]);
await using codex = await realAppServer({ model });
const { codexHome, cwd, env } = codex.clientOptions;
await using page = await servePage(stdio({ codexHome, cwd, env }), SCRIPT);
const { origin, hash } = new URL(page.url);
for (const name of ["/", "/page.js"]) {
  const response = await fetch(origin + name);
  console.log(name, response.status, response.headers.get("content-type"));
}

const { url = "", token = "" } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
const stranger = await fetch(url.replace("ws:", "http:"), {
  headers: { origin: "https://elsewhere.example" },
});
console.log("a page of another origin:", stranger.status);
await using client = await CodexClient.connect({ transport: websocket(url, { token }) });
const thread = await client.startThread({ sandbox: "read-only" });
console.log((await thread.run("Say hello.")).agentMessage);
