import { expect } from "vitest";
import { Endpoint } from "codexwright/server";
import { memoryPair, type CloseReason } from "codexwright/rpc";
import { jsonSchema } from "codexwright";
import { hasTooManyValues, MOST_VALUES } from "../../../src/rpc/values.ts";
import { deferred } from "@codexwright/test-support/events";
import { collectGarbage } from "@codexwright/test-support/gc";
import { verifies } from "@codexwright/test-support/verifies";
import { open } from "../rpc/peer.ts";
import { settle } from "./hostile.ts";

const SLOW = { timeoutMs: 60_000 };
const MIB = 1024 * 1024;

/** Messages that consist mostly of values: parsed, each takes many times the size of its text. */
const DENSE: readonly string[] = [
  `{"method":"m","params":[${"{},".repeat(MOST_VALUES)}0]}`,
  `{"method":"m","params":[${"0,".repeat(MOST_VALUES)}0]}`,
  `{"id":0,"result":${"[".repeat(MOST_VALUES)}${"]".repeat(MOST_VALUES)}}`,
  `{"method":"m","id":1,"params":[${String.raw`"\\\"","a",`.repeat(MOST_VALUES / 2)}0]}`,
];

verifies(
  "security.s2",
  "a message with very many values closes the connection instead of using up memory",
  async () => {
    for (const line of DENSE) {
      const { peer, connection } = open({});
      void peer.send(line);
      await settle();
      expect(connection.closeReason?.message).toContain("values");
    }
  },
  SLOW,
);

verifies(
  "security.s38",
  "disconnects a client that sends very many values and serves the others",
  async () => {
    await using endpoint = new Endpoint({ handlers: {} });
    const [other, theirs] = memoryPair();
    endpoint.accept(theirs);
    const heard = deferred<string>();
    other.open({ line: (line) => heard.resolve(line), closed: () => {} });
    for (const line of DENSE) {
      const [client, server] = memoryPair();
      const closed = deferred<CloseReason>();
      client.open({ line: () => {}, closed: (reason) => closed.resolve(reason) });
      const connection = endpoint.accept(server);
      await client.send(line);
      await closed.promise;
      expect(connection.signal.aborted).toBe(true);
    }
    await other.send(`{"method":"initialize","id":5,"params":{"clientInfo":{"name":"t","version":"1"}}}`);
    expect(await heard.promise).toContain('"id":5');
  },
  SLOW,
);

verifies("security.s2", "counts a text as one value, whatever it contains", () => {
  for (const text of ["{[,", '"', "\\", '\\"', "\u2028,"]) {
    const line = JSON.stringify({
      method: "m",
      params: [text.repeat((2 * MOST_VALUES) / text.length + 1), text, 1],
    });
    expect(hasTooManyValues(line)).toBe(false);
    expect(hasTooManyValues(`[${line},${"[],".repeat(MOST_VALUES)}0]`)).toBe(true);
  }
  expect(hasTooManyValues(`["${"\\".repeat(2 * MOST_VALUES)}`)).toBe(false);
});

verifies(
  "security.s8",
  "rejects open requests beyond 64 MiB of text and accepts more after others are answered",
  async () => {
    const answers: (() => void)[] = [];
    const { connection, peer } = open({ request: () => new Promise((ok) => answers.push(() => ok({}))) });
    const ask = (id: number): void => {
      void peer.send(`{"method":"ask","id":${id},"params":{"text":"${`${id % 10}`.repeat(8 * MIB)}"}}`);
    };
    for (let id = 0; id < 10; id++) ask(id);
    const refused = await peer.got(2);
    expect(refused.map((message) => message["id"])).toEqual([8, 9]);
    expect(answers).toHaveLength(8);
    // A request that the peer has cancelled also makes room.
    connection.dismiss(0);
    ask(10);
    await settle();
    expect(answers).toHaveLength(9);
    for (const answer of answers) answer();
    await peer.got(2 + 8);
    ask(11);
    await settle();
    expect(answers).toHaveLength(10);
    await connection.close();
  },
  SLOW,
);

verifies(
  "security.s6",
  "the memory of answered requests does not grow with their size",
  async () => {
    const { connection, peer } = open({ request: () => ({}) });
    const used = async (): Promise<number> => {
      await collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = await used();
    for (let id = 0; id < 64; id++) {
      const text = Buffer.alloc(MIB, 97 + (id % 20)).toString("latin1");
      await peer.send(`{"method":"ask","id":${id},"params":{"text":"${text}"}}`);
      await peer.got(id + 1);
    }
    expect((await used()) - before).toBeLessThan(24 * MIB);
    await connection.close();
  },
  SLOW,
);

verifies("security.s13", "counts the characters of a long text without creating an array of them", () => {
  const check = (text: string, minLength: number, maxLength: number): boolean => {
    const schema = jsonSchema({ type: "string", minLength, maxLength });
    const outcome = schema["~standard"].validate(text);
    return !("then" in outcome) && outcome.issues === undefined;
  };
  for (const [text, length] of [
    ["", 0],
    ["aé€😀", 4],
    ["😀😀", 2],
    ["\ud83d", 1],
    ["\ude00\ud83d", 2],
    ["x".repeat(130 * MIB), 130 * MIB],
  ] as const) {
    expect(check(text, length, length)).toBe(true);
    expect(check(text, length + 1, length + 1)).toBe(false);
  }
});
