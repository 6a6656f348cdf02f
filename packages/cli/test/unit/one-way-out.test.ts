import fc from "fast-check";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { clean, escaped, jsonText, visible } from "../../src/shared/text.ts";
import { shown } from "../../src/shared/terminal.ts";
import { hiddenIn, HOSTILE } from "../support/tainted.ts";

verifies(
  "security.s18",
  "escapes every character that is a control, changes direction or is invisible",
  () => {
    const leaks: string[] = [];
    for (let code = 0; code <= 0x10_ff_ff; code++) {
      const char = String.fromCodePoint(code);
      if (hiddenIn(char) === undefined) continue;
      const text = `a${char}b`;
      for (const made of [clean(text), visible(text), escaped(text), shown(text), jsonText({ [text]: text })])
        if (hiddenIn(made) !== undefined) leaks.push(`${code.toString(16)} ${made}`);
      expect(JSON.parse(jsonText({ [text]: text }))).toEqual({ [text]: text });
    }
    expect(leaks).toEqual([]);
  },
);

verifies(
  "security.s18",
  "escapes them in any order within any text, also beside emoji and joined scripts",
  () => {
    const hostile = Array.from(HOSTILE);
    const piece = fc.oneof(
      fc.constantFrom(...hostile),
      fc.constantFrom(
        "a",
        "1",
        "\u{1F469}",
        "\u2764",
        "\u{1F3FD}",
        "\u20E3",
        "\u06CC",
        "\u0915",
        "\uFE0F",
        "\u200C",
        "\u200D",
        "\u061C",
        "\u17B4",
        "\u1780",
      ),
      fc.constantFrom(
        "\u001B[1m",
        "\u001B[22m",
        "\u001B[8m",
        "\u001B[38;5;1m",
        "\u001B[2J",
        "\u001B]8;;x\u0007",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        expect(hiddenIn(visible(text))).toBeUndefined();
        expect(hiddenIn(jsonText(text))).toBeUndefined();
        for (const made of [clean(text), escaped(text), shown(text)]) {
          // Each of these appears between or after the characters that it belongs to, and never twice.
          const joined =
            /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F|[\p{L}\p{M}])[\u200C\u200D](?=\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\p{L}\p{M}])/gu;
          const selected =
            /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier})[\uFE0E\uFE0F]|[\uFE0E\uFE0F](?=\u20E3)/gu;
          // oxlint-disable-next-line no-control-regex -- these are the colours of our styles
          const rest = made.replaceAll(/\u001B\[(?:[0-4]|7|9|2[2-9]|3[0-7]|39|9[0-7])?m/g, "");
          expect(hiddenIn(rest.replaceAll(joined, "").replaceAll(selected, ""))).toBeUndefined();
        }
        expect(clean(clean(text))).toBe(clean(text));
        expect(shown(shown(text))).toBe(shown(text));
      }),
      { seed: 18, numRuns: 500 },
    );
  },
);

verifies("security.s18", "shows text that needs joiners and selectors unchanged", () => {
  const texts = [
    "👩‍👩‍👧‍👦 👩🏽‍💻 ❤️ 🏳️‍🌈 1️⃣ 🇩🇪 ☎︎",
    "می‌خواهم",
    "क्‍ष ක්‍ෂ",
    "עברית and العربية",
    "Ünïcödé — “quotes” … 日本語 한국어",
    "tab\tand\nline",
  ];
  for (const text of texts) {
    expect(clean(text)).toBe(text);
    expect(shown(`\u001B[1m${text}\u001B[22m`)).toBe(`\u001B[1m${text}\u001B[22m`);
  }
  expect(clean("a\u202Eb\u061C\u{E0041}\u001B[31mc\u001B[39m")).toBe("a<U+202E>b<U+061C><U+E0041>c");
});
