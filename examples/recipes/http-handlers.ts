/** Runs both handlers offline: a turn that is streamed to its end, and one whose browser disconnects. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { CodexClient } from "codexwright";
import { hang, realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { turnsApp } from "./http-handlers/express-app.ts";
import { turnsRoute } from "./http-handlers/next-route.ts";
import { serveWeb } from "./web-server.ts";

await using model = await scriptedModel(({ lastUserText }) =>
  lastUserText === "Wait."
    ? [reply("I wait."), hang()]
    : reply("It is a parser.", { deltas: ["It is", " a parser."] }),
);
await using server = await realAppServer({ model });
await using codex = await CodexClient.connect(server.clientOptions);

const visit = async (url: string): Promise<void> => {
  const post = (task: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${url}/turns`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ task }),
      signal: signal ?? null,
    });
  const streamed = await post("What is this?");
  console.log((await streamed.text()).trimEnd());

  const ended = new Promise<string>((resolve) => {
    const stop = codex.onNotification("turn/completed", ({ turn }) => {
      stop();
      resolve(turn.status);
    });
  });
  const browser = new AbortController();
  const { body } = await post("Wait.", browser.signal);
  await body?.getReader().read();
  browser.abort();
  console.log(`the browser left: ${await ended}\n`);
};

console.log("Express");
const listener = turnsApp(codex).listen(0, "127.0.0.1");
await once(listener, "listening");
await visit(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
listener.close();
listener.closeAllConnections();

console.log("Next");
await using next = await serveWeb(turnsRoute(async () => codex));
await visit(next.url);
