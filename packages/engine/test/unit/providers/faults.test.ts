import type { IncomingMessage, ServerResponse } from "node:http";
import type { TurnFailedError } from "codexwright";
import { expect } from "vitest";
import { EngineServer, type EngineConfig } from "@codexwright/engine";
import { responses } from "@codexwright/engine/node";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { connect, echoShell, optionsOf } from "../ports.ts";
import { HastyClock, ManualClock } from "./manual-clock.ts";
import { begin, COMPLETED, event, modelServer, said, stream, type Arrived } from "./model-server.ts";

const CONFIG: EngineConfig = {
  model: "some-model",
  requestRetries: 1,
  streamRetries: 2,
  connectionRetries: 0,
};
const KEY = "sk-key-of-a-fault-test";

interface Outcome {
  /** The messages of the errors that will be retried. */
  readonly retried: readonly string[];
  readonly waits: readonly number[];
  /** The error of the turn, or the text of its last message. */
  readonly end: string;
  readonly requests: readonly Arrived[];
}

type Answer = (response: ServerResponse, position: number, request: IncomingMessage) => void;

/** Runs a turn on a server that answers like this. Then runs another, which must succeed. */
async function turnOn(answer: Answer, config: Partial<EngineConfig> = {}): Promise<Outcome> {
  let isFaulty = true;
  await using server = await modelServer((response, position, request) =>
    isFaulty ? answer(response, position, request) : stream(response, said("m9", "fine again"), COMPLETED),
  );
  const provider = responses({ baseUrl: server.baseUrl, apiKey: KEY });
  const clock = new HastyClock();
  await using engine = new EngineServer(optionsOf(provider, { config: { ...CONFIG, ...config }, clock }));
  await using codex = await connect(engine);
  const retried: string[] = [];
  const all: string[] = [];
  const thread = await codex.startThread();
  thread.subscribe((_state, each) => {
    all.push(JSON.stringify(each.params));
    if (each.method === "error" && each.params.willRetry) retried.push(each.params.error.message);
  });
  const end = await thread.run("go").then(
    ({ agentMessage }) => agentMessage ?? "",
    (error: unknown) => (error as Error).message,
  );
  const requests = [...server.requests];
  isFaulty = false;
  expect((await thread.run("again")).agentMessage).toBe("fine again");
  expect(all.join("\n")).not.toContain(KEY);
  expect(engine.failures).toEqual([]);
  const waits = clock.waits.filter((ms) => ms < 250_000).map((ms) => Math.round(ms / 100) * 100);
  return { retried, waits, end, requests };
}

verifies("engine.provider.faults", "repeats requests silently before the model answers", async () => {
  const outcome = await turnOn((response, position) =>
    position < 1
      ? response.writeHead(502).end("<h1>Bad</h1>")
      : stream(response, said("m1", "ok"), COMPLETED),
  );
  expect(outcome).toMatchObject({ retried: [], waits: [200], end: "ok" });
});

verifies("engine.provider.faults", "repeats a response that broke off, and notifies clients", async () => {
  const faults: Readonly<Record<string, Answer>> = {
    html: (response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Log in</h1>"),
    empty: (response) => stream(response),
    half: (response) => stream(response, said("m1", "half").slice(0, -20)),
    wrong: (response) => stream(response, "data: {wrong\n\n"),
    reset: (response, _position, { socket }) => {
      begin(response);
      response.write(event("response.created"), () => socket.destroy());
    },
    failed: (response) =>
      stream(response, event("response.failed", { response: { error: { code: "x", message: "it broke" } } })),
    error: (response) => stream(response, event("error", { code: "server_error", message: "it broke" })),
  };
  for (const [name, answer] of Object.entries(faults)) {
    const outcome = await turnOn(answer);
    expect([name, outcome.retried]).toEqual([name, ["Reconnecting... 1/2", "Reconnecting... 2/2"]]);
    expect([name, outcome.requests.length, outcome.waits]).toEqual([name, 3, [200, 400]]);
    expect(outcome.end).toContain("stream disconnected before completion");
  }
});

verifies("engine.provider.faults", "refuses a delta of 100 MiB before it has arrived", async () => {
  const mebibyte = "x".repeat(1024 * 1024);
  let sent = 0;
  const outcome = await turnOn(
    (response) => {
      begin(response);
      response.write(
        event("response.output_item.added", { item: { type: "message", id: "m1", content: [] } }),
      );
      response.write('data: {"type":"response.output_text.delta","item_id":"m1","delta":"');
      const more = (): void => {
        while (sent < 100 && !response.destroyed) {
          sent++;
          if (!response.write(mebibyte)) return void response.once("drain", more);
        }
        response.end('"}\n\n');
      };
      more();
    },
    { streamRetries: 0 },
  );
  expect(outcome.end).toBe("a line of the stream is longer than 33554432 characters");
  expect(outcome.requests.length).toBe(1);
  // The pieces that the sockets hold count, too.
  expect(sent).toBeLessThan(64);
});

verifies("engine.provider.faults", "does not repeat requests that would fail again", async () => {
  for (const [status, code, told] of [
    [400, "bad_request", "bad_request"],
    [401, "invalid_api_key", "unexpected status 401 Unauthorized"],
    [403, "forbidden", "unexpected status 403 Forbidden"],
    [404, "model_not_found", "no"],
    [404, "other", "unexpected status 404 Not Found"],
    [429, "usage_limit_reached", "usage limit"],
    [307, "x", "redirects are not followed"],
  ] as const) {
    const outcome = await turnOn((response) =>
      response
        .writeHead(status, { location: "/elsewhere" })
        .end(JSON.stringify({ error: { code, message: `no: ${KEY}`, type: code } })),
    );
    expect([status, outcome.requests.length, outcome.waits]).toEqual([status, 1, []]);
    expect(outcome.end).toContain(told);
  }
});

verifies("engine.provider.faults", "waits as long as the server asks", async () => {
  const later = new Date(Date.now() + 3_600_000).toUTCString();
  for (const [value, waited] of [
    ["3", 3_000],
    ["86400", 60_000],
    [later, 60_000],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["soon", 200],
  ] as const) {
    const outcome = await turnOn((response, position) =>
      position === 0
        ? response.writeHead(429, { "retry-after": value }).end("{}")
        : stream(response, said("m1", "ok"), COMPLETED),
    );
    expect([value, outcome.waits, outcome.end]).toEqual([value, waited === 0 ? [] : [waited], "ok"]);
  }
});

verifies("engine.provider.faults", "waits for a server that cannot be reached", async () => {
  const gone = await modelServer(() => {});
  await gone[Symbol.asyncDispose]();
  const clock = new HastyClock();
  const config = { ...CONFIG, connectionRetries: 3 };
  await using engine = new EngineServer(optionsOf(responses({ baseUrl: gone.baseUrl }), { config, clock }));
  await using codex = await connect(engine);
  const retried: string[] = [];
  const thread = await codex.startThread();
  thread.subscribe((_state, each) => {
    if (each.method === "error" && each.params.willRetry) retried.push(each.params.error.message);
  });
  const failed = (await rejection(thread.run("go"))) as TurnFailedError;
  expect(failed.message).toContain("Connection failed: error sending request");
  expect(retried).toEqual(Array(3).fill("Reconnecting... waiting for network"));
  expect(clock.waits.filter((ms) => ms < 250_000 && ms >= 1_000)).toEqual([5_000, 10_000, 20_000]);
});

verifies("engine.provider.silence", "breaks off a response without meaningful events", async () => {
  const trickles: Readonly<Record<string, string>> = {
    nothing: "",
    comments: ": still here\n\n",
    unknown: event("response.in_progress"),
    "wrong JSON": "data: {\n\n",
    "empty deltas": event("response.output_text.delta", { item_id: "m1", delta: "" }),
  };
  for (const [name, piece] of Object.entries(trickles)) {
    const clock = new ManualClock();
    const writes = deferred<ServerResponse>();
    await using server = await modelServer((response) => {
      begin(response);
      response.write(event("response.created"));
      writes.resolve(response);
    });
    const config = { ...CONFIG, streamRetries: 0 };
    await using engine = new EngineServer(
      optionsOf(responses({ baseUrl: server.baseUrl }), { config, clock }),
    );
    await using codex = await connect(engine);
    const thread = await codex.startThread();
    const failure = rejection(thread.run("go"));
    const response = await writes.promise;
    for (let minute = 0; minute < 5; minute++) {
      if (piece !== "") await new Promise<void>((sent) => response.write(piece.repeat(100), () => sent()));
      clock.advance(60_000);
    }
    // The first event may arrive after the first step of the clock.
    clock.advance(300_000);
    const failed = (await failure) as TurnFailedError;
    expect([name, failed.message]).toEqual([
      name,
      "stream disconnected before completion: idle timeout waiting for SSE",
    ]);
    expect(clock.pending).toBe(0);
  }
});

verifies("engine.provider.silence", "breaks off a response that never ends", async () => {
  const clock = new ManualClock();
  let isOver = false;
  await using server = await modelServer((response) => {
    begin(response);
    response.on("close", () => (isOver = true));
    const more = (): void => {
      if (isOver) return;
      response.write(event("response.output_text.delta", { item_id: "m1", delta: "x" }));
      setImmediate(more);
    };
    more();
  });
  await using engine = new EngineServer(
    optionsOf(responses({ baseUrl: server.baseUrl }), { config: CONFIG, clock }),
  );
  await using codex = await connect(engine);
  const thread = await codex.startThread();
  const failure = rejection(thread.run("go"));
  thread.subscribe((_state, { method }) => {
    if (method === "item/agentMessage/delta") clock.advance(30_000);
  });
  expect(((await failure) as TurnFailedError).message).toContain("took longer than 60 minutes");
  expect(server.requests).toHaveLength(1);
});

verifies("engine.provider.retries", "an interrupt ends a wait at once", async () => {
  const clock = new ManualClock();
  await using server = await modelServer((response) =>
    response.writeHead(429, { "retry-after": "50" }).end("{}"),
  );
  await using engine = new EngineServer(
    optionsOf(responses({ baseUrl: server.baseUrl }), { config: CONFIG, clock }),
  );
  await using codex = await connect(engine);
  const thread = await codex.startThread();
  const turn = thread.turn("go");
  await clock.waitFor(50_000);
  await turn.interrupt();
  expect(((await rejection(turn.completed)) as { code: string }).code).toBe("turn_interrupted");
  expect(clock.pending).toBe(0);
  expect(server.requests).toHaveLength(1);
});

verifies("engine.provider.retries", "does not repeat calls of a response that broke off", async () => {
  const call = {
    type: "function_call",
    id: "fc1",
    call_id: "c1",
    name: "exec_command",
    arguments: '{"cmd":"make"}',
  };
  const shell = echoShell();
  await using server = await modelServer((response, position) =>
    position === 0
      ? stream(response, event("response.output_item.done", { item: call }))
      : stream(response, said("m1", "done"), COMPLETED),
  );
  const provider = responses({ baseUrl: server.baseUrl });
  const options = {
    config: { ...CONFIG, sandboxMode: "danger-full-access" as const },
    clock: new HastyClock(),
    shell,
  };
  await using engine = new EngineServer(optionsOf(provider, options));
  await using codex = await connect(engine);
  const thread = await codex.startThread();
  expect((await thread.run("go")).agentMessage).toBe("done");
  expect(shell.commands).toHaveLength(1);
  const { input } = JSON.parse(server.requests[1]?.body ?? "") as {
    input: { type: string; call_id?: string }[];
  };
  expect(input.filter(({ call_id: id }) => id === "c1").map(({ type }) => type)).toEqual([
    "function_call",
    "function_call_output",
  ]);
});
