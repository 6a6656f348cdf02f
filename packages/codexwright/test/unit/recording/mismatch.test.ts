import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { CodexError } from "codexwright";
import {
  normalize,
  parseRecording,
  readRecording,
  replay,
  RecordingFormatError,
  ReplayMismatchError,
  type Recording,
  type RecordingLine,
} from "codexwright/recording";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { recordingOf } from "./recordings.ts";
import { runTurn, TURN_FILE } from "./turn.ts";

verifies(
  "recording.mismatch",
  "rejects immediately with the recorded message when a client sends something else",
  async () => {
    const cases = [
      [{ input: "stop" }, /turn\/start differs: params\.input\.0\.text is "stop", recorded "go"/],
      [
        { decision: "decline" },
        /the answer to item\/commandExecution\/requestApproval differs: result\.decision is "decline", recorded "accept"/,
      ],
      [{ found: "lost" }, /the answer to item\/tool\/call differs/],
    ] as const;
    for (const [options, message] of cases) {
      const server = replay(TURN_FILE);
      const failed = await rejection(runTurn(server, options));
      expect(failed).toBeInstanceOf(CodexError);
      const error = await rejection(server.done);
      expect(error).toBeInstanceOf(ReplayMismatchError);
      expect(error).toMatchObject({ code: "replay_mismatch", reason: "unexpected", connection: 1 });
      expect(String(error)).toMatch(message);
      const { expected, actual } = error as ReplayMismatchError;
      expect(expected).not.toEqual(actual);
      expect(await rejection(server[Symbol.asyncDispose]())).toBe(error);
      // A client that reconnects finds no server.
      expect(await rejection(Promise.resolve(server(new AbortController().signal)))).toBe(error);
    }
  },
);

verifies("recording.mismatch", "rejects when a client leaves early, sends more or reconnects", async () => {
  const half = replay(
    recordingOf({ out: { id: 0, method: "a", params: {} } }, { in: { id: 0, result: {} } }),
  );
  expect(await rejection(half[Symbol.asyncDispose]())).toMatchObject({
    reason: "missing",
    message: "line 2 of the recording: the client did not send a",
  });

  const early = replay(recordingOf({ in: { method: "hello" } }, { out: { method: "bye" } }));
  const channel = await early(new AbortController().signal);
  channel.open({ line: () => {}, closed: () => {} });
  await channel.close();
  expect(await rejection(early.done)).toMatchObject({
    reason: "missing",
    line: 3,
    expected: { method: "bye" },
  });

  const more = replay(recordingOf({ in: { method: "hello" } }));
  const said: string[] = [];
  const second = await more(new AbortController().signal);
  second.open({ line: (text) => said.push(text), closed: ({ message }) => said.push(message) });
  await more.done;
  await second.send('{"id":7,"method":"more","params":{}}');
  const error = (await rejection(more[Symbol.asyncDispose]())) as ReplayMismatchError;
  expect(error).toMatchObject({ reason: "unexpected", actual: { method: "more" } });
  expect(said.map((line) => (line.startsWith("{") ? (JSON.parse(line) as unknown) : line))).toEqual([
    { method: "hello" },
    { id: 7, error: { code: -32_000, message: error.message } },
    error.message,
  ]);

  const once = replay(recordingOf({ in: { method: "hello" } }));
  await once(new AbortController().signal);
  expect(await rejection(Promise.resolve(once(new AbortController().signal)))).toMatchObject({
    code: "replay_mismatch",
    connection: 2,
  });
  await rejection(once[Symbol.asyncDispose]());
});

verifies("recording.mismatch", "rejects when a client waits for an unrecorded answer", async () => {
  const unanswered = replay(recordingOf({ out: { id: 0, method: "a", params: {} } }), { stallMs: 10 });
  const lines: string[] = [];
  const channel = await unanswered(new AbortController().signal);
  channel.open({ line: (text) => lines.push(text), closed: () => {} });
  await channel.send('{"id":5,"method":"a","params":{}}');
  await unanswered.done;
  await new Promise<void>((resolve) => {
    const look = (): void => void (lines.length > 0 ? resolve() : setTimeout(look, 1));
    look();
  });
  expect(lines[0]).toContain("it has no answer to a");
  expect(await rejection(unanswered[Symbol.asyncDispose]())).toMatchObject({ reason: "unanswered" });

  const stalled = replay(
    recordingOf(
      { out: { id: 0, method: "a", params: {} } },
      { out: { id: 1, method: "b", params: {} } },
      { in: { id: 0, result: {} } },
    ),
    { stallMs: 10 },
  );
  const other = await stalled(new AbortController().signal);
  other.open({ line: () => {}, closed: () => {} });
  await other.send('{"id":5,"method":"a","params":{}}');
  expect(await rejection(stalled.done)).toMatchObject({
    reason: "missing",
    line: 3,
    expected: { method: "b" },
  });
});

/** Returns the same numbers for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mutate(recording: Recording, next: (below: number) => number): Recording {
  const lines: RecordingLine[] = [...recording];
  const at = 1 + next(lines.length - 1);
  const other = 1 + next(lines.length - 1);
  const [line, swapped] = [lines[at], lines[other]];
  if (!line || !swapped) return lines;
  const text = JSON.stringify(line);
  const cut = next(text.length);
  switch (next(7)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines.splice(other, 0, line);
      break;
    case 2:
      [lines[at], lines[other]] = [swapped, line];
      break;
    case 3:
      lines.length = at;
      break;
    case 4:
      lines[at] = JSON.parse(text.replace(/"(?:in|out)"/, next(2) === 0 ? '"in"' : '"out"')) as RecordingLine;
      break;
    case 5:
      lines[at] = JSON.parse(
        text.replaceAll(/(?<=[:[,])(?:\d+|true|null|"[a-z]{2,8}")(?=[,}\]])/g, (each) =>
          next(6) === 0 ? (["0", '"x"', "null", "{}"][next(4)] ?? each) : each,
        ),
      ) as RecordingLine;
      break;
    default:
      lines[at] = { connection: 1, ms: 0, direction: next(2) === 0 ? "in" : "out", text: text.slice(cut) };
  }
  return lines;
}

verifies(
  "recording.mismatch",
  "four hundred damaged recordings end in a result or a typed error within the time limit",
  async () => {
    const recording = await readRecording(TURN_FILE);
    const next = random(20_261_115);
    const outcomes = new Map<string, number>();
    const count = (name: string): void => void outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
    for (let n = 0; n < 400; n++) {
      let damaged = recording;
      for (let times = 1 + next(3); times > 0; times--) damaged = mutate(damaged, next);
      const server = replay(damaged, { stallMs: 15 });
      try {
        await runTurn(server);
        count("result");
      } catch (error) {
        expect(error).toBeInstanceOf(CodexError);
        count((error as CodexError).code);
      }
      const left = await server[Symbol.asyncDispose]().catch((error: unknown) => error);
      if (left !== undefined) {
        expect(left).toBeInstanceOf(CodexError);
        expect(["replay_mismatch", "recording_invalid"]).toContain((left as CodexError).code);
      }
    }
    expect(outcomes.get("result")).toBeGreaterThan(20);
    expect(outcomes.get("connection_closed")).toBeGreaterThan(20);
  },
  { timeoutMs: 120_000 },
);

verifies("recording.mismatch", "reads a file with damaged bytes or rejects it with a typed error", () => {
  const bytes = readFileSync(TURN_FILE);
  const next = random(7);
  for (let n = 0; n < 300; n++) {
    const damaged = Buffer.from(bytes);
    for (let times = 1 + next(4); times > 0; times--) damaged[next(damaged.length)] = next(256);
    try {
      expect(normalize(parseRecording(damaged.toString())).length).toBeGreaterThan(0);
    } catch (error) {
      expect(error).toBeInstanceOf(RecordingFormatError);
    }
  }
});
