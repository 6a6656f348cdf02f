import { setImmediate as nextTick } from "node:timers/promises";
import { expect } from "vitest";
import { Connection, ResponseError, type TransportSink } from "codexwright/rpc";
import { verifies } from "@codexwright/test-support/verifies";
import { open } from "./peer.ts";

verifies(
  ["rpc.closed-latch", "rpc.server-requests"],
  "ignores lines and requests that arrive while the channel is being closed",
  async () => {
    const heard: string[] = [];
    const sinks: TransportSink[] = [];
    const connection = new Connection({
      maxInFlight: 1,
      transport: {
        open: (sink) => void sinks.push(sink),
        send: () => Promise.resolve(),
        close: () => Promise.resolve(),
      },
      handlers: {
        notification: (method) => heard.push(method),
        request: (method) => heard.push(method),
        badLine: ({ why }) => heard.push(why),
        closed: () => {},
      },
    });
    const closing = connection.close();
    for (const line of ['{"method":"said"}', '{"id":1,"method":"asked"}', "{"]) sinks[0]?.line(line);
    await closing;
    await nextTick();
    expect(heard).toEqual([]);
  },
);

verifies(
  "rpc.server-requests",
  "answers without the error's data if JSON cannot represent the data",
  async () => {
    const { peer } = open({
      request: () => {
        throw new ResponseError(-32000, "no", { large: 1n });
      },
    });
    await peer.send({ id: 1, method: "ask" });
    expect(await peer.got(1)).toEqual([
      { id: 1, error: { code: -32603, message: "the handler of this request failed" } },
    ]);
  },
);
