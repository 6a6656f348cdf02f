import { expect } from "vitest";
import { compareTranscripts, normalize, parseRecording, replay, type Recording } from "codexwright/recording";
import { frozen, frozenCopy, lenientJson } from "../../../src/agent/json.ts";
import { Redactor } from "../../../src/redact/redactor.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { recordingOf, type Said } from "../recording/recordings.ts";

const DEPTHS = [10, 200, 500, 1_000, 5_000, 20_000, 100_000];

/** A value with this depth: lists, objects, or both alternating. */
function nested(depth: number, shape: "lists" | "objects" | "mixed"): unknown {
  let value: unknown = "sk-proj-Abc123Def456Ghi789";
  for (let each = 0; each < depth; each++)
    value = shape === "lists" || (shape === "mixed" && each % 2 === 0) ? [value] : { a: value };
  return value;
}

const PLACES: Readonly<Record<string, (value: unknown) => Said[]>> = {
  params: (value) => [{ in: { method: "x", params: { value } } }],
  result: (value) => [{ out: { id: 1, method: "x" } }, { in: { id: 1, result: value as object } }],
  error: (value) => [
    { out: { id: 1, method: "x" } },
    { in: { id: 1, error: { code: 1, message: "", data: value } } },
  ],
  id: (value) => [{ in: { id: value, method: "x" } }, { in: { id: value, result: {} } }],
  "the client's params": (value) => [{ out: { id: 1, method: "x", params: { value } } }],
  "a delta": (value) => [{ in: { method: "item/x/delta", params: { delta: "x", value } } }],
  "a thread": (value) => [{ in: { method: "x", params: { thread: { id: "t", value }, requestId: value } } }],
};

/** Returns the outcome: a result, or the code of an error. */
function outcome(act: () => unknown): string {
  try {
    act();
    return "done";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

for (const [place, said] of Object.entries(PLACES)) {
  verifies(
    "security.s53",
    `normalizes and compares a recording with ${place} of any depth, or rejects it with a typed error`,
    () => {
      for (const depth of DEPTHS)
        for (const shape of ["lists", "objects", "mixed"] as const) {
          const recording = recordingOf(...said(nested(depth, shape)), { closed: "server" });
          const expected = depth < 510 ? "done" : "recording_invalid";
          expect(outcome(() => normalize(recording))).toBe(expected);
          if (expected === "done")
            expect(outcome(() => compareTranscripts(normalize(recording), normalize(recordingOf())))).toBe(
              "done",
            );
        }
    },
  );
}

verifies("security.s53", "reads a file of any depth, or rejects it with a typed error", () => {
  for (const depth of DEPTHS) {
    const deep = `${'{"a":['.repeat(depth / 2)}1${"]}".repeat(depth / 2)}`;
    const [header] = recordingOf();
    const text = `${JSON.stringify(header)}\n{"connection":1,"ms":0,"direction":"in","message":${deep}}\n`;
    expect(outcome(() => parseRecording(text))).toBe(depth < 510 ? "done" : "recording_invalid");
  }
});

verifies("security.s53", "compares a transcript of any depth, or rejects it with a typed error", () => {
  for (const depth of DEPTHS) {
    const transcript = [
      { connection: 1, direction: "in", kind: "notification", method: "x", params: nested(depth, "mixed") },
    ] as const;
    expect(outcome(() => compareTranscripts(transcript, []))).toBe(depth < 510 ? "done" : "invalid_argument");
  }
});

/** Replays a recording to a client that sends this line. */
async function play(recording: Recording, line: string): Promise<unknown> {
  const server = replay(recording, { stallMs: 0 });
  const transport = await server(new AbortController().signal);
  const closed = new Promise<unknown>((resolve) => {
    transport.open({ line: resolve, closed: ({ cause, message }) => resolve(cause ?? message) });
  });
  // The server may already have closed the connection.
  await transport.send(line).catch(() => {});
  const heard = await closed;
  await transport.close();
  await server[Symbol.asyncDispose]().catch(() => {});
  return heard;
}

verifies(
  "security.s53",
  "a replay with any depth, in the recording or from the client, ends with a typed result",
  async () => {
    for (const depth of DEPTHS) {
      const deep = recordingOf(
        { in: { method: "x", params: { value: nested(depth, "mixed") } } },
        { closed: "server" },
      );
      if (depth > 510)
        expect(await rejection(Promise.resolve(replay(deep)(new AbortController().signal)))).toMatchObject({
          code: "recording_invalid",
        });
      else expect(await play(deep, "{}")).toContain('"method":"x"');
      const asks = recordingOf({ out: { id: 1, method: "x", params: { value: nested(20, "mixed") } } });
      const line = `{"id":1,"method":"x","params":${"[".repeat(depth)}${"]".repeat(depth)}}`;
      expect(String(await play(asks, line))).toMatch(/x differs|"error"|a line that is not a message/);
    }
  },
);

verifies(
  "security.s53",
  "redaction and the agent's JSON handle any depth",
  () => {
    for (const depth of DEPTHS)
      for (const shape of ["lists", "objects", "mixed"] as const) {
        const value = nested(depth, shape);
        const kept = new Redactor([], {}).json(value, "peer");
        expect(JSON.stringify(kept)).not.toContain("Abc123");
        const expected = depth <= 510 ? "done" : "invalid_argument";
        expect(outcome(() => frozenCopy("the value", value))).toBe(expected);
        expect(outcome(() => frozen("the value", nested(depth, shape)))).toBe(expected);
        expect(outcome(() => JSON.parse(lenientJson(value)) as unknown)).toBe("done");
      }
  },
  { timeoutMs: 60_000 },
);
