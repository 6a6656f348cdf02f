/** Our own app-server, whose model repeats the user's words, and a client that talks to it. */
// #region all
import { randomUUID } from "node:crypto";
import { CodexClient, type protocol } from "codexwright";
import { ResponseError } from "codexwright/rpc";
import { Endpoint, listen, type Handlers } from "codexwright/server";
import { websocket } from "codexwright/websocket";

const threads = new Set<string>();
const handlers: Handlers = {
  "thread/start": ({ cwd }, { subscribe, afterAnswer }) => {
    // codexwright needs only the id. Other clients may read more of the fields.
    const known: Partial<protocol.Thread> = { id: randomUUID(), cwd: cwd ?? "/", turns: [] };
    const thread = known as protocol.Thread;
    threads.add(thread.id);
    subscribe(thread.id); // From now on, this client gets the events of the thread.
    afterAnswer(() => endpoint.thread(thread.id).notify("thread/started", { thread }));
    return { thread, model: "echo", modelProvider: "echo" } as protocol.ThreadStartResponse;
  },
  "turn/start": ({ threadId, input }, { afterAnswer }) => {
    if (!threads.has(threadId)) throw new ResponseError(-32600, `thread not found: ${threadId}`);
    const started: Partial<protocol.Turn> = { id: randomUUID(), items: [], status: "inProgress" };
    const turn = started as protocol.Turn;
    const text = input.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join(" ");
    afterAnswer(() => endpoint.hold(play(threadId, turn, text)));
    return { turn };
  },
};
await using endpoint = new Endpoint({ handlers });

/** Sends the events of a turn, in the order of the real server. */
async function play(threadId: string, turn: protocol.Turn, text: string): Promise<void> {
  const channel = endpoint.thread(threadId);
  const about = { threadId, turnId: turn.id };
  const empty = { memoryCitation: null, delivery: null, questions: null };
  const message = { type: "agentMessage", id: randomUUID(), phase: "final_answer", ...empty } as const;
  channel.notify("turn/started", { threadId, turn });
  channel.notify("item/started", { ...about, item: { ...message, text: "" }, startedAtMs: Date.now() });
  for (const delta of text.split(/(?= )/)) {
    channel.notify("item/agentMessage/delta", { ...about, itemId: message.id, delta });
    await new Promise((resolve) => setImmediate(resolve)); // Here a model would think.
  }
  channel.notify("item/completed", { ...about, item: { ...message, text }, completedAtMs: Date.now() });
  channel.notify("turn/completed", { threadId, turn: { ...turn, status: "completed" } });
}

await using listener = await listen(endpoint, "ws://127.0.0.1:0");
await using codex = await CodexClient.connect({ transport: websocket(listener.url) });

const thread = await codex.startThread();
const turn = thread.turn("Play it again, Sam.");
for await (const event of turn)
  if (event.method === "item/agentMessage/delta") console.log("delta:", event.params.delta.trim());
console.log("answer:", (await turn.completed).agentMessage);

console.log(codex.supports("turn/start"), codex.supports("thread/fork"));
const wrong = codex.request("turn/start", { threadId: "t-9", input: [{ type: "text", text: "Hello?" }] });
console.log(await wrong.catch((error: Error) => error.message));
// #endregion all
