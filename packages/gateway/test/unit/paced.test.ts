import type { TransportSink } from "codexwright/rpc";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { paced } from "../../src/paced.ts";

/** A paced transport that has sent this many requests, with its input and its output so far. */
function pipe(requests: number, onLine: (text: string, say: (line: string) => void) => void = () => {}) {
  const out: string[] = [];
  let sink: TransportSink | undefined;
  const say = (line: string): void => sink?.line(line);
  const transport = paced({
    open: (inner) => {
      sink = inner;
    },
    send: () => Promise.resolve(),
    close: () => Promise.resolve(),
  });
  const ended = new Promise<void>((resolve) => {
    transport.open({
      line: (text) => {
        out.push(text);
        onLine(text, say);
      },
      closed: () => resolve(),
    });
  });
  for (let id = 0; id < requests; id++) void transport.send(`{"id":${id},"method":"x","params":{}}`);
  return { out, say, ended, end: () => sink?.closed({ message: "over" }) };
}

const answer = (id: number): string => `{"id":${id},"result":{}}`;
const event = (id: number): string => `{"method":"x","params":${id}}`;

/** The total size of the arrays that are moved or copied while a function runs. */
async function moved(run: () => Promise<void>): Promise<number> {
  const names = ["shift", "unshift", "splice", "slice", "concat"] as const;
  const kept = names.map((name) => [name, Array.prototype[name]] as const);
  let count = 0;
  const counting = kept.map(([name, original]) => [
    name,
    function (this: unknown[], ...args: never[]): unknown {
      count += this.length;
      return (original as (...all: never[]) => unknown).apply(this, args);
    },
  ]);
  Object.assign(Array.prototype, Object.fromEntries(counting));
  try {
    await run();
  } finally {
    Object.assign(Array.prototype, Object.fromEntries(kept));
  }
  return count;
}

verifies(
  "cli.serve.pace",
  "the cost per line of a queue behind an answer does not depend on the length of the queue",
  async () => {
    const cost = async (lines: number): Promise<number> => {
      const { say, end, ended, out } = pipe(lines);
      const count = await moved(async () => {
        for (let id = 0; id < lines; id++) say(id % 2 === 0 ? answer(id) : event(id));
        end();
        await ended;
      });
      expect(out).toHaveLength(lines);
      return count;
    };
    expect(await cost(2_000)).toBeLessThanOrEqual(4 * 2_000);
    expect(await cost(16_000)).toBeLessThanOrEqual(4 * 16_000);
  },
);

verifies(
  "cli.serve.pace",
  "a queue that is never empty does not keep the lines that were delivered",
  async () => {
    let said = 0;
    const { say, out, end, ended } = pipe(60_000, (_text, more) => {
      // For each line that leaves the queue, another one arrives.
      if (said < 50_000) more(answer(said++));
      else end();
    });
    const count = await moved(async () => {
      for (let id = 0; id < 5_000; id++) say(answer(said++));
      await ended;
    });
    expect(out).toEqual(Array.from({ length: out.length }, (_, id) => answer(id)));
    expect(count).toBeLessThanOrEqual(4 * said);
  },
);

verifies(
  "cli.serve.pace",
  "the line after an answer waits for the next turn of the event loop, and the order is kept",
  async () => {
    const { say, end, ended, out } = pipe(9);
    say(event(0));
    say(answer(1));
    say(event(2));
    say(event(3));
    expect(out).toEqual([event(0), answer(1)]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(out).toEqual([event(0), answer(1), event(2), event(3)]);
    say(answer(4));
    say(answer(5));
    end();
    await ended;
    expect(out.slice(4)).toEqual([answer(4), answer(5)]);
  },
);

verifies("cli.serve.pace", "a line that arrives while others are delivered stays behind them", async () => {
  const { say, end, ended, out } = pipe(9, (text, more) => {
    if (text === event(2)) more(event(9));
  });
  say(answer(1));
  say(event(2));
  say(event(3));
  await new Promise((resolve) => setImmediate(resolve));
  end();
  await ended;
  expect(out).toEqual([answer(1), event(2), event(3), event(9)]);
});

const SAID_UNASKED: readonly (readonly [string, (id: number) => string])[] = [
  ["answers", answer],
  ["errors", (id) => `{"error":{"code":1,"message":"m"},"id":${id}}`],
  ["empty objects", () => "{}"],
  ["text that is not JSON", (id) => `x${id}`],
  ["requests", (id) => `{"id":${id},"method":"x","params":{}}`],
];
for (const [name, line] of SAID_UNASKED) {
  verifies(
    "cli.serve.pace",
    `${name} that match no request do not wait, however many there are`,
    async () => {
      const { say, out, end, ended } = pipe(3);
      const lines = Array.from({ length: 5_000 }, (_, id) => line(id));
      for (const text of lines) say(text);
      // The first three lines may be answers: each of them takes a turn of the event loop.
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(out).toEqual(lines);
      end();
      await ended;
    },
  );
}

verifies("cli.serve.pace", "an error is an answer, whichever member is written first", async () => {
  for (const first of [`{"error":{"code":1,"message":"m"},"id":0}`, `{"id":0,"error":{"code":1}}`]) {
    const { say, out } = pipe(1);
    say(first);
    say(event(1));
    expect(out).toEqual([first]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(out).toEqual([first, event(1)]);
  }
});
