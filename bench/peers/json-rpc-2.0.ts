import { spawn } from "node:child_process";
import { DELTA_METHOD, idsOf } from "../lib/deltas.ts";
import { threadsOf } from "../lib/load.ts";
import { splitter } from "../lib/raw-channel.ts";
import type { OpenPeer, Took } from "./peer.ts";

interface ServerAndClient {
  addMethod(method: string, handler: (params: never) => unknown): void;
  request(method: string, params: object): Promise<unknown>;
  receiveAndSend(payload: unknown): Promise<void>;
}
interface Package {
  readonly JSONRPCServer: new () => object;
  readonly JSONRPCClient: new (send: (payload: unknown) => void) => object;
  readonly JSONRPCServerAndClient: new (server: object, client: object) => ServerAndClient;
}

/** The package has no transport, so lines are split as in the raw client. */
export const open: OpenPeer = async (load, server) => {
  const rpc = (await load("json-rpc-2.0")) as Package;
  const child = spawn(server, [], { stdio: ["pipe", "pipe", "inherit"] });
  const send = (payload: unknown): void => void child.stdin.write(`${JSON.stringify(payload)}\n`);
  const peer = new rpc.JSONRPCServerAndClient(new rpc.JSONRPCServer(), new rpc.JSONRPCClient(send));
  child.stdout.setEncoding("utf8").on(
    "data",
    splitter((line) => void peer.receiveAndSend(JSON.parse(line))),
  );
  await peer.request("initialize", {});
  const run = async (threads: readonly { readonly threadId: string }[]): Promise<void> => {
    let left = threads.length;
    await new Promise<void>((resolve) => {
      peer.addMethod("turn/completed", () => --left === 0 && resolve());
      for (const { threadId } of threads) void peer.request("turn/start", { threadId });
    });
  };
  return {
    async stream(toCome, checks) {
      for (const method of ["turn/started", "item/started", "item/completed"])
        peer.addMethod(method, () => {});
      peer.addMethod(DELTA_METHOD, (params: { threadId: string; delta: string }) =>
        checks.take(params.threadId, params.delta),
      );
      return () => run(threadsOf(toCome));
    },
    request: () => peer.request("thread/loaded/list", {}),
    async answer() {
      for (const method of ["turn/started", "item/started", "item/completed"])
        peer.addMethod(method, () => {});
      peer.addMethod("item/commandExecution/requestApproval", () => ({ decision: "accept" }));
      peer.addMethod("item/tool/call", () => ({ contentItems: [], success: true }));
      return async () => {
        await run([idsOf(0)]);
        return ((await peer.request("thread/loaded/list", {})) as { _meta: Took })["_meta"];
      };
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
    },
  };
};
