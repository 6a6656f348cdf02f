import fc from "fast-check";
import { expect } from "vitest";
import { LineDecoder } from "codexwright/rpc";
import { verifies } from "@codexwright/test-support/verifies";
import { CASES, FUZZ } from "./cases.ts";

/** Bytes that have a meaning for a line reader. Here they are more frequent than in random bytes. */
const byte = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0x0a, 0x0d, 0x22, 0x5c, 0x7b) },
  { weight: 2, arbitrary: fc.constantFrom(0x00, 0x80, 0xc2, 0xe2, 0xa8, 0xf0, 0xff, 0xef, 0xbb, 0xbf) },
  { weight: 3, arbitrary: fc.nat({ max: 255 }) },
);
const garbage = fc
  .array(byte, { maxLength: 30 })
  .map((bytes) => Uint8Array.from(bytes.filter((each) => each !== 0x0a)));

verifies(
  "fuzz.framing",
  "a valid line is never lost, whatever bytes surround it and however the stream is split",
  () => {
    const encoder = new TextEncoder();
    const chunkSizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(garbage, { maxLength: 6 }), chunkSizes, (noise, sizes) => {
        const valid = noise.map((_, index) => JSON.stringify({ method: "m", params: [index, "ä\u2028😀"] }));
        const bytes = noise.flatMap((bad, index) => [...bad, 0x0a, ...encoder.encode(valid[index]), 0x0a]);
        const lines: string[] = [];
        const decoder = new LineDecoder((line) => lines.push(line));
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          decoder.push(Uint8Array.from(bytes.slice(at, at + size)));
          at += size;
        }
        decoder.end();
        const expected = new Set(valid);
        expect(lines.filter((line) => expected.has(line))).toEqual(valid);
        expect(lines.length).toBeLessThanOrEqual(2 * valid.length);
      }),
      { seed: 11, numRuns: CASES },
    );
  },
  FUZZ,
);
