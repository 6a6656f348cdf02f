import { fakeAppServer, reply } from "@codexwright/testing";
import { CodexClient } from "codexwright";
import fc from "fast-check";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { completed, connected, message, note } from "../fake-turn.ts";
import { findingsOf } from "../../../../src/client/review/review-findings.ts";

interface Written {
  readonly title: string;
  readonly body: string;
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** Renders a review like the server does; a test in test/live compares it with the server. */
function rendered(explanation: string, findings: readonly Written[]): string {
  const heading = findings.length > 1 ? "Full review comments:" : "Review comment:";
  const blocks = findings.map(({ title, body, file, start, end }) =>
    [`- ${title} — ${file}:${start}-${end}`, ...body.split("\n").map((line) => `  ${line}`)].join("\n"),
  );
  return [explanation, heading, blocks.join("\n\n")]
    .filter((part) => part !== "")
    .join("\n\n")
    .trim();
}

const TEXTS = [
  "Full review comments:",
  "- x — /y:1-2",
  "  - x — /y:1-2",
  "a — b",
  "{}",
  '{"findings": []}',
  "",
];
const line = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ maxLength: 12 }));
const written: fc.Arbitrary<Written> = fc.record({
  title: fc
    .tuple(fc.constantFrom("", "[P0] ", "[P3] "), line)
    .map(([mark, text]) => `${mark}${text.replaceAll(/[\n\r]/g, " ").replace(/^\[P\d\]/, "")}`),
  body: fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n").replaceAll("\r", " ")),
  file: fc.constantFrom("/a/b.ts", "/a b/c:3.ts", "/-", "C:\\x\\y.ts"),
  start: fc.nat(),
  end: fc.nat({ max: 4_294_967_295 }),
});

verifies("review.findings", "returns the findings as they were written, for any texts", () => {
  fc.assert(
    fc.property(fc.array(written, { minLength: 1, maxLength: 5 }), line, (findings, explanation) => {
      const found = findingsOf(rendered(explanation.trim(), findings));
      expect(found).toEqual(
        findings.map(({ title, body, file, start, end }) => ({
          title: title.replace(/^\[P\d\] /, ""),
          priority: /^\[P\d\] /.test(title) ? Number(title[2]) : null,
          body: body.trimEnd(),
          confidence: null,
          file,
          lines: { start, end },
        })),
      );
    }),
    { seed: 15, numRuns: 500 },
  );
});

verifies("review.findings", "returns no findings for a text of another form", () => {
  for (const text of [
    "",
    "Fine.",
    "Review comment:",
    "Full review comments:\n\nnone",
    "Review comment:\n\n- no place",
    "{",
    '{"findings": 3}',
    '"findings"',
    "- x — /y:1-2",
  ]) {
    expect(findingsOf(text)).toEqual([]);
  }
});

verifies("review.findings", "reads findings from JSON that the server passed on unchanged", () => {
  const json = JSON.stringify({
    findings: [
      { title: "[P1] One", body: "Body.", priority: 2, code_location: { absolute_file_path: "/a" } },
      { title: "Two", code_location: { line_range: { start: 3 } } },
      7,
    ],
  });
  const expected = [
    { title: "One", body: "Body.", priority: 2, confidence: null, file: "/a", lines: null },
    { title: "Two", body: "", priority: null, confidence: null, file: null, lines: { start: 3, end: 3 } },
    { title: "", body: "", priority: null, confidence: null, file: null, lines: null },
  ];
  expect(findingsOf(json)).toEqual(expected);
  expect(findingsOf(`Here:\n\`\`\`json\n${json}\n\`\`\`\n`)).toEqual(expected);
});

verifies("review.findings", "keeps a title of several lines together", () => {
  expect(findingsOf("Review comment:\n\n- One\ntwo — /a:1-2\n  Body.")).toEqual([
    {
      title: "One\ntwo",
      body: "Body.",
      priority: null,
      confidence: null,
      file: "/a",
      lines: { start: 1, end: 2 },
    },
  ]);
});

verifies(
  "review.findings",
  "runReview() returns the findings",
  async () => {
    const location = { absolute_file_path: "/a.ts", line_range: { start: 1, end: 2 } };
    const answer = { findings: [{ title: "[P1] One", body: "Body.", code_location: location }] };
    await using fake = fakeAppServer({ model: [reply(JSON.stringify(answer))] });
    await using codex = await CodexClient.connect({ transport: fake.transport });
    const { id: threadId } = await codex.startThread();
    const target = { type: "uncommittedChanges" } as const;
    const { findings } = await codex.runReview({ threadId, target });
    expect(findings).toEqual([
      {
        title: "One",
        body: "Body.",
        priority: 1,
        confidence: null,
        file: "/a.ts",
        lines: { start: 1, end: 2 },
      },
    ]);
  },
  { against: "fake" },
);

verifies("review.findings", "ignores numbers that cannot be a priority or a line number", () => {
  const json = (priority: unknown, start: unknown, end: unknown): string =>
    JSON.stringify({
      findings: [
        {
          title: "[P2] x",
          body: "y",
          priority,
          code_location: { absolute_file_path: "/z", line_range: { start, end } },
        },
      ],
    });
  for (const odd of [-1, 0.5, 1e300, "1", null, [], {}]) {
    expect(findingsOf(json(odd, odd, odd))).toMatchObject([{ priority: 2, lines: null }]);
    expect(findingsOf(json(1, 3, odd))).toMatchObject([{ priority: 1, lines: { start: 3, end: 3 } }]);
  }
});

verifies("review.findings", "falls back to the final answer if the review item has no text", async () => {
  for (const review of [0, 5, true, {}, [], ["x"], { split: 1 }]) {
    const place = { threadId: "t1", turnId: "u1" };
    const item = { type: "exitedReviewMode", id: "i1", review };
    await using server = await connected([
      { on: "review/start", result: { turn: { id: "u1" }, reviewThreadId: "t1" } },
      note("turn/started", { threadId: "t1", turn: { id: "u1" } }),
      note("item/completed", { ...place, item }),
      message("i2", "Fine."),
      completed("completed"),
    ]);
    const target = { type: "custom", instructions: "Look." } as const;
    expect(await server.codex.runReview({ threadId: "t1", target })).toMatchObject({
      reviewText: "Fine.",
      findings: [],
    });
  }
});
