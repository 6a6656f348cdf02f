import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { readRecording, record, RecordingError, type RecordingLine } from "codexwright/recording";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { bodies, taped, TestWire } from "./wire.ts";

const SIGNAL = new AbortController().signal;
const LIBRARY = pathToFileURL(path.resolve(import.meta.dirname, "../../../dist/lib/recording.js"));

function folder(): { readonly path: string } & Disposable {
  const made = mkdtempSync(path.join(tmpdir(), "codexwright-recording-"));
  return { path: made, [Symbol.dispose]: () => rmSync(made, { recursive: true }) };
}

verifies(
  "recording.format",
  "writes a header, each line with its direction and time, and the end",
  async () => {
    let now = Date.UTC(2026, 0, 2);
    const { transport, wire, channel, lines, heard } = await taped({ clock: () => now });
    now += 5;
    await channel.send('{"id":0,"method":"thread/list","params":{}}');
    now += 7;
    wire.say({ id: 0, result: { data: [] } }, "not JSON", "[1]", '{"text":"a\u2028b"}');
    await channel.close();
    await transport.flush();
    const [header] = lines;
    expect(header).toEqual({
      format: "codexwright-recording",
      version: 1,
      codexwright: expect.stringMatching(/^\d+\.\d+\.\d+/),
      startedAt: "2026-01-02T00:00:00.000Z",
    });
    expect(lines.slice(1)).toEqual([
      { connection: 1, ms: 5, direction: "out", message: { id: 0, method: "thread/list", params: {} } },
      { connection: 1, ms: 12, direction: "in", message: { id: 0, result: { data: [] } } },
      { connection: 1, ms: 12, direction: "in", text: "not JSON" },
      { connection: 1, ms: 12, direction: "in", text: "[1]" },
      { connection: 1, ms: 12, direction: "in", message: { text: "a\u2028b" } },
      { connection: 1, ms: 12, closed: { by: "client", message: "closed by the client" } },
    ]);
    expect(heard).toEqual([
      '{"id":0,"result":{"data":[]}}',
      "not JSON",
      "[1]",
      '{"text":"a\u2028b"}',
      "closed: closed by the client",
    ]);
    expect(wire.sent).toEqual(['{"id":0,"method":"thread/list","params":{}}']);
  },
);

verifies(
  "recording.format",
  "numbers the connections and records how the server ended each one",
  async () => {
    const lines: RecordingLine[] = [];
    const wires: TestWire[] = [];
    const transport = record(
      Object.assign(
        () => {
          const wire = new TestWire();
          wires.push(wire);
          return wire;
        },
        { cwd: "/work" },
      ),
      (line) => lines.push(line),
      { clock: () => 0 },
    );
    expect(transport.cwd).toBe("/work");
    for (const name of ["one", "two"]) {
      const channel = await transport(SIGNAL);
      channel.open({ line: () => {}, closed: () => {} });
      await channel.send(JSON.stringify({ method: name }));
    }
    wires[0]?.end({
      message: "gone",
      exitCode: 3,
      exitSignal: undefined,
      stderrTail: "API_TOKEN=abcd1234 is bad",
    });
    wires[1]?.say({ method: "still here" });
    expect(lines.slice(1)).toEqual([
      { connection: 1, ms: 0, direction: "out", message: { method: "one" } },
      { connection: 2, ms: 0, direction: "out", message: { method: "two" } },
      {
        connection: 1,
        ms: 0,
        closed: { by: "server", message: "gone", exitCode: 3, stderrTail: "API_TOKEN=[redacted:1] is bad" },
      },
      { connection: 2, ms: 0, direction: "in", message: { method: "still here" } },
    ]);
  },
);

verifies(
  "recording.unobtrusive",
  "the file is complete when the client has disconnected, and only its owner can read it",
  async () => {
    using temp = folder();
    const file = path.join(temp.path, "a.ndjson");
    const wire = new TestWire();
    await using transport = record(() => wire, file);
    const channel = await transport(SIGNAL);
    channel.open({ line: () => {}, closed: () => {} });
    for (let n = 0; n < 5_000; n++)
      wire.say({ method: "item/agentMessage/delta", params: { n, delta: "x " } });
    await channel.close();
    const recording = await readRecording(file);
    expect(recording).toHaveLength(5_002);
    expect(bodies(recording).slice(0, -1)).toEqual(
      Array.from({ length: 5_000 }, (_, n) => ({
        method: "item/agentMessage/delta",
        params: { n, delta: "x " },
      })),
    );
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  },
);

verifies("recording.unobtrusive", "a process that ends with exit loses nothing of its recording", () => {
  using temp = folder();
  const file = path.join(temp.path, "exit.ndjson");
  const program = `
    const { record } = await import(${JSON.stringify(LIBRARY.href)});
    let sink;
    const wire = { open: (given) => (sink = given), send: async () => {}, close: async () => {} };
    const channel = await record(() => wire, ${JSON.stringify(file)}, { secrets: ["hidden text"] })(new AbortController().signal);
    channel.open({ line() {}, closed() {} });
    for (let n = 0; n < 500; n++) sink.line(JSON.stringify({ method: "n", params: { n, text: "x".repeat(1000) } }));
    await new Promise((resolve) => setTimeout(resolve, 1));
    for (let n = 500; n < 1000; n++) sink.line(JSON.stringify({ method: "n", params: { n } }));
    sink.line(JSON.stringify({ method: "m/delta", params: { delta: "the end: hidden" } }));
    process.exit(0);`;
  execFileSync(process.execPath, ["--input-type=module", "-e", program]);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(lines).toHaveLength(1_002);
  const numbers = lines
    .slice(1, -1)
    .map((line) => (JSON.parse(line) as { message: { params: { n: number } } }).message.params.n);
  expect(numbers).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
  expect(lines.at(-1)).toContain("the end: ");
});

verifies(
  "recording.unobtrusive",
  "a write error ends the recording with a typed error, and the client continues",
  async () => {
    using temp = folder();
    const errors: RecordingError[] = [];
    const wire = new TestWire();
    const transport = record(() => wire, path.join(temp.path, "no/such/folder.ndjson"), {
      onError: (error) => {
        errors.push(error);
        throw new Error("and the listener throws");
      },
    });
    const channel = await transport(SIGNAL);
    const heard: string[] = [];
    channel.open({ line: (text) => heard.push(text), closed: () => heard.push("closed") });
    await channel.send("{}");
    wire.say({ method: "hello" });
    await channel.close();
    expect(heard).toEqual(['{"method":"hello"}', "closed"]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(RecordingError);
    expect(errors[0]).toMatchObject({ code: "recording_failed", cause: { code: "ENOENT" } });
    expect(await rejection(transport.flush())).toBe(errors[0]);
    expect(transport.error).toBe(errors[0]);
  },
);

verifies("recording.unobtrusive", "a sink that throws ends the recording, not the connection", async () => {
  const wire = new TestWire();
  let calls = 0;
  const errors: RecordingError[] = [];
  const transport = record(
    () => wire,
    () => {
      if (++calls === 2) throw new Error("full");
    },
    { onError: (error) => errors.push(error) },
  );
  const channel = await transport(SIGNAL);
  const heard: string[] = [];
  channel.open({ line: (text) => heard.push(text), closed: () => {} });
  wire.say({ a: 1 }, { a: 2 }, { a: 3 });
  expect(heard).toHaveLength(3);
  expect(calls).toBe(2);
  expect(errors).toMatchObject([{ code: "recording_failed", cause: { message: "full" } }]);
});

verifies(
  "recording.format",
  "reads a truncated recording up to the cut and rejects files that are not recordings",
  async () => {
    using temp = folder();
    const file = path.join(temp.path, "cut.ndjson");
    const wire = new TestWire();
    const transport = record(() => wire, file);
    const channel = await transport(SIGNAL);
    channel.open({ line: () => {}, closed: () => {} });
    wire.say({ method: "first" }, { method: "second" });
    await transport.flush();
    const { parseRecording } = await import("codexwright/recording");
    const text = readFileSync(file, "utf8");
    expect(bodies(parseRecording(text.slice(0, -5)))).toEqual([{ method: "first" }]);
    const wrong: [string, number][] = [
      ["", 1],
      ["{}\n", 1],
      [text.replace('"version":1', '"version":2'), 1],
      [text.replace('"direction":"in"', '"direction":"up"'), 2],
      [`${text}{"connection":0,"ms":1,"direction":"in","message":{}}\n`, 4],
      [`${text}nothing\n`, 4],
    ];
    for (const [broken, line] of wrong)
      expect(await rejection(Promise.resolve().then(() => parseRecording(broken)))).toMatchObject({
        code: "recording_invalid",
        line,
      });
    expect(await rejection(readRecording(path.join(temp.path, "absent")))).toMatchObject({
      code: "recording_invalid",
    });
  },
);
