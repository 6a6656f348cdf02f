import { expect } from "vitest";
import { Connection, memoryPair, tap } from "codexwright/rpc";
import { verifies } from "@codexwright/test-support/verifies";

verifies("rpc.tap", "a tap receives the lines of both directions, in order and unchanged", async () => {
  const [ours, theirs] = memoryPair();
  const seen: string[] = [];
  theirs.open({
    line: (text) =>
      void theirs.send(`{"id":${String((JSON.parse(text) as { id: number }).id)},"result":"ok"}`),
    closed: () => {},
  });
  const factory = tap(
    Object.assign(() => ours, { cwd: "/work" }),
    (direction, text) => seen.push(`${direction} ${text}`),
  );
  const connection = new Connection({
    transport: await factory(new AbortController().signal),
    maxInFlight: 1,
    handlers: { notification: () => {}, request: () => {}, badLine: () => {}, closed: () => {} },
  });
  await connection.request("hello", {});
  expect(seen).toEqual(['out {"id":0,"method":"hello","params":{}}', 'in {"id":0,"result":"ok"}']);
  expect(factory.cwd).toBe("/work");
});
