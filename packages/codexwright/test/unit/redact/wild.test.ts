import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { ENCODINGS, holdsSecret, keptIn, keptOfDeltas } from "./places.ts";
import { inTheWild } from "./wild.ts";

/** The fraction of all kinds that may leak in one place and one encoding. */
const MOST = 0.05;
const SEED = 20_261_116;
const IN_ENCODINGS = ["plain", "base64", "base64url without padding", "hex"];
const IN_PLACES = ["output of a command", "arguments of a tool", "name of a file", "diff", "file as base64"];

for (const [row, name] of IN_ENCODINGS.entries()) {
  verifies(
    "security.s52",
    `at most 5 % of realistic secrets, encoded as ${name}, leak in any place`,
    async () => {
      const encode = ENCODINGS[name] ?? String;
      const samples = inTheWild(SEED + row, 1);
      expect(samples.length).toBeGreaterThan(300);
      const texts = samples.map(({ text }) => encode(text));
      // Without redaction, all of them would be found.
      expect(samples.filter((sample, at) => !holdsSecret(texts[at] ?? "", sample))).toEqual([]);
      for (const place of [...IN_PLACES, "deltas", "base64 deltas"]) {
        const kept = place.endsWith("deltas")
          ? await keptOfDeltas(texts, place === "base64 deltas", SEED)
          : await keptIn(place, texts);
        expect(kept).toHaveLength(samples.length);
        const left = samples.filter((sample, at) => holdsSecret(kept[at] ?? "", sample));
        const kinds = left.map(({ kind }) => kind).join(", ");
        expect(left.length > samples.length * MOST ? `${place}: ${kinds}` : "few").toBe("few");
      }
    },
    { timeoutMs: 120_000 },
  );
}

verifies("security.s52", "finds a token on its own in a file name", async () => {
  const samples = inTheWild(SEED, 1).filter(({ token }) => token);
  for (const around of [(token: string) => token, (token: string) => `backup-${token}`]) {
    const kept = await keptIn(
      "name of a file",
      samples.map(({ secret }) => around(secret)),
    );
    const left = samples.filter((sample, at) => holdsSecret(kept[at] ?? "", sample)).map(({ kind }) => kind);
    expect(left.length > samples.length * MOST ? left : []).toEqual([]);
  }
});
