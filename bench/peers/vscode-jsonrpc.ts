import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { DELTA_METHOD, idsOf } from "../lib/deltas.ts";
import { threadsOf } from "../lib/load.ts";
import type { OpenPeer, Took } from "./peer.ts";

interface Connection {
  onNotification(method: string, handler: (params: never) => void): void;
  onRequest(method: string, handler: (params: never) => unknown): void;
  sendRequest(method: string, params: object): Promise<unknown>;
  listen(): void;
  dispose(): void;
}
interface Package {
  createMessageConnection(reader: object, writer: object): Connection;
  readonly StreamMessageReader: new (stream: Readable) => object;
  readonly StreamMessageWriter: new (stream: Writable) => object;
}

export const open: OpenPeer = async (load, server) => {
  const rpc = (await load("vscode-jsonrpc/node")) as Package;
  const child = spawn(server, [], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(child.stdout),
    new rpc.StreamMessageWriter(child.stdin),
  );
  connection.listen();
  await connection.sendRequest("initialize", {});
  const run = async (threads: readonly { readonly threadId: string }[]): Promise<void> => {
    let left = threads.length;
    await new Promise<void>((resolve) => {
      connection.onNotification("turn/completed", () => --left === 0 && resolve());
      for (const { threadId } of threads) void connection.sendRequest("turn/start", { threadId });
    });
  };
  return {
    async stream(toCome, checks) {
      connection.onNotification(DELTA_METHOD, (params: { threadId: string; delta: string }) =>
        checks.take(params.threadId, params.delta),
      );
      return () => run(threadsOf(toCome));
    },
    request: () => connection.sendRequest("thread/loaded/list", {}),
    async answer() {
      connection.onRequest("item/commandExecution/requestApproval", () => ({ decision: "accept" }));
      connection.onRequest("item/tool/call", () => ({ contentItems: [], success: true }));
      return async () => {
        await run([idsOf(0)]);
        return ((await connection.sendRequest("thread/loaded/list", {})) as { _meta: Took })["_meta"];
      };
    },
    async [Symbol.asyncDispose]() {
      connection.dispose();
      child.stdin.end();
    },
  };
};
