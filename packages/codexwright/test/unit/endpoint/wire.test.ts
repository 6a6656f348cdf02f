import { expect } from "vitest";
import { Endpoint } from "codexwright/server";
import { verifies } from "@codexwright/test-support/verifies";
import { rawClient } from "./raw-client.ts";

function endpoint(): Endpoint {
  return new Endpoint({
    handlers: { "thread/loaded/list": () => ({ data: [], nextCursor: null }) },
    clock: () => 1234,
  });
}

const REQUEST = `"method":"thread/loaded/list","params":{}`;

verifies(
  "endpoint.wire",
  "sends no answer to lines that the real server ignores, and answers the next one",
  async () => {
    await using server = endpoint();
    const client = await rawClient(server);
    const before = client.lines.length;
    for (const line of [
      "",
      "   ",
      "not json",
      "5",
      "null",
      `[{"id":50,${REQUEST}}]`,
      `{"id":1.5,${REQUEST}}`,
      `{"id":null,${REQUEST}}`,
      `{"id":{},${REQUEST}}`,
      `{"id":51,"method":5,"params":{}}`,
      `{"id":52}`,
      `{"id":53,"error":"text"}`,
      `{"id":54,${REQUEST},"trace":5}`,
      `{"method":"initialized"}`,
      `{"method":"no/such/notification"}`,
    ]) {
      client.write(line);
    }
    await client.settled();
    expect(client.lines.slice(before)).toHaveLength(1);
  },
);

verifies("endpoint.wire", "ignores a message that is nested too deeply", async () => {
  await using server = endpoint();
  const client = await rawClient(server);
  const nested = (id: number, levels: number, open: string, close: string): string =>
    `{"id":${id},"method":"thread/loaded/list","params":{"x":${open.repeat(levels)}1${close.repeat(levels)}}}`;
  for (const [at, [open, close]] of [
    ["[", "]"],
    ['{"a":', "}"],
    [String.raw`["\"]",`, "]"],
  ].entries()) {
    // The message and its params are two levels.
    client.write(nested(10 + at, 510, open ?? "", close ?? ""));
    client.write(nested(20 + at, 511, open ?? "", close ?? ""));
    client.write(nested(30 + at, 200_000, open ?? "", close ?? ""));
    client.write((open ?? "").repeat(2_000_000));
  }
  // Brackets in a string are not levels.
  expect((await client.ask("thread/loaded/list", { cursor: "[{".repeat(1_000_000) })).result).toBeDefined();
  await client.settled();
  expect(client.messages.map(({ id }) => Number(id)).filter((id) => id >= 10)).toEqual([10, 11, 12]);
});

verifies("endpoint.wire", "tolerates unknown members in a message", async () => {
  await using server = endpoint();
  const client = await rawClient(server);
  client.write(`{"jsonrpc":"2.0","extra":[],"id":"x",${REQUEST},"trace":{"traceparent":"00-a-b-01"}}`);
  expect((await client.answer("x")).result).toEqual({ data: [], nextCursor: null });
});

for (const id of [
  "0",
  "-5",
  '""',
  '"abc"',
  '"\\u00e9\\n"',
  "9007199254740993",
  "-9223372036854775808",
  "9223372036854775807",
]) {
  verifies("endpoint.wire", `returns the id ${id} unchanged`, async () => {
    await using server = endpoint();
    const client = await rawClient(server);
    const before = client.lines.length;
    client.write(`{"params":{"id":1,"\\"id\\"":2},"id": ${id} ,"method":"thread/loaded/list"}`);
    await client.until(() => client.lines.length > before);
    const expected = id.startsWith('"') ? JSON.stringify(JSON.parse(id)) : id;
    expect(client.lines.at(-1)).toBe(`{"id":${expected},"result":{"data":[],"nextCursor":null}}`);
  });
}

verifies("endpoint.wire", "writes keys in the order of the real server", async () => {
  await using server = endpoint();
  const client = await rawClient(server);
  await client.ask("thread/loaded/list", 5);
  expect(client.lines.at(-1)).toBe(
    '{"error":{"code":-32600,"message":"Invalid request: invalid type: integer `5`, expected struct ThreadLoadedListParams"},"id":2}',
  );
  server.broadcast("thread/archived", { threadId: "t" });
  await client.told("thread/archived");
  expect(client.lines.at(-1)).toBe(
    '{"method":"thread/archived","params":{"threadId":"t"},"emittedAtMs":1234}',
  );
  client.connection.subscribe("t");
  void server
    .thread("t")
    .request("currentTime/read", { threadId: "t" })
    .catch(() => {});
  await client.told("currentTime/read");
  expect(client.lines.at(-1)).toBe('{"method":"currentTime/read","id":0,"params":{"threadId":"t"}}');
});

verifies("endpoint.wire", "finds an id with many digits after a string of many megabytes", async () => {
  await using server = endpoint();
  const client = await rawClient(server);
  const before = client.lines.length;
  const long = String.raw`\"`.repeat(16_000_000);
  client.write(`{"params":{"cursor":"${long}"},"id":9007199254740993,"method":"thread/loaded/list"}`);
  await client.until(() => client.lines.length > before);
  expect(client.lines.at(-1)).toBe(`{"id":9007199254740993,"result":{"data":[],"nextCursor":null}}`);
});
