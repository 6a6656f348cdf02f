import assert from "node:assert/strict";
import { CodexClient, type Transport, type TransportFactory } from "codexwright";
import { realAppServer, scriptedModel } from "codexwright/testing";
import { stdio } from "codexwright/stdio";
import type { Drill } from "../lib/drill.ts";
import type { DrillRun } from "../lib/drill-run.ts";

/** The default `maxInFlight`, and about what the server takes before it drops anything. */
const [DEFAULT, QUEUED] = [64, 160];

/** More requests at once than the server queues, which it refuses with -32001, or drops. */
export const overload: Drill = {
  name: "overload",
  fault: "more requests than the server queues (-32001)",
  async run(run) {
    const requests = run.count({ small: 500, short: 2_000, long: 20_000 });
    await burst(run, requests, undefined);
    await burst(run, requests, QUEUED);
    // Of these the server refuses some and drops some without a word.
    if (run.form !== "small") await burst(run, run.count({ small: 0, short: 1_000, long: 3_000 }), 3_000);
  },
};

/** So many requests at once, of which the client lets `maxInFlight` through. */
async function burst(run: DrillRun, requests: number, maxInFlight: number | undefined): Promise<void> {
  const limit = maxInFlight ?? DEFAULT;
  await using model = await scriptedModel([]);
  await using server = await realAppServer({ model });
  let refused = 0;
  await using codex = await CodexClient.connect({
    transport: tapped(stdio(server.clientOptions), (line) => {
      if (line.includes("-32001")) refused++;
    }),
    ...(maxInFlight !== undefined && { maxInFlight }),
    requestTimeoutMs: limit <= QUEUED ? 120_000 : 10_000,
  });
  run.fault();
  const outcomes = await Promise.allSettled(
    Array.from({ length: requests }, () => codex.request("config/read", { includeLayers: false })),
  );
  const failed = outcomes.flatMap((each) =>
    each.status === "rejected" ? [each.reason as { code: string }] : [],
  );
  const codes = new Set(failed.map(({ code }) => code));
  const name = maxInFlight === undefined ? "the default `maxInFlight`" : `\`maxInFlight: ${maxInFlight}\``;
  // What the server drops without a word can only time out; below what it queues nothing may.
  if (limit <= QUEUED) assert.equal(failed.length, 0, `${failed.length} of ${requests} failed`);
  else
    assert.ok(
      [...codes].every((code) => code === "request_timeout" || code === "overloaded"),
      [...codes].join(),
    );
  const losses = failed.length === 0 ? "all answered" : `${failed.length} \`${[...codes].join("`, `")}\``;
  await run.works(
    `${requests} requests with ${name}`,
    Promise.resolve(),
    () => `${losses}, ${refused} refusals`,
  );
  await run.works("the next request", codex.request("thread/loaded/list", {}));
}

/** The same channel, with somebody who sees what comes. */
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
