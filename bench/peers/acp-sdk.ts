import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { MOST_BYTES, type OpenPeer, type Took } from "./peer.ts";

interface App {
  onNotification(method: string, handler: (context: { readonly params: Update }) => void): App;
  onRequest(method: string, handler: () => object): App;
  connect(stream: object): { readonly agent: Context; close(): void };
}
interface Context {
  request(method: string, params: object): Promise<unknown>;
}
interface Update {
  readonly sessionId: string;
  readonly update: { readonly content: { readonly text: string } };
}
interface Package {
  client(options: object): App;
  ndJsonStream(output: object, input: object, options: { readonly maxMessageBytes: number }): object;
}

export const open: OpenPeer = async (load, server) => {
  const acp = (await load("@agentclientprotocol/sdk")) as Package;
  const child = spawn(server, [], { stdio: ["pipe", "pipe", "inherit"] });
  let take = (_update: Update): void => {};
  const app = acp
    .client({ name: "bench" })
    .onNotification("session/update", ({ params }) => take(params))
    .onRequest("session/request_permission", () => ({ outcome: { outcome: "selected", optionId: "yes" } }));
  const connection = app.connect(
    acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout), {
      maxMessageBytes: MOST_BYTES,
    }),
  );
  const agent = connection.agent;
  await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const newSession = async (): Promise<string> => {
    const made = await agent.request("session/new", { cwd: "/tmp", mcpServers: [] });
    return (made as { sessionId: string }).sessionId;
  };
  const prompt = (sessionId: string): Promise<unknown> =>
    agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "go" }] });
  return {
    async stream(toCome, checks) {
      take = ({ sessionId, update }) => checks.take(sessionId, update.content.text);
      const sessions: string[] = [];
      for (let n = 0; n < toCome.threads; n++) sessions.push(await newSession());
      return async () => void (await Promise.all(sessions.map(prompt)));
    },
    request: () => agent.request("session/set_mode", { sessionId: "none", modeId: "none" }),
    async answer() {
      const session = await newSession();
      return async () => ((await prompt(session)) as { _meta: Took })["_meta"];
    },
    async [Symbol.asyncDispose]() {
      connection.close();
      child.stdin.end();
    },
  };
};
