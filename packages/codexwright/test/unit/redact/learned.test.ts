import fc from "fast-check";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { KnownSecrets } from "../../../src/redact/known-secrets.ts";
import { TextIndex } from "../../../src/redact/search/text-index.ts";

const counted = (): { steps: number; index: TextIndex } => {
  const counter = { steps: 0 };
  return {
    index: new TextIndex(counter),
    get steps() {
      return counter.steps;
    },
  };
};

/**
 * Returns how many steps a search takes. It looks for `count` texts, created by `text`, in a text that repeats their
 * common part.
 */
function stepsOf(count: number, shared: number, text: (each: number, common: string) => string): number {
  const common = "ab".repeat(shared / 2);
  const made = counted();
  for (let each = 0; each < count; each++) made.index.add(text(each, common));
  made.index.seal();
  const before = made.steps;
  made.index.find(`${common}x`.repeat(Math.ceil(8_192 / shared)).slice(0, 8_192));
  return made.steps - before;
}

/** Bun's default limit is five seconds, which is too short on a busy machine. */
const SLOW = { timeoutMs: 60_000 };

const LIKENESSES: Readonly<Record<string, (each: number, common: string) => string>> = {
  heads: (each, common) => `${common}${each}`,
  tails: (each, common) => `${each}${common}`,
  middles: (each, common) => `${each}${common}${each}`,
  "heads and tails": (each, common) => `${common}${each}${common}`,
  "heads of every length": (each, common) => common.slice(0, 8 + each) + String(each),
};

for (const [what, text] of Object.entries(LIKENESSES)) {
  verifies(
    "security.s17",
    `a search takes at most two steps per character for secrets with equal ${what}`,
    () => {
      for (const count of [1, 16, 128])
        for (const shared of [16, 512, 2_048]) {
          const steps = stepsOf(count, shared, text);
          expect(steps).toBeLessThanOrEqual(2 * 8_192);
        }
    },
    SLOW,
  );
}

verifies(
  "security.s17",
  "the cost of learning secrets one by one grows linearly with their length",
  () => {
    const learn = (count: number): number => {
      const made = counted();
      for (let each = 0; each < count; each++) {
        made.index.add(`${"common head ".repeat(8)}${each}`);
        made.index.seal();
      }
      return made.steps;
    };
    const [small, large] = [learn(300), learn(2_400)];
    // Eight times as many secrets take eight times as many steps, and rebuilding the automata adds a logarithmic
    // factor.
    expect(large / small).toBeLessThan(8 * 3);
  },
  SLOW,
);

verifies(
  "security.s17",
  "a search for secrets that were learned one by one takes a few steps per character",
  () => {
    const made = counted();
    for (let each = 0; each < 2_000; each++) {
      made.index.add(`${"ab".repeat(32)}${each}`);
      made.index.seal();
    }
    const before = made.steps;
    made.index.find("ab".repeat(8_192));
    expect(made.steps - before).toBeLessThan(16_384 * 2 * 8);
  },
  SLOW,
);

verifies(
  "security.s17",
  "a learned character takes at most 64 bytes, and an automaton 64 KiB",
  () => {
    for (const [count, length] of [
      [1, 16_384],
      [2_000, 100],
      [20_000, 12],
    ] as const) {
      const made = counted();
      for (let each = 0; each < count; each++)
        made.index.add(`${each}-`.padEnd(length, String.fromCharCode(33 + (each % 90))));
      made.index.seal();
      expect(made.index.bytes).toBeLessThan(64 * count * length + 9 * 65_536);
    }
  },
  SLOW,
);

verifies(
  "security.s17",
  "the automaton finds the same matches as a search for each text",
  () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1, maxLength: 12 }),
        fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 60 }),
        (words, text) => {
          const { index } = counted();
          const covered = new Set<number>();
          for (const each of words) {
            index.add(each);
            // This also holds while texts are being added.
            index.seal();
          }
          for (const each of words)
            for (let at = text.indexOf(each); at !== -1; at = text.indexOf(each, at + 1))
              for (let place = at; place < at + each.length; place++) covered.add(place);
          const found = new Set(
            index
              .find(text)
              .flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)),
          );
          expect([...found].toSorted((a, b) => a - b)).toEqual([...covered].toSorted((a, b) => a - b));
          const open = Array.from({ length: text.length + 1 }, (_, at) => at).find((at) =>
            words.some(
              (each) => at < text.length && each.length > text.length - at && each.startsWith(text.slice(at)),
            ),
          );
          expect(index.unfinishedAt(text)).toBe(open ?? text.length);
        },
      ),
      { seed: 20_261_117, numRuns: 500 },
    );
  },
  SLOW,
);

verifies(
  "security.s51",
  "the memory for peer values is bounded, whatever the peer sends",
  () => {
    for (const [count, length] of [
      [20_000, 10],
      [60, 16_384],
    ] as const) {
      const known = new KnownSecrets();
      let most = 0;
      for (let each = 0; each < count; each++) {
        known.addOfPeer(`${each}`.padEnd(length, "x"));
        if (each % 200 === 0) known.seal();
        if (each % 200 === 0) most = Math.max(most, known.bytes);
      }
      known.seal();
      most = Math.max(most, known.bytes);
      expect(most).toBeLessThan(64 * 1024 * 1024);
      expect(known.find(`${count - 1}`.padEnd(length, "x"))).toHaveLength(1);
      expect(known.find("0".padEnd(length, "x"))).toHaveLength(0);
    }
  },
  SLOW,
);
