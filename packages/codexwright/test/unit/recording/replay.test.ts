import { expect } from "vitest";
import { Connection, type CloseReason } from "codexwright/rpc";
import { readRecording, replay, type Replay } from "codexwright/recording";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { recordingOf } from "./recordings.ts";
import { runTurn, TURN_FILE } from "./turn.ts";
import type { BadLine } from "../../../src/rpc/connection.ts";

interface Client {
  readonly connection: Connection;
  readonly heard: unknown[];
  readonly bad: BadLine[];
  readonly closed: Promise<CloseReason>;
}

/** A raw client that sends exactly the messages of the test. */
async function clientOf(
  transport: Replay,
  answer: (method: string) => unknown = () => ({}),
): Promise<Client> {
  const heard: unknown[] = [];
  const bad: BadLine[] = [];
  let closed!: (reason: CloseReason) => void;
  const end = new Promise<CloseReason>((resolve) => (closed = resolve));
  const connection = new Connection({
    transport: await transport(new AbortController().signal),
    maxInFlight: 64,
    handlers: {
      notification: (method, params) => heard.push({ method, params }),
      request: (method) => answer(method),
      badLine: (line) => bad.push(line),
      closed,
    },
  });
  return { connection, heard, bad, closed: end };
}

verifies("recording.replay", "replaying a turn produces the same result and state every time", async () => {
  const outcomes: unknown[] = [];
  for (const source of [TURN_FILE, TURN_FILE, await readRecording(TURN_FILE)]) {
    await using server = replay(source);
    outcomes.push(await runTurn(server));
    await server.done;
  }
  const [first, ...others] = outcomes;
  expect(first).toMatchObject({ result: { agentMessage: "All done here.", usage: { totalTokens: 330 } } });
  for (const other of others) expect(JSON.stringify(other)).toBe(JSON.stringify(first));
});

verifies(
  "recording.replay",
  "maps the client's ids and accepts concurrent requests in any order",
  async () => {
    await using server = replay(
      recordingOf(
        { out: { id: 70, method: "a", params: { n: 1 } } },
        { out: { id: 71, method: "b", params: {} } },
        { out: { id: "72", method: "a", params: { n: 2 } } },
        { in: { id: 71, result: "to b" } },
        { in: { method: "news", params: { about: "a" } } },
        { in: "not JSON" },
        { in: { id: "72", error: { code: 5, message: "no" } } },
        { in: { id: 70, result: "to a" } },
      ),
    );
    const { connection, heard, bad } = await clientOf(server);
    const second = rejection(connection.request("a", { n: 2 }));
    const [first, other] = [connection.request("a", { n: 1 }), connection.request("b", {})];
    expect(await Promise.all([first, other])).toEqual(["to a", "to b"]);
    expect(await second).toMatchObject({ rpcCode: 5 });
    expect(heard).toEqual([{ method: "news", params: { about: "a" } }]);
    expect(bad).toHaveLength(1);
    await server.done;
    await connection.close();
  },
);

verifies("recording.replay", "a connection replays and ends like the next recorded connection", async () => {
  await using server = replay(
    recordingOf(
      { out: { id: 0, method: "a", params: {} } },
      { closed: "server", exitCode: 3 },
      { out: { id: 0, method: "b", params: {} }, connection: 2 },
      { in: { id: 0, result: 2 }, connection: 2 },
      { closed: "client", connection: 2 },
    ),
  );
  const one = await clientOf(server);
  expect(await rejection(one.connection.request("a", {}))).toMatchObject({
    code: "connection_closed",
    exitCode: 3,
  });
  const two = await clientOf(server);
  expect(await two.connection.request("b", {})).toBe(2);
  await two.connection.close();
  await server.done;
});

verifies(
  "recording.replay",
  "a placeholder matches any secret, but always the same one, and is replaced by that secret",
  async () => {
    const recording = recordingOf(
      { out: { id: 0, method: "login", params: { apiKey: "[redacted:1]", note: "a [redacted:2] b" } } },
      { in: { id: 0, result: { echo: "[redacted:1]!", other: "[redacted:9]" } } },
      {
        out: {
          id: 1,
          method: "again",
          params: { dataBase64: Buffer.from("<[redacted:1]>").toString("base64") },
        },
      },
      { in: { id: 1, result: {} } },
    );
    const dataBase64 = (text: string): string => Buffer.from(text).toString("base64");
    await using server = replay(recording);
    const { connection } = await clientOf(server);
    const login = { apiKey: "real-key-1", note: "a second-1 b" };
    expect(await connection.request("login", login)).toEqual({ echo: "real-key-1!", other: "[redacted:9]" });
    await connection.request("again", { dataBase64: dataBase64("<real-key-1>") });
    await connection.close();

    const other = replay(recording);
    const liar = await clientOf(other);
    await liar.connection.request("login", login);
    await rejection(liar.connection.request("again", { dataBase64: dataBase64("<real-key-2>") }));
    const error = await rejection(other.done);
    expect(error).toMatchObject({ code: "replay_mismatch", reason: "unexpected", line: 4 });
    expect(JSON.stringify(error) + String(error)).not.toContain("real-key-1");
  },
);

verifies("recording.replay", "translates ids that the client chose back to the client's values", async () => {
  await using server = replay(
    recordingOf(
      { out: { id: 0, method: "command/exec", params: { processId: "recorded-1" } } },
      {
        in: { method: "command/exec/outputDelta", params: { processId: "recorded-1", deltaBase64: "YQ==" } },
      },
      { in: { id: 0, result: { exitCode: 0 } } },
    ),
  );
  const { connection, heard } = await clientOf(server);
  await connection.request("command/exec", { processId: "mine" });
  expect(heard).toMatchObject([{ params: { processId: "mine" } }]);
  await connection.close();
});
