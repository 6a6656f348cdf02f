import fc from "fast-check";
import { expect } from "vitest";
import { parse, parseDocument } from "yaml";
import { parseWorkflow, WorkflowError, type Workflow } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { KINDS, TRACKER } from "./reading.ts";

const SECRET = "s3cr3t-of-the-tracker";
const ENV = { HOME: "/home/me", SECRET, DB: `postgres://me:${SECRET}@db` };

/** A workflow or a typed error. Any other error fails the test. */
function outcomeOf(text: string): Workflow | WorkflowError {
  try {
    return parseWorkflow(text, "/repo/WORKFLOW.md", { env: ENV, kinds: KINDS });
  } catch (error) {
    if (error instanceof WorkflowError) return error;
    throw error;
  }
}

const wrapped = (yaml: string): string => `---\n${yaml}\n---\nWork.`;

/** Ten levels of ten aliases each. */
const BOMB: string = [
  "l0: &l0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]",
  ...Array.from(
    { length: 9 },
    (_, level) =>
      `l${level + 1}: &l${level + 1} [${Array.from({ length: 10 }, () => `*l${level}`).join(", ")}]`,
  ),
].join("\n");

verifies("security.s96", "aliases cannot stand for more values than the limit", () => {
  // The attack, with one more value for each level: 10,000 from five lines.
  const small = BOMB.split("\n").slice(0, 4).join("\n");
  expect(JSON.stringify(parse(small, { maxAliasCount: -1 })).length).toBeGreaterThan(20_000);
  expect(outcomeOf(wrapped(`${TRACKER}\n${BOMB}`))).toMatchObject({
    code: "workflow_parse_error",
    message: expect.stringContaining("the front matter has more than 10000 values"),
  });
  const chain = Array.from({ length: 200 }, (_, level) => `k${level + 1}: &a${level + 1} [*a${level}]`).join(
    "\n",
  );
  expect(outcomeOf(wrapped(`${TRACKER}\nk0: &a0 []\n${chain}`))).toMatchObject({
    message: expect.stringContaining("nested deeper than 64 levels"),
  });
  const few = outcomeOf(wrapped(`${TRACKER}\nx: &x [1]\ny: [*x, *x]`));
  expect("config" in few && few.config["y"]).toEqual([[1], [1]]);
});

verifies("security.s96", "malformed front matter of any size ends in an error with a place", () => {
  const units = "[|{a: |- |? |: |'|\"|&a |!a |*a |%a\n|...\n|}|[] |a:\n|-\n|?\n|\t|#|,|>\n|a: b: |\\".split(
    "|",
  );
  for (const unit of units) {
    for (const size of [1000, 20_000, 1_000_000]) {
      const outcome = outcomeOf(`---\n${unit.repeat(size / unit.length)}`);
      expect([unit, outcome]).toEqual([unit, expect.any(WorkflowError)]);
      expect([unit, "place" in outcome && outcome.place?.line]).toEqual([unit, expect.any(Number)]);
    }
  }
});

verifies("security.s96", "many keys take no longer than their number", () => {
  const keys = Array.from({ length: 6000 }, (_, index) => `k${index}: 1`).join("\n");
  expect(outcomeOf(wrapped(`${TRACKER}\n${keys}`))).toMatchObject({ version: expect.any(String) });
});

const fragment = fc.constantFrom(
  ..."tracker|kind|toy|provider|project|codex|agent|polling|max_turns|interval_ms|hooks|budget|url|root".split(
    "|",
  ),
  ...": |\n|\n  |\n    |- |{ |} |[ |] |, |'|\"|&a |*a |!!int |? |\t|# |null|~|---|\r\n|\uFEFF|5|-1|1e999|.nan|$SECRET|$DB|__proto__|constructor|<<|%YAML 1.1|0o7|{{ issue.id }}|{% if".split(
    "|",
  ),
);

verifies("security.s96", "any text ends in a workflow or a typed error", () => {
  const texts = fc.oneof(
    fc.array(fragment, { maxLength: 60 }).map((parts) => `---\n${parts.join("")}`),
    fc.array(fragment, { maxLength: 30 }).map((parts) => wrapped(`${TRACKER}\n${parts.join("")}`)),
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.string({ unit: "binary", maxLength: 100 }).map((text) => wrapped(text)),
  );
  let good = 0;
  fc.assert(
    fc.property(texts, (text) => {
      good += outcomeOf(text) instanceof WorkflowError ? 0 : 1;
    }),
    { numRuns: 1000 },
  );
  expect(good).toBeGreaterThan(10);
  expect(Object.hasOwn(Object.prototype, "kind")).toBe(false);
});

verifies("security.s97", "no error and no warning shows a value of the front matter or of a variable", () => {
  const word = "pl4in-word-s3cr3t";
  // The parser's own errors show it.
  expect(parseDocument(`a: "${word}" x`).errors[0]?.message).toContain(word);
  const values = fc.constantFrom(
    word,
    `"${word}"`,
    `'${word}`,
    `[${word}]`,
    `{ a: ${word} }`,
    `{ ${word}`,
    `"${word}" x`,
    `!${word} x`,
    `*${word}`,
    `|\n ${word}\n${word}`,
    `a: ${word}`,
    "$SECRET",
    "$DB",
    `postgres://me:${word}@db/x`,
  );
  const keys =
    "tracker.kind tracker.provider tracker.provider.token tracker.active_states tracker.required_labels"
      .concat(" polling polling.interval_ms workspace.root hooks.timeout_ms hooks.before_run agent.max_turns")
      .concat(" agent.on_question agent.max_concurrent_agents_by_state codex.command codex.approval_policy")
      .concat(
        " budget.issue_tokens database.url database.lease_ms server.port server.host worker.slots unknown.x",
      )
      .split(" ");
  let problems = 0;
  for (const key of keys) {
    fc.assert(
      fc.property(values, (value) => {
        const parts = key.split(".");
        const yaml = parts.map((part, depth) => `${"  ".repeat(depth)}${part}:`).join("\n");
        const outcome = outcomeOf(wrapped(`${key.startsWith("tracker") ? "" : TRACKER}\n${yaml} ${value}`));
        const said = outcome instanceof WorkflowError ? outcome.message : outcome.warnings.join("\n");
        problems += said === "" ? 0 : 1;
        expect(said).not.toContain(word);
        expect(said).not.toContain(SECRET);
        if (!(outcome instanceof WorkflowError)) expect(JSON.stringify(outcome.config)).not.toContain(SECRET);
      }),
      { numRuns: 30 },
    );
  }
  expect(problems).toBeGreaterThan(300);
});

verifies("security.s97", "a secret that is written into the file is warned of", () => {
  const yaml = `tracker: { kind: toy, provider: { project: p, token: ${SECRET} } }\ndatabase: { url: "postgres://me:pw@db" }`;
  const outcome = outcomeOf(wrapped(yaml));
  expect("warnings" in outcome && outcome.warnings).toEqual([
    "line 3: database.url contains a secret; write `$VAR` and set the variable instead",
    "line 2: tracker.provider.token contains a secret; write `$VAR` and set the variable instead",
  ]);
});
