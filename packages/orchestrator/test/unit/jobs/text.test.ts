import fc from "fast-check";
import { expect } from "vitest";
import { decodeText, encodeText } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { issue } from "../../support/issues.ts";
import { temporaryStore } from "../../support/job-store.ts";

const SEED = 20;
/** Texts with what PostgreSQL refuses, and with what looks like our own escapes. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "'; DROP TABLE codexwright.claims; --",
        "$1",
        "\\'",
        "\u0000",
        "\ud800",
        "\udfff",
        "\u001a",
        "\u001a0000",
        "\\u0000",
        "\ud83d\ude00",
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

verifies(
  "fleet.jobs.text",
  "every text is stored without NUL and lone surrogates, and read as it was",
  () => {
    fc.assert(
      fc.property(text, fc.string({ unit: "binary" }), (one, other) => {
        const stored = encodeText(one);
        expect(stored).not.toContain("\u0000");
        expect(stored).not.toMatch(/\p{Surrogate}/u);
        expect(decodeText(stored)).toBe(one);
        expect(encodeText(other) === stored).toBe(other === one);
      }),
      { seed: SEED, numRuns: 2000 },
    );
  },
);

verifies(
  ["fleet.jobs.text", "security.s106"],
  "issues with hostile texts are admitted, and read as they were",
  async () => {
    await using temporary = await temporaryStore();
    const { store } = temporary;
    await store.putScope("s", { version: "v1", path: "/WORKFLOW.md", text: "\u0000\ud800" });
    expect((await store.workflow("v1"))?.text).toBe("\u0000\ud800");
    let number = 0;
    await fc.assert(
      fc.asyncProperty(text, text, async (one, other) => {
        const hostile = issue(number++, {
          id: `${number}${one}`,
          title: other,
          description: one,
          state: `Todo${other}`,
          labels: [one, other],
          native_ref: { [one]: other, list: [one, null, 1.5] },
        });
        expect(await store.admit("s", [{ issue: hostile }], { global: 10_000, byState: {} })).toEqual([
          { issueId: hostile.id, refused: null },
        ]);
        const { claim, events } = await store.issue("s", hostile.id);
        expect(claim?.issue).toEqual(hostile);
        expect(events[0]?.issueId).toBe(hostile.id);
      }),
      { seed: SEED, numRuns: 60 },
    );
  },
);

verifies("security.s106", "without the codec, the database refuses such texts or changes them", async () => {
  const { PGlite } = await import("@electric-sql/pglite");
  const pglite = await PGlite.create();
  try {
    const echo = async (value: string): Promise<unknown> =>
      await pglite.query<{ text: unknown }>("SELECT $1::text AS text", [value]).then(
        ({ rows }) => rows[0]?.text,
        () => "refused",
      );
    for (const hostile of ["a\u0000b", "a\ud800b", "\udfff"]) {
      expect(await echo(hostile)).not.toBe(hostile);
      expect(decodeText(String(await echo(encodeText(hostile))))).toBe(hostile);
    }
  } finally {
    await pglite.close();
  }
});
