import { jsonSchema } from "codexwright";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { extentsIn, jsonIn } from "../../../src/schema/json-in-text.ts";
import { strictOutput } from "../../../src/schema/output.ts";
import { verifies } from "@codexwright/test-support/verifies";

const Answer = z.object({ a: z.number(), s: z.string().optional() });
const output = strictOutput(Answer);

async function read(text: string): Promise<unknown> {
  const parsed = await output.parse(text);
  return parsed.ok ? parsed.value : undefined;
}

const F = "```";

const READ: Readonly<Record<string, string>> = {
  "a sentence before": 'Here it is: {"a":1}',
  "a sentence after": '{"a":1}\nI hope this helps.',
  "a fence with text around it": `Sure!\n\n${F}json\n{"a":1}\n${F}\n\nAnything else?`,
  "a fence without a language": `Sure:\n${F}\n{"a":1}\n${F}`,
  "a fence of tildes": `Sure:\n~~~ json\n{"a":1}\n~~~\nBye.`,
  "a longer fence that shows a fence": `So:\n${F}${F}\n{"a":1,"s":"${F}"}\n${F}${F}\n`,
  "a fence in a list": `1. So:\n\n   ${F}json\n   {"a":1}\n   ${F}\n`,
  "a fence that is never closed": `So:\n${F}json\n{"a":1}`,
  "a fence on one line": `So: ${F}json {"a":1} ${F} bye`,
  "a fence on a line of its own": `${F}json {"a":1}${F}`,
  "a fence with a note in it": `${F}\n// the answer\n{"a":1}\n${F}`,
  "carriage returns": `Sure!\r\n${F}json\r\n{\r\n"a": 1\r\n}\r\n${F}\r\nBye.`,
  "a fence inside a string": `So: {"a":1,"s":"${F}json\\n{\\"a\\":2}\\n${F}"} done`,
  "brackets in a string": 'So: {"a":1,"s":"}]{[\\"}"} done',
  "an escaped backslash before the quote": 'So: {"a":1,"s":"\\\\"} done',
  "brackets in the prose before": 'See [this] and {that} and {{x}} [1] [ ] []: {"a":1}',
  "an opening bracket in the prose before": 'Sets are written with { and [ as in: {"a":1}',
  "closing brackets in the prose": 'So ] } ]: {"a":1} } ]',
  "quotes in the prose": 'He said "so {"a":1}',
  "an apostrophe in the prose": 'Don\'t: {"a":1}',
  "characters outside the basic plane": 'Voilà 😀𝄞 {"a":1,"s":"😀 \u2028"} 😀',
  "a byte order mark": '\uFEFF{"a":1}',
  "a value that does not match, then one that does": 'Not {"b":2} but {"a":1}',
  "a value that matches, then one that does not": '{"a":1} and not {"b":2}',
  "a list, then an object": '[1, 2, 3] {"a":1}',
  "invalid JSON, then valid JSON": '{"a":2,} is wrong, {"a":1} is right',
  "a value in prose, then one in a fence": `For example {"a":9}.\n${F}json\n{"a":1}\n${F}`,
  "a half-open interval in prose, then a fence": `On [0, 1) it is:\n${F}json\n{"a":1}\n${F}`,
  "two fences": `${F}js\nlet x = [0];\n${F}\n${F}json\n{"a":1}\n${F}`,
  "a fence that does not match, and prose that does": `${F}json\n{"b":1}\n${F}\nor {"a":1}`,
  "white space only": ' \n\t{\n"a"\t:1 }\r\n ',
};

verifies("output.embedded", "reads JSON between sentences and in fences", async () => {
  const wrong: string[] = [];
  for (const [what, text] of Object.entries(READ))
    if (((await read(text)) as { a?: number } | undefined)?.a !== 1) wrong.push(what);
  expect(wrong).toEqual([]);
});

const NOT_READ: Readonly<Record<string, string>> = {
  prose: "I cannot do that.",
  "a truncated value": 'So: {"a":1',
  "a complete value inside a truncated one": 'So: {"kids":[{"a":1},{"a":2}',
  "a complete value inside invalid JSON": 'So: {"kid": {"a":1}, \'x\': 2}',
  "a complete value inside a JavaScript object": 'So: {kid: {"a":1}}',
  "a complete value inside brackets in prose": 'So: [see {"a":1}]',
  "a complete value inside a list": '[{"a":1}]',
  "a complete value inside a list in prose": 'So: [{"a":1}] and no more',
  "a complete value inside one that does not match": 'So: {"kid":{"a":1}} and no more',
  "a complete value inside a string": 'So: {"b":"{\\"a\\":1}"} and no more',
  "a line break in a string": 'So: {"a":1,"s":"x\ny"}',
  "a fence that contains a part": `So:\n${F}json\n{"kids":[{"a":1},\n${F}`,
  "a truncated JavaScript object": 'So: { name: "x", kid: {"a":1}',
  "a truncated object in single quotes": "So: {'kid': {\"a\":1}",
  "a truncated list in single quotes": "So: ['x', {\"a\":1}",
  "a truncated object with a comment": 'So: { // the answer\n"kid": {"a":1}',
  "a truncated object with unusual white space": 'So: {\u00A0"kid": {"a":1}',
  "a bracket in a string of a JavaScript object": 'So: {s: "}", kid: {"a":1}}',
  "a bracket after a line break in a string": 'So: {"s":"x\ny } z","kid":{"a":1}}',
  "code with line breaks in a string": 'So: {"s":"if (x) {\n  y();\n}}","kid":{"a":1}}',
  "a fence in a string with line breaks": `So: {"s":"see\n${F}json\n{"a":1}\n${F}\n"}`,
  "a fence in a truncated list": `[{"s":"see\n${F}json\n{"a":1}\n${F}\n"}`,
  "a fence in a string of a fence": `${F}json\n{"s":"\n${F}\n{"a":1}\n${F}\n"}\n${F}`,
  "mismatched brackets": 'So: {"a":1] and no more',
};

verifies("output.embedded", "never mistakes a part of another value for the answer", async () => {
  const wrong: string[] = [];
  for (const [what, text] of Object.entries(NOT_READ)) if ((await read(text)) !== undefined) wrong.push(what);
  expect(wrong).toEqual([]);
});

const STYLES: Readonly<Record<string, (json: string) => string>> = {
  JSON: (json) => json,
  "line breaks in strings": (json) => json.replaceAll("\\n", "\n"),
  "names without quotes": (json) => json.replaceAll(/"(\w+)":/g, "$1:"),
  "names in single quotes": (json) => json.replaceAll(/"(\w+)":/g, "'$1':"),
  comments: (json) => json.replaceAll(/\{\n/g, "{ // as asked\n"),
  "trailing commas": (json) => json.replaceAll(/\n( *[}\]])/g, ",\n$1"),
};

verifies("output.embedded", "rejects a document that is truncated at any place, in any style", async () => {
  // Every object in the document would match as the answer.
  const any = strictOutput(jsonSchema({ type: "object", properties: {} }, (value) => value));
  const document = {
    s: 'x } ] { [ "q" \\ ',
    kids: [
      { s: "one\ntwo {} three }", kids: [{ a: 3 }, { s: '"a":5}' }] },
      { a: 6, kids: [] },
    ],
  };
  const wrong = new Set<string>();
  for (const [style, styled] of Object.entries(STYLES))
    for (const indent of [0, 2])
      for (const before of ["", "So: ", `So:\n${F}json\n`]) {
        const text = styled(JSON.stringify(document, null, indent));
        for (let end = 1; end < text.length; end++)
          if ((await any.parse(before + text.slice(0, end))).ok) wrong.add(`${style} ${indent} ${before}`);
        const whole = await any.parse(before + text);
        if (whole.ok && JSON.stringify(whole.value) !== JSON.stringify(document))
          wrong.add(`all of ${style}`);
      }
  expect([...wrong]).toEqual([]);
});

verifies("output.embedded", "ignores empty brackets in prose but accepts them in a fence", async () => {
  const list = strictOutput(z.object({ items: z.array(z.number()).default([]) }));
  for (const text of ["- [ ] do it\n- {} x", "{ } and []"]) expect((await list.parse(text)).ok).toBe(false);
  for (const text of ["{}", `So:\n${F}json\n{}\n${F}`]) expect((await list.parse(text)).ok).toBe(true);
});

verifies("output.embedded", "reports the issues of the longest value if nothing matches", async () => {
  const parsed = await output.parse('As in [1]: {"a":"x","s":"some text"} or {"b":2}');
  expect(parsed).toMatchObject({ ok: false, issues: [{ path: "a" }] });
});

verifies("output.embedded", "finds any value in any prose around it", async () => {
  const bracketless = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[[\]{}`~"]/gu, ""));
  const text = fc.string({
    unit: fc.constantFrom("{", "}", "[", "]", '"', "\\", "`", "~", "\n", "a", "😀", "\u2028"),
  });
  const value = fc.record({ a: fc.integer(), s: text, more: fc.jsonValue() });
  const Loose = strictOutput(
    jsonSchema(
      { type: "object", properties: { a: { type: "integer" }, s: { type: "string" } }, required: ["a", "s"] },
      (given) => given,
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      bracketless,
      value,
      bracketless,
      fc.boolean(),
      fc.constantFrom(undefined, 2),
      async (before, given, after, fenced, indent) => {
        const json = JSON.stringify(given, null, indent);
        const around = fenced ? `${before}\n${F}json\n${json}\n${F}\n${after}` : `${before} ${json} ${after}`;
        expect(await Loose.parse(around)).toEqual({ ok: true, value: JSON.parse(json) });
      },
    ),
    { seed: 11, numRuns: 300 },
  );
});

verifies(
  "output.embedded",
  "the extents that are found in any text are disjoint, in order and inside the text",
  () => {
    const unit = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      "\\",
      F,
      "~~~",
      "\n",
      " ",
      ":",
      ",",
      "1",
      "a",
      '{"a":1}',
      "😀",
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        let last = 0;
        for (const { start, end } of extentsIn(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
        for (const { value } of jsonIn(text)) expect(value).not.toBe(undefined);
      }),
      { seed: 12, numRuns: 2_000 },
    );
  },
);

verifies("output.embedded", "validates at most 32 values, the longest ones", async () => {
  let validated = 0;
  const counting = strictOutput(
    jsonSchema({ type: "object", properties: {} }, (value) => {
      validated++;
      if (!Object.hasOwn(value as object, "answer")) throw new Error("no");
      return value;
    }),
  );
  const noise = '{"n":1} '.repeat(20_000);
  expect((await counting.parse(noise)).ok).toBe(false);
  expect(validated).toBe(32);
  expect(await counting.parse(`${noise} {"answer":"yes"} ${noise}`)).toEqual({
    ok: true,
    value: { answer: "yes" },
  });
});

const ATTACKS: Readonly<Record<string, (size: number) => string>> = {
  "opening braces": (size) => "{".repeat(size),
  "opening brackets": (size) => "[".repeat(size),
  "alternating braces": (size) => "{[".repeat(size / 2),
  "unfinished keys": (size) => '{"a":'.repeat(size / 5),
  "deep nesting": (size) => `${"[".repeat(size / 2)}${"]".repeat(size / 2)} x`,
  "deep nesting with an error": (size) => `x ${'{"a":'.repeat(size / 10)}?${"}".repeat(size / 10)}`,
  "many values": (size) => '{"b":1} '.repeat(size / 8),
  quotes: (size) => `{${'"'.repeat(size)}`,
  backslashes: (size) => `{"${"\\".repeat(size)}`,
  "closing fences": (size) => `${F}\n`.repeat(size / 4),
  "longer and longer fences": (size) =>
    Array.from({ length: Math.sqrt(2 * size) }, (_, at) => "`".repeat(at + 3)).join("\n"),
  "spaces before fences": (size) => `${" ".repeat(Math.sqrt(size))}${F}x\n`.repeat(Math.sqrt(size)),
  "spaces after a brace": (size) => `{${" ".repeat(Math.sqrt(size))}`.repeat(Math.sqrt(size)),
  "unfinished names": (size) => "{ab".repeat(size / 3),
  "unfinished strings": (size) => '{"a\n'.repeat(size / 4),
  "prose in brackets": (size) => "[x {y] z} ".repeat(size / 10),
};

test.each(Object.entries(ATTACKS))("reading %s takes linear time", (_, attack) => {
  const looks = (size: number): number => looksAt(attack(size));
  // Twice the text may take about twice as long. Quadratic time would take four times as long.
  expect(looks(20_000) / looks(10_000)).toBeLessThan(2.5);
  expect(looks(10_000)).toBeLessThan(20 * 10_000);
});

/** Counts the characters that are read. A slice counts as all of its characters, because they are read next. */
function looksAt(text: string): number {
  let looks = 0;
  const watched = new Proxy(new String(text), {
    get: (_, key) => {
      looks++;
      if (key === "length") return text.length;
      if (key === "indexOf")
        return (searched: string, from: number): number => {
          const found = text.indexOf(searched, from);
          looks += (found < 0 ? text.length : found) - from;
          return found;
        };
      if (key === "slice")
        return (from: number, to: number): string => {
          looks += to - from;
          return text.slice(from, to);
        };
      return text[Number(key)];
    },
  });
  extentsIn(watched as unknown as string);
  return looks;
}
