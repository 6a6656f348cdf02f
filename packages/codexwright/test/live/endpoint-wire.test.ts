import { arch } from "node:os";
import { expect } from "vitest";
import { Endpoint } from "codexwright/server";
import { verifies } from "@codexwright/test-support/verifies";
import type { LineClient } from "@codexwright/test-support/line-client";
import { RawClient } from "../unit/endpoint/raw-client.ts";
import { realWire } from "./real-wire.ts";
import { PINNED } from "@codexwright/test-support/world";

const LIST = `"method":"thread/loaded/list","params":{}`;
const hello = (id: number, name: string): string =>
  JSON.stringify({ id, method: "initialize", params: { clientInfo: { name, version: "1.0" } } });

/** The machine's description in the user agent. */
const INFO = { userAgent: "", codexHome: "", platformFamily: "", platformOs: "" };

/** Every kind of odd line that a client can send. */
const LINES: readonly string[] = [
  `{"id":1,${LIST}}`,
  `{"id":2,"method":"thread/loaded/list"}`,
  hello(3, "two\nlines"),
  hello(4, "wïre \ttest"),
  hello(5, "again"),
  `{"id":6,"method":"initialize","params":{}}`,
  "",
  "not json",
  `[{"id":7,${LIST}}]`,
  `{"id":1.5,${LIST}}`,
  `{"id":null,${LIST}}`,
  `{"id":8,${LIST},"trace":5}`,
  `{"id":9,"result":{}}`,
  `{"id":10,"error":{"code":1,"message":"m"}}`,
  `{"method":"initialized"}`,
  `{"method":"no/such/notification","params":{}}`,
  `{"jsonrpc":"2.0","more":1,"id":"abc",${LIST},"trace":{"traceparent":null}}`,
  `{"id":-5,${LIST}}`,
  `{"id":9007199254740993,${LIST}}`,
  `{"id":9223372036854775807,${LIST}}`,
  `{"id":"","method":"nope"}`,
  `{"id":"last","method":"thread/start","params":{"dynamicTools":[]}}`,
];

/** The answers exactly as sent, sorted because their order is not defined. */
async function answers(client: LineClient): Promise<string[]> {
  for (const line of LINES) client.write(line);
  await client.answer("last");
  // Requests run in parallel, so the last may be answered before others.
  await client.ask("thread/loaded/list", {});
  await client.until(() => client.lines.filter((line) => !line.startsWith('{"method"')).length >= 13);
  return client.lines.filter((line) => !line.startsWith('{"method"')).toSorted();
}

verifies(
  ["endpoint.wire", "endpoint.handshake"],
  "a client that sends every kind of odd line receives exactly the bytes that 0.166.0 sends",
  async () => {
    await using real = await realWire();
    const theirs = await answers(real.client);
    const found = theirs.map((line) => JSON.parse(line) as { id: unknown; result: typeof INFO });
    const info = found.find(({ id }) => id === 4)?.result ?? INFO;
    const [, os = "", machine = "", terminal = ""] = /\((.*?); (\S+)\) (\S+) \(/.exec(info.userAgent) ?? [];
    expect(machine).toBe(arch() === "x64" ? "x86_64" : arch());
    await using server = new Endpoint({
      handlers: {
        "thread/loaded/list": () => ({ data: [], nextCursor: null }),
        "thread/start": () => ({}) as never,
      },
      info,
      userAgent: { os, arch: machine, terminal },
    });
    const ours = await answers(new RawClient(server));
    // The lists of known methods differ, because ours contains only methods with handlers.
    const shortened = (lines: readonly string[]): string[] =>
      lines.map((line) => line.replace(/(expected one of `initialize`).*?"/, '$1…"'));
    expect(shortened(ours)).toEqual(shortened(theirs));
    expect(ours).toHaveLength(13);
  },
  PINNED,
);
