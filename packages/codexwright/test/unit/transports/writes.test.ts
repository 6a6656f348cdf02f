import { EventEmitter } from "node:events";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { ProcessTransport } from "../../../src/transports/process.ts";

/** A process that records each write to it. */
function child() {
  const writes: string[] = [];
  const write = (text: string, done: () => void): boolean => {
    writes.push(text);
    queueMicrotask(done);
    return true;
  };
  const stdin = Object.assign(new EventEmitter(), { write, end: () => {} });
  const streams = { stdin, stdout: new EventEmitter(), stderr: new EventEmitter() };
  const transport = new ProcessTransport(Object.assign(new EventEmitter(), streams) as never);
  return { transport, writes };
}

verifies(
  "stdio.close",
  "writes the first line immediately and joins the lines sent right after it into one write",
  async () => {
    const { transport, writes } = child();
    const sent = ["a", "b", "c"].map((line) => transport.send(line));
    expect(writes).toEqual(["a\n"]);
    await Promise.all(sent);
    expect(writes).toEqual(["a\n", "b\nc\n"]);
    await transport.send("d");
    expect(writes.at(-1)).toBe("d\n");
  },
);

verifies("stdio.close", "does not join lines whose total length is large", async () => {
  const { transport, writes } = child();
  const lengths = [1, 40_000, 40_000, 40_000];
  await Promise.all(lengths.map((length) => transport.send("x".repeat(length))));
  expect(writes.map(({ length }) => length)).toEqual(lengths.map((length) => length + 1));
});
