/** Several clients share one real app-server, over a websocket that requires a token. */
import { randomBytes } from "node:crypto";
import { CodexClient, type protocol } from "codexwright";
import { METHODS } from "codexwright/protocol";
import { Endpoint, listen, type HandlerContext, type Handlers } from "codexwright/server";
import { websocket } from "codexwright/websocket";

// #region forward
type Method = keyof protocol.ClientRequests;
await using upstream = await CodexClient.connect();
const threadOf = (params: unknown): string | undefined =>
  (params as { threadId?: string } | undefined)?.threadId;

const forward = (method: Method) => async (params: unknown, context: HandlerContext) => {
  // Subscribe before the answer is sent, so that the client misses no notification right after the answer.
  if (method === "thread/resume") context.subscribe(threadOf(params) ?? "");
  const result = await upstream.request(method, params as never, { signal: context.signal });
  if (method === "thread/start" || method === "thread/fork")
    context.subscribe((result as { thread: { id: string } }).thread.id);
  return result;
};
const { initialize: _ours, ...rest } = METHODS.clientRequests; // The endpoint performs the handshake itself.
const methods = Object.keys(rest).filter((method) => upstream.supports(method)) as Method[];
const handlers = Object.fromEntries(methods.map((method) => [method, forward(method)])) as Handlers;
await using endpoint = new Endpoint({ handlers, version: upstream.server.version });
// #endregion forward

// #region back
for (const method of Object.keys(METHODS.serverNotifications) as (keyof protocol.ServerNotifications)[]) {
  upstream.onNotification(method, (params) => {
    const threadId = threadOf(params);
    if (threadId === undefined || method === "thread/status/changed") endpoint.broadcast(method, params);
    // The endpoint reports resolved requests itself, because it uses its own ids.
    else if (method !== "serverRequest/resolved") endpoint.thread(threadId).notify(method, params);
  });
}
for (const method of Object.keys(METHODS.serverRequests) as (keyof protocol.ServerRequests)[]) {
  upstream.onServerRequest(method, async (params, { signal }) => {
    const channel = threadOf(params) === undefined ? endpoint : endpoint.thread(threadOf(params) ?? "");
    return await channel.request(method, params, { signal });
  });
}
// #endregion back

// #region listen
const token = randomBytes(32).toString("hex");
await using listener = await listen(endpoint, "ws://127.0.0.1:0", {
  auth: { capabilityToken: { token } },
  allowedOrigins: ["https://console.example"],
});
// #endregion listen

// #region clients
const connect = (name: string, onApproval: () => Promise<"accept" | "decline">): Promise<CodexClient> =>
  CodexClient.connect({ transport: websocket(listener.url, { token }), clientName: name, onApproval });

await using author = await connect("author", () => new Promise(() => {})); // The other client answers.
await using reviewer = await connect("reviewer", async () => "accept");
const thread = await author.startThread({ sandbox: "read-only" });
const { agentMessage: first } = await thread.run("Say hello.");
console.log(first);

const watched = await reviewer.resumeThread(thread.id);
const turn = thread.turn("Write the file.");
for await (const { method, item } of turn) {
  if (method === "item/completed" && item?.type === "commandExecution")
    console.log(item.command, item.status);
}
console.log((await turn.completed).agentMessage, watched.state.turns.length, "turns seen by the reviewer");
// #endregion clients

// #region refused
const stranger = CodexClient.connect({ transport: websocket(listener.url, { token: "guessed" }) });
console.log(await stranger.catch((error: { code: string; message: string }) => error.code));
// #endregion refused
