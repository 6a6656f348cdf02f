import type { AgentEvent } from "codexwright/agent";
import * as fc from "fast-check";
import { exec, fail, reply } from "@codexwright/testing";
import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { EventLog } from "../../../src/agent/run/event-log.ts";
import { eventsOf, fakeWorld, plain } from "./run-world.ts";

const FAKE = { against: "fake", timeoutMs: 120_000 } as const;

interface Small {
  readonly id: string | undefined;
  readonly text: string;
}
const limited = (max: number) =>
  new EventLog<Small>({
    max,
    coalescer: { key: ({ id }) => id, text: ({ text }) => text, withText: ({ id }, text) => ({ id, text }) },
    isKept: ({ text }) => text === "kept",
  });
/** The text of each item and the other events, in order. */
function told(events: readonly Small[]): { texts: Record<string, string>; others: string[] } {
  const texts: Record<string, string> = {};
  const others: string[] = [];
  for (const { id, text } of events)
    if (id === undefined) others.push(text);
    else texts[id] = (texts[id] ?? "") + text;
  return { texts, others };
}

async function readAll(log: EventLog<Small>, seen: Small[] = [], count = Infinity): Promise<Small[]> {
  for await (const event of log.read()) if (seen.push(event) >= count) break;
  return seen;
}

verifies(
  "agent.run.event-log",
  "a bounded log keeps the last events, and no reader that has begun loses an event or a text, whenever it reads",
  async () => {
    const event = fc.record({
      id: fc.constantFrom("a", "b", undefined),
      text: fc.constantFrom("x", "yy", "kept", "z"),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 60 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 60 }),
        async (events, max, pauseAt) => {
          const log = limited(max);
          const early = readAll(log);
          const slow = log.read();
          const first = slow.next();
          for (const [index, each] of events.entries()) {
            log.push(each);
            if (index === pauseAt) await Promise.resolve();
          }
          const kept = log.events;
          const pinned = kept.filter(({ text }) => text === "kept").length;
          expect(kept.length).toBeLessThanOrEqual(max + pinned);
          expect(log.count).toBe(events.length);
          log.end();
          const rest: Small[] = [];
          const { value } = await first;
          if (value !== undefined) rest.push(value);
          for await (const one of slow) rest.push(one);
          expect(told(await early)).toEqual(told(events));
          expect(told(rest)).toEqual(told(events));
          // A reader that begins at the end gets the kept events, which are the last ones.
          const late = told(await readAll(log)).others.filter((text) => text !== "kept");
          const others = told(events).others.filter((text) => text !== "kept");
          expect(late).toEqual(late.length === 0 ? [] : others.slice(-late.length));
        },
      ),
      { seed: 29, numRuns: 300 },
    );
  },
);

verifies(
  "agent.run.event-log",
  "a reader that leaves is forgotten, and an error comes after the last event",
  async () => {
    const log = limited(2);
    const left = readAll(log, [], 1);
    const broken = new Error("broken");
    const failing = rejection(readAll(log));
    log.push({ id: undefined, text: "1" });
    expect(await left).toHaveLength(1);
    for (const text of ["2", "3", "4"]) log.push({ id: undefined, text });
    log.end(broken);
    expect(await failing).toBe(broken);
    const seen: Small[] = [];
    expect(await rejection(readAll(log, seen))).toBe(broken);
    expect(seen.map(({ text }) => text)).toEqual(["3", "4"]);
  },
);

const COUNT = 100_000;

/** A reader that takes one event and then waits for the end of the run. */
async function lagging(run: AsyncIterable<AgentEvent>, over: Promise<unknown>): Promise<AgentEvent[]> {
  const seen: AgentEvent[] = [];
  for await (const event of run) {
    seen.push(event);
    if (event.type === "text.delta") await over;
  }
  return seen;
}

verifies(
  "agent.run.event-log",
  "a run with 100,000 deltas keeps as many events as its limit, and readers at any pace get the whole text",
  async () => {
    const text = "ab".repeat(COUNT / 2);
    await using world = await fakeWorld({
      model: [exec("ls", { output: "a" }), reply(text, { deltas: COUNT })],
    });
    const run = world.agent.run(plain, { eventLog: { max: 4 } });
    const slow = lagging(run, run.result);
    let deltas = 0;
    let fast = "";
    let most = 0;
    for await (const event of run) {
      most = Math.max(most, run.events.length);
      if (event.type !== "text.delta") continue;
      deltas++;
      fast += event.delta;
    }
    expect((await run.result).text).toBe(text);
    expect(fast).toBe(text);
    expect(deltas).toBeGreaterThan(1_000);
    // `prompt.rendered` and `thread.started` are kept besides the limit.
    expect(most).toBeLessThanOrEqual(4 + 2);
    expect(run.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["prompt.rendered", "thread.started", "message", "prompt.executed"]),
    );
    const seqs = run.events.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect(seqs.at(-1)).toBeGreaterThan(COUNT);

    const behind = await slow;
    expect(behind.length).toBeLessThan(1_200);
    expect(behind.map((event) => (event.type === "text.delta" ? event.delta : "")).join("")).toBe(text);
    expect(behind.filter(({ type }) => type === "tool.invoked")).toHaveLength(1);
    expect(behind.at(-1)?.type).toBe("prompt.executed");

    // Without the limit, the same run keeps each delta.
    await using other = await fakeWorld({ model: [reply(text, { deltas: 5_000 })] });
    const unbounded = other.agent.run(plain);
    await unbounded.result;
    expect(eventsOf(unbounded, "text.delta").length).toBeGreaterThanOrEqual(5_000);
  },
  FAKE,
);

verifies(
  ["agent.run.event-log", "agent.run.retry"],
  "a turn that had effects is not retried, although its events were dropped",
  async () => {
    await using world = await fakeWorld({
      model: [exec("touch x", { output: "" }), fail(429), reply("twice")],
    });
    const run = world.agent.run(plain, { retry: { attempts: 2, baseMs: 1 }, eventLog: { max: 1 } });
    expect(await rejection(run.result)).toMatchObject({ retryable: true });
    expect(eventsOf(run, "tool.started")).toEqual([]);
    expect(world.fake.requests).toHaveLength(2);
  },
  FAKE,
);
