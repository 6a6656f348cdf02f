import assert from "node:assert/strict";
import { CodexClient, type Transport, type TransportFactory } from "codexwright";
import { realAppServer, scriptedModel } from "@codexwright/testing";
import { stdio } from "codexwright/stdio";
import type { Drill } from "../lib/drill.ts";
import type { DrillRun } from "../lib/drill-run.ts";

/** The highest allowed `maxInFlight`, which is the length of the server's queue. */
const MOST = 128;

/**
 * Makes more requests at the same time than the server queues. The server would reject or drop them, so the
 * client holds them back.
 */
export const overload: Drill = {
  name: "overload",
  fault: "more requests than the server queues (-32001)",
  async run(run) {
    const requests = run.count({ small: 500, short: 2_000, long: 20_000 });
    await burst(run, requests, undefined);
    await burst(run, requests, MOST);
  },
};

/**
 * Makes this many requests at the same time. The client sends at most `maxInFlight` of them and holds back
 * the others.
 */
async function burst(run: DrillRun, requests: number, maxInFlight: number | undefined): Promise<void> {
  await using model = await scriptedModel([]);
  await using server = await realAppServer({ model });
  const { codexHome, cwd, env } = server.clientOptions;
  let refused = 0;
  await using codex = await CodexClient.connect({
    transport: tapped(stdio({ codexHome, cwd, env }), (line) => {
      if (line.includes("-32001")) refused++;
    }),
    ...(maxInFlight !== undefined && { maxInFlight }),
    requestTimeoutMs: 120_000,
  });
  run.fault();
  const outcomes = await Promise.allSettled(
    Array.from({ length: requests }, () => codex.request("config/read", { includeLayers: false })),
  );
  const failed = outcomes.filter(({ status }) => status === "rejected");
  const name = maxInFlight === undefined ? "the default `maxInFlight`" : `\`maxInFlight: ${maxInFlight}\``;
  assert.equal(failed.length, 0, `${failed.length} of ${requests} failed`);
  await run.works(
    `${requests} requests with ${name}`,
    Promise.resolve(),
    () => `all answered, ${refused} refusals`,
  );
  await run.works("the next request", codex.request("thread/loaded/list", {}));
}

/** Wraps a channel and reports every received line. */
function tapped(factory: TransportFactory, seen: (line: string) => void): TransportFactory {
  const open = async (signal: AbortSignal): Promise<Transport> => {
    const transport = await factory(signal);
    return {
      open: (sink) =>
        transport.open({
          line: (text) => {
            seen(text);
            sink.line(text);
          },
          closed: (reason) => sink.closed(reason),
        }),
      send: (text) => transport.send(text),
      close: () => transport.close(),
    };
  };
  return Object.assign(open, factory.cwd === undefined ? {} : { cwd: factory.cwd });
}
