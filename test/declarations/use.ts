// A program that exports the results of public calls without annotations. It is compiled with `declaration: true`, so the
// compiler must be able to name each type. It is not run.
import {
  CodexClient,
  initialThreadState,
  jsonSchema,
  reduceThread,
  serverRequestHandler,
  stdio,
  tool,
} from "codexwright";
import {
  CodexAgent,
  createSession,
  deadlineNudge,
  definePrompt,
  filesExist,
  memoryFs,
  provide,
  section,
  slice,
  tool as agentTool,
  transcriptOf,
  type AgentEvent,
} from "codexwright/agent";
import { compareTranscripts, normalize, parseRecording, record, replay } from "codexwright/recording";
import { Connection, memoryPair, tap, type ConnectionHandlers } from "codexwright/rpc";
import { Endpoint, listen } from "codexwright/server";
import { findCodex } from "codexwright/stdio";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import { overlayFs, Workspace } from "codexwright/workspace";

export const transport = stdio();
export const found = findCodex();
export const socket = websocket("wss://example.com");
export const file = unixSocket("/run/codex.sock");
export const text = jsonSchema<{ text: string }>({ type: "object" });
export const shout = tool({
  name: "shout",
  description: "Shouts",
  input: text,
  run: (input) => input.text.toUpperCase(),
});
export const whisper = agentTool({
  name: "whisper",
  description: "Whispers",
  input: text,
  run: (input) => input.text.toLowerCase(),
});
export const answer = serverRequestHandler({ onApproval: () => "decline" });
export const folded = reduceThread(initialThreadState("t"), {
  method: "thread/closed",
  params: { threadId: "t" },
});

export async function conversation() {
  const codex = await CodexClient.connect({ transport });
  const thread = await codex.startThread({ tools: [shout] });
  const turn = thread.turn("go");
  const unsubscribe = codex.onServerRequest("currentTime/read", () => ({ currentTimeAt: 0 }));
  return {
    codex,
    server: codex.server,
    thread,
    state: thread.state,
    retrying: thread.retrying,
    turn,
    result: await turn.completed,
    output: await thread.run("go", { output: text }),
    sent: await thread.send("more", { mode: "queue" }),
    threads: await codex.request("thread/list", {}),
    command: codex.exec(["ls"]),
    finished: await codex.exec(["ls"]).result,
    unsubscribe,
  };
}

export const Notes = slice("notes", { schema: text, initial: { text: "" }, on: () => [] });
export const task = section({ key: "task", title: "Task", body: "Do it." });
export const plain = definePrompt({ id: "plain", sections: [task], afterTool: [deadlineNudge()] });
export const typed = definePrompt({ id: "typed", input: text, output: text, sections: [task] });
export const done = filesExist("answer.txt");
export const files = memoryFs();

export async function job(events: readonly AgentEvent[]) {
  const agent = await CodexAgent.open({ connect: async () => CodexClient.connect({ transport }) });
  const session = createSession({ slices: [Notes] });
  const run = agent.run(typed, { input: { text: "" }, session });
  return {
    agent,
    session,
    notes: session.get(Notes),
    run,
    result: await run.result,
    transcript: transcriptOf(events),
    rendered: plain.render({}),
    provided: provide,
  };
}

export async function folder() {
  const workspace = await Workspace.create({ mounts: [], allowedRoots: [] });
  const checkpoint = await workspace.checkpoint();
  return { workspace, mounts: workspace.mounts, checkpoint, overlay: overlayFs(workspace.dir) };
}

export async function ends(handlers: ConnectionHandlers) {
  const [near, far] = memoryPair();
  const endpoint = new Endpoint({ handlers: {} });
  const recording = parseRecording("");
  return {
    connection: new Connection({ transport: near, handlers, maxInFlight: 1 }),
    tapped: tap(transport, () => {}),
    client: endpoint.accept(far),
    channel: endpoint.thread("t"),
    listener: await listen(endpoint, "ws://127.0.0.1:0"),
    recorded: record(transport, "run.jsonl"),
    replayed: replay(recording),
    differences: compareTranscripts(normalize(recording), normalize(recording)),
  };
}
