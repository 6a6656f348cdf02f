import { CodexClient } from "codexwright/client";
import { memoryPair, type Transport } from "codexwright/rpc";
import type { Figures } from "../lib/sample.ts";
import { cpuTimer } from "../lib/usage.ts";

/** Requests as fast as they are answered, `inFlight` of them waiting at any time. */
export async function run(count: string, inFlight: string): Promise<Figures> {
  const codex = await new CodexClient({ transport: echo, maxInFlight: Number(inFlight) }).connect();
  let left = Number(count);
  const worker = async (): Promise<void> => {
    while (left-- > 0) await codex.request("model/list", {});
  };
  const start = performance.now();
  const cpu = cpuTimer();
  await Promise.all(Array.from({ length: Number(inFlight) }, worker));
  const cpuMs = cpu();
  const perSecond = (Number(count) / (performance.now() - start)) * 1_000;
  await codex.disconnect();
  return { perSecond, cpuUsPerRequest: (cpuMs / Number(count)) * 1_000 };
}

/** A server that answers everything at once. */
function echo(): Transport {
  const [client, server] = memoryPair();
  server.open({
    line(text) {
      const { id } = JSON.parse(text) as { id?: number };
      if (id !== undefined) void server.send(`{"id":${id},"result":{"data":[],"nextCursor":null}}`);
    },
    closed: () => {},
  });
  return client;
}
