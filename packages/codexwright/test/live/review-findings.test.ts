import { reply } from "@codexwright/testing";
import { expect } from "vitest";
import { PINNED_CODEX } from "../../../../scripts/codex-versions.ts";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { verifies } from "@codexwright/test-support/verifies";
import { world } from "@codexwright/test-support/world";

const finding = (title: string, body: string, absolute_file_path: string, start: number, end: number) => ({
  title,
  body,
  confidence_score: 0.5,
  priority: 1,
  code_location: { absolute_file_path, line_range: { start, end } },
});

const overall = { overall_correctness: "patch is incorrect", overall_confidence_score: 0.5 };

const ONE = finding("[P1] Guard — it", "First.\n\n- x — /y.ts:1-2\n    indented\n\nLast.\n", "/a b.ts", 3, 9);
const TWO = finding("No mark", "Full review comments:\n\n- z — /z:1-1", "/b.ts", 1, 1);

/** The reviewer's answers, each with its number of findings. */
const REVIEWS: readonly (readonly [unknown, number])[] = [
  [{ findings: [ONE, TWO], overall_explanation: "Two problems.", ...overall }, 2],
  [{ findings: [ONE], overall_explanation: "", ...overall }, 1],
  [{ findings: [], overall_explanation: "Fine.", ...overall }, 0],
  // Without its numbers, the server does not recognise it as a review.
  [{ findings: [{ ...TWO, priority: undefined, confidence_score: undefined }] }, 1],
  ["The reviewer speaks freely.", 0],
];

for (const version of ["0.98.0", "0.166.0"]) {
  const isPinned = version === PINNED_CODEX;
  verifies(
    "review.findings",
    `reads from the text that Codex ${version} renders exactly the findings that the reviewer wrote`,
    async () => {
      await using live = await world(
        ({ index }) => {
          const [answer] = REVIEWS[index] ?? [""];
          return reply(typeof answer === "string" ? answer : JSON.stringify(answer));
        },
        isPinned ? {} : { codexPath: await codexBinary(version) },
      );
      const thread = await live.codex.startThread();
      for (const [answer, count] of REVIEWS) {
        const target = { type: "custom", instructions: "Look at it." } as const;
        const { findings } = await live.codex.runReview({ threadId: thread.id, target });
        expect(findings.length).toBe(count);
        const { findings: given = [] } = answer as { findings?: readonly (typeof ONE)[] };
        for (const [index, { title, body, code_location: place }] of given.entries()) {
          expect(findings[index]).toMatchObject({
            title: title.replace("[P1] ", ""),
            body: body.trimEnd(),
            file: place.absolute_file_path,
            lines: place.line_range,
          });
        }
      }
    },
    { against: `codex ${version}`, timeoutMs: 120_000 },
  );
}
