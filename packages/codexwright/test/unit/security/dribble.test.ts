import fc from "fast-check";
import { expect } from "vitest";
import { LineDecoder } from "codexwright/rpc";
import { OutputBuffer } from "../../../src/client/services/commands/exec-output.ts";
import { collectGarbage } from "@codexwright/test-support/gc";
import { verifies } from "@codexwright/test-support/verifies";

const SIZE = 600_000;

/** Returns the bytes that the process holds after a garbage collection, including those outside the heap. */
async function held(): Promise<number> {
  await collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Ways to split the same bytes. */
const SPLITS: Readonly<Record<string, readonly number[]>> = {
  "in one piece": [SIZE],
  "in halves": [SIZE / 2],
  "one by one": [1],
  "in threes": [3],
  "in pieces that barely do not fit together": [1, 8_192],
  "alternating small and large pieces": [1, 2_048, 2_047, 65_536],
};

/** Alternates pieces of these sizes, each with its own memory, up to the total size. */
function* dribble(sizes: readonly number[]): Generator<Uint8Array> {
  for (let sent = 0, turn = 0; sent < SIZE; turn++) {
    const size = Math.min(sizes[turn % sizes.length] ?? 1, SIZE - sent);
    yield new Uint8Array(size).fill(0x61);
    sent += size;
  }
}

verifies(
  "security.s50",
  "an unfinished line costs at most four times its size, however it is split",
  async () => {
    for (const [way, sizes] of Object.entries(SPLITS)) {
      const lines: number[] = [];
      const before = await held();
      const decoder = new LineDecoder((line) => lines.push(line.length));
      for (const piece of dribble(sizes)) decoder.push(piece);
      const cost = (await held()) - before;
      expect({ way, waiting: decoder.waiting, fits: cost < 4 * SIZE }).toEqual({
        way,
        waiting: SIZE,
        fits: true,
      });
      decoder.push(Uint8Array.of(0x0a));
      expect(lines).toEqual([SIZE]);
      expect(decoder.waiting).toBe(0);
    }
  },
  { timeoutMs: 60_000 },
);

verifies(
  "security.s50",
  "an unfinished line of a command's output costs at most four times its size",
  async () => {
    for (const [way, sizes] of Object.entries(SPLITS)) {
      const output = new OutputBuffer("stdout", { cap: Infinity, keep: 0 });
      const lines = output.lines();
      const first = lines.next();
      // Consumed as it arrives, so that only the unfinished line is kept.
      const before = await held();
      for (const piece of dribble(sizes)) {
        output.push(piece);
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      }
      const cost = (await held()) - before;
      expect({ way, fits: cost < 4 * SIZE }).toEqual({ way, fits: true });
      output.push(new TextEncoder().encode("\n\nnext"));
      output.end();
      expect((await first).value?.length).toBe(SIZE);
      expect([(await lines.next()).value, (await lines.next()).value]).toEqual(["", "next"]);
    }
  },
  { timeoutMs: 60_000 },
);

verifies("security.s50", "produces the same lines however a text is split", async () => {
  const text = fc.array(
    fc.constantFrom("a", "ä", "€", "😀", "\n", "\r", "\r\n", "\u2028", "x".repeat(3_000)),
    { maxLength: 40 },
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(text, sizes, async (parts, cuts) => {
      const bytes = new TextEncoder().encode(parts.join(""));
      const pieces: Uint8Array[] = [];
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = cuts[turn % cuts.length] ?? 1;
        pieces.push(bytes.slice(at, at + size));
        at += size;
      }
      const decoded = (chunks: readonly Uint8Array[]): string[] => {
        const lines: string[] = [];
        const decoder = new LineDecoder((line) => lines.push(line));
        for (const chunk of chunks) decoder.push(chunk);
        decoder.end();
        return lines;
      };
      expect(decoded(pieces)).toEqual(decoded([bytes]));
      const output = new OutputBuffer("stdout", { cap: Infinity, keep: Infinity });
      for (const piece of pieces) output.push(piece);
      output.end();
      const lines: string[] = [];
      for await (const line of output.lines()) lines.push(line);
      const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).split("\n");
      if (whole.at(-1) === "") whole.pop();
      expect(lines).toEqual(whole.map((line) => line.replace(/\r$/, "")));
    }),
    { seed: 7, numRuns: 300 },
  );
});
