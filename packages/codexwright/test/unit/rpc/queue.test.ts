import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { EventQueue, type Coalescer } from "../../../src/rpc/queue.ts";

interface Event {
  readonly item?: string;
  readonly text: string;
}

const byItem: Coalescer<Event> = {
  key: (event) => event.item,
  text: (event) => event.text,
  withText: (event, text) => ({ ...event, text }),
};

async function drain(queue: EventQueue<Event>): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of queue) events.push(event);
  return events;
}

verifies("rpc.queue", "delivers every event unchanged to a consumer that keeps up", async () => {
  const queue = new EventQueue(byItem);
  for (let n = 0; n < 1_000; n++) queue.push({ item: "a", text: `${n} ` });
  queue.end();
  expect(await drain(queue)).toHaveLength(1_000);
});

verifies(
  "rpc.queue",
  "joins accumulated deltas per item without losing or reordering text of an item",
  async () => {
    const queue = new EventQueue(byItem);
    const expected = { a: "", b: "" };
    for (let n = 0; n < 20_000; n++) {
      const item = n % 3 === 0 ? "a" : "b";
      expected[item] += `${n} `;
      queue.push({ item, text: `${n} ` });
    }
    expect(queue.size).toBeLessThan(1_100);
    queue.end();
    const got = { a: "", b: "" };
    for (const { item, text } of await drain(queue)) got[item as "a" | "b"] += text;
    expect(got).toEqual(expected);
  },
);

verifies(
  "rpc.queue",
  "keeps an event that cannot be joined between the deltas before and after it",
  async () => {
    const queue = new EventQueue(byItem);
    for (let n = 0; n < 2_000; n++) queue.push({ item: "a", text: "x" });
    queue.push({ text: "fence" });
    for (let n = 0; n < 2_000; n++) queue.push({ item: "a", text: "y" });
    queue.end();
    const texts = (await drain(queue)).map((event) => event.text).join("");
    expect(texts).toBe(`${"x".repeat(2_000)}fence${"y".repeat(2_000)}`);
  },
);

verifies(
  "rpc.queue",
  "neither loses nor reorders text that is pushed while a lagging consumer takes events",
  async () => {
    const queue = new EventQueue(byItem);
    let pushed = "";
    let taken = "";
    const push = (text: string): void => {
      pushed += text;
      queue.push({ item: "a", text });
    };
    for (let n = 0; n < 3_000; n++) push(`${n} `);
    for (let round = 0; round < 2_000; round++) {
      const { value } = await queue.next();
      taken += value?.text ?? "";
      push(`r${round} `);
    }
    queue.end();
    for (const event of await drain(queue)) taken += event.text;
    expect(taken).toBe(pushed);
  },
);

verifies("rpc.queue", "delivers earlier events before the error, and throws the error once", async () => {
  const queue = new EventQueue(byItem);
  queue.push({ text: "last" });
  queue.fail(new Error("broken"));
  queue.push({ text: "too late" });
  expect(await queue.next()).toEqual({ value: { text: "last" }, done: false });
  expect(await rejection(queue.next())).toMatchObject({ message: "broken" });
  expect(await queue.next()).toEqual({ value: undefined, done: true });
});

verifies("rpc.queue", "events, the end and errors wake waiting consumers in order", async () => {
  const queue = new EventQueue(byItem);
  const waiting = [queue.next(), queue.next()];
  queue.push({ text: "1" });
  queue.push({ text: "2" });
  expect((await Promise.all(waiting)).map((result) => result.value?.text)).toEqual(["1", "2"]);
  const last = queue.next();
  queue.end();
  expect(await last).toEqual({ value: undefined, done: true });
});

verifies("rpc.queue", "leaving the loop drops queued and later events", async () => {
  const queue = new EventQueue(byItem);
  queue.push({ text: "1" });
  queue.push({ text: "2" });
  for await (const event of queue) {
    expect(event.text).toBe("1");
    break;
  }
  queue.push({ text: "3" });
  expect(queue.size).toBe(0);
  expect(await queue.next()).toEqual({ value: undefined, done: true });
});
