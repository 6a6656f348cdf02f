import fc from "fast-check";
import { expect } from "vitest";
import { LineDecoder } from "codexwright/rpc";
import { verifies } from "@codexwright/test-support/verifies";

const encoder = new TextEncoder();

function decode(chunks: readonly Uint8Array[]): string[] {
  const lines: string[] = [];
  const decoder = new LineDecoder((line) => lines.push(line));
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
  return lines;
}

verifies("rpc.framing", "only a line feed ends a line; U+2028, U+2029, U+0085 and a lone CR are text", () => {
  const text = "a\u2028b\u2029c\u0085d\re\u000bf";
  expect(decode([encoder.encode(`${text}\nnext\n`)])).toEqual([text, "next"]);
});

verifies("rpc.framing", "strips one CR before the line feed and skips blank lines", () => {
  expect(decode([encoder.encode("a\r\n\r\n\nb\r\r\nc")])).toEqual(["a", "b\r", "c"]);
});

verifies("rpc.framing", "keeps a byte order mark inside the stream", () => {
  expect(decode([encoder.encode("a\n\ufeffb\n")])).toEqual(["a", "\ufeffb"]);
});

verifies(
  ["rpc.framing", "spec001.framing"],
  "decodes characters that are split between chunks at any byte",
  () => {
    const text = 'ä€😀\u2028"quoted"';
    const bytes = encoder.encode(`${text}\n${text}\n`);
    expect(decode(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual([text, text]);
  },
);

verifies("rpc.framing", "restores the lines of any text from any chunks", () => {
  const line = fc.string({ unit: "binary", maxLength: 20 });
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat({ max: 200 })), (texts, cuts) => {
      const whole = `${texts.join("\n")}\n`;
      const bytes = encoder.encode(whole);
      const at = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length];
      const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      const expected = new TextDecoder("utf-8", { ignoreBOM: true })
        .decode(bytes)
        .split("\n")
        .map((each) => (each.endsWith("\r") ? each.slice(0, -1) : each))
        .filter((each) => each !== "");
      expect(decode(chunks)).toEqual(expected);
    }),
    { seed: 1, numRuns: 300 },
  );
});

verifies("rpc.long-line", "joins the 64 KiB chunks of a line of 70 MB only once", () => {
  const chunk = new Uint8Array(64 * 1024).fill(0x61);
  const count = 1_100;
  const lines = decode([...Array.from({ length: count }, () => chunk), encoder.encode("\nshort\n")]);
  expect(lines.map((line) => line.length)).toEqual([count * chunk.length, 5]);
});

verifies(
  "rpc.line-limit",
  "a line at the limit passes and a longer one ends the decoding, from any chunks",
  () => {
    const line = fc.string({ unit: fc.constantFrom("a", "é", "\r", "😀"), maxLength: 12 });
    fc.assert(
      fc.property(
        fc.array(line),
        fc.array(fc.nat({ max: 200 })),
        fc.integer({ min: 1, max: 30 }),
        (texts, cuts, most) => {
          const bytes = encoder.encode(texts.map((text) => `${text}\n`).join(""));
          const at = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length];
          const lines: string[] = [];
          const decoder = new LineDecoder((each) => lines.push(each), most);
          for (const [index, end] of at.slice(1).entries()) {
            decoder.push(bytes.subarray(at[index], end));
            expect(decoder.waiting).toBeLessThanOrEqual(most);
          }
          decoder.end();
          const long = texts.findIndex((text) => encoder.encode(text).length > most);
          expect(decoder.isTooLong).toBe(long !== -1);
          const whole = long === -1 ? texts : texts.slice(0, long);
          expect(lines).toEqual(whole.map((text) => text.replace(/\r$/, "")).filter((text) => text !== ""));
        },
      ),
      { seed: 92, numRuns: 500 },
    );
  },
);

verifies(
  "rpc.line-limit",
  "a line that is dribbled byte by byte passes at the limit, and not with one byte more",
  () => {
    const most = 100_000;
    for (const [length, passes] of [
      [most, true],
      [most + 1, false],
    ] as const) {
      const lines: number[] = [];
      const decoder = new LineDecoder((line) => lines.push(line.length), most);
      for (let at = 0; at < length; at++) decoder.push(Uint8Array.of(0x61));
      expect(decoder.isTooLong).toBe(!passes);
      decoder.push(encoder.encode("\nnext\n"));
      expect(lines).toEqual(passes ? [most, 4] : []);
      expect(decoder.waiting).toBe(0);
    }
  },
);
