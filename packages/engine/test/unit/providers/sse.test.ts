import fc from "fast-check";
import { expect } from "vitest";
import { EventReader } from "@codexwright/engine/internal";
import { verifies } from "@codexwright/test-support/verifies";

const WIDE = { line: 1e6, event: 1e6, stream: 1e7 };

/** Reads a text that arrives in pieces of these sizes, repeated. */
function readIn(text: string, sizes: readonly number[]): string[] {
  const bytes = new TextEncoder().encode(text);
  const reader = new EventReader(WIDE);
  const events: string[] = [];
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    events.push(...reader.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return events;
}

verifies("engine.provider.sse", "reads lines of every form, in pieces of any size", () => {
  const line = fc.stringMatching(/^[^\r\n]*$/u);
  const one = fc.record({
    data: fc.array(line, { minLength: 1, maxLength: 4 }),
    noise: fc.constantFrom("", ": comment", ":", "event: x", "id: 1", "retry: 10", "database: no", "other"),
    space: fc.boolean(),
  });
  const ends = fc.constantFrom("\n", "\r", "\r\n");
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 6 }), ends, sizes, fc.boolean(), (events, end, pieces, bom) => {
      const text = events
        .map(({ data, noise, space }) =>
          [noise, ...data.map((each) => `data:${space || each.startsWith(" ") ? " " : ""}${each}`), "", ""]
            .slice(noise === "" ? 1 : 0)
            .join(end),
        )
        .join("");
      const whole = events.map(({ data }) => data.join("\n"));
      expect(readIn((bom ? "\uFEFF" : "") + text, pieces)).toEqual(whole);
      expect(readIn(text, [text.length * 4 + 1])).toEqual(whole);
    }),
    { seed: 19, numRuns: 300 },
  );
  expect(readIn("data\ndata:\n\ndata: half an event", [3])).toEqual(["\n"]);
  expect(readIn("\n\n\r\r\n: only a comment\n\n", [1])).toEqual([]);
});

verifies("engine.provider.bounds", "refuses lines, events and streams that are too long", () => {
  const limits = { line: 100, event: 250, stream: 1_000 };
  const feed = (text: string, size: number): (() => void) => {
    const bytes = new TextEncoder().encode(text);
    return () => {
      const reader = new EventReader(limits);
      for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    };
  };
  for (const size of [1, 7, 10_000]) {
    expect(feed(`data:${"x".repeat(95)}\n\n`, size)).not.toThrow();
    expect(feed(`data:${"x".repeat(96)}\n\n`, size)).toThrow("line");
    expect(feed(`:${"x".repeat(100)}`, size)).toThrow("line");
    expect(feed(`data:${"x".repeat(90)}\n`.repeat(3), size)).toThrow("event");
    expect(feed("data:\n".repeat(251), size)).toThrow(/event|stream/);
    expect(feed(":\n".repeat(501), size)).toThrow("stream");
  }
});

verifies(
  "engine.provider.bounds",
  "takes time in proportion to the bytes, also if they arrive one by one",
  () => {
    const cost = (bytes: number): number => {
      const reader = new EventReader({ line: 1e9, event: 1e9, stream: 1e9 });
      const byte = new TextEncoder().encode("x");
      const before = process.cpuUsage();
      reader.push(new TextEncoder().encode("data: "));
      for (let n = 0; n < bytes; n++) reader.push(byte);
      const [event] = reader.push(new TextEncoder().encode("\n\n"));
      expect(event).toHaveLength(bytes);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    cost(50_000);
    const least = (bytes: number): number => Math.min(...[1, 2, 3].map(() => cost(bytes)));
    // Sixteen times the bytes: quadratic work would take 256 times as long.
    expect(least(1_600_000)).toBeLessThan(100 * Math.max(least(100_000), 1));
  },
);
