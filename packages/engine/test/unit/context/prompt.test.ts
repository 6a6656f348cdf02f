import fc from "fast-check";
import { expect } from "vitest";
import type { WireObject } from "@codexwright/engine";
import { cut, cutOutput, marked, OUTPUT_TOKENS, promptOf } from "@codexwright/engine/internal";
import { verifies } from "@codexwright/test-support/verifies";

const OPTIONS = { images: true, provider: "own", origin: "own" };
const SEED = { seed: 166, numRuns: 300 };

const callId = fc.constantFrom("a", "b", "c", "");
const content = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("input_text"), text: fc.string() }),
    fc.record({ type: fc.constant("input_image"), image_url: fc.constant("data:image/png;base64,AA==") }),
    fc.constant(7 as unknown as WireObject),
  ),
  { maxLength: 3 },
);
const output = fc.oneof(fc.string(), content, fc.constant(undefined), fc.integer());

/** Items that a conversation should have, and items that it should not. */
const item: fc.Arbitrary<WireObject> = fc.oneof(
  fc.record({
    type: fc.constant("message"),
    id: fc.string(),
    role: fc.constantFrom("user", "assistant", "developer"),
    content,
  }),
  fc.record({
    type: fc.constant("function_call"),
    id: fc.string(),
    call_id: callId,
    name: fc.string(),
    arguments: fc.string(),
  }),
  fc.record({ type: fc.constant("function_call_output"), call_id: callId, output }),
  fc.record({
    type: fc.constant("custom_tool_call"),
    call_id: callId,
    name: fc.string(),
    input: fc.string(),
  }),
  fc.record({ type: fc.constant("custom_tool_call_output"), call_id: callId, output }),
  fc.record({
    type: fc.constant("reasoning"),
    id: fc.string(),
    summary: fc.array(fc.object(), { maxLength: 2 }),
    encrypted_content: fc.string(),
  }),
  fc.object() as fc.Arbitrary<WireObject>,
);

const OUTPUT_OF: Readonly<Record<string, string>> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
};

/** The calls without exactly one later output of their kind, and the outputs without a call before them. */
function unpaired(items: readonly WireObject[]): WireObject[] {
  const open: { readonly key: string; readonly item: WireObject }[] = [];
  const wrong: WireObject[] = [];
  for (const each of items) {
    const type = String(each["type"]);
    const id = String(each["call_id"]);
    if (OUTPUT_OF[type]) open.push({ key: `${OUTPUT_OF[type]} ${id}`, item: each });
    else if (type.endsWith("_call_output")) {
      const at = open.findIndex(({ key }) => key === `${type} ${id}`);
      if (at === -1) wrong.push(each);
      else open.splice(at, 1);
    }
  }
  return [...wrong, ...open.map((each) => each.item)];
}

verifies("engine.loop.prompt", "pairs calls and outputs in any conversation", () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 20 }), (history) => {
      const prompt = promptOf(history, OPTIONS);
      expect(unpaired(prompt)).toEqual([]);
      expect(prompt.every(({ type }) => typeof type === "string")).toBe(true);
      // A prompt is valid, so it stays as it is.
      expect(promptOf(prompt, OPTIONS)).toEqual(prompt);
    }),
    SEED,
  );
});

verifies("engine.loop.cache", "a longer conversation has the shorter one's prompt as its beginning", () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 12 }), fc.array(item, { maxLength: 12 }), (before, more) => {
      // When a request is made, every call has its output.
      const settled = promptOf(before, OPTIONS);
      const first = promptOf(settled, OPTIONS);
      expect(promptOf([...settled, ...more], OPTIONS).slice(0, first.length)).toEqual(first);
    }),
    SEED,
  );
});

verifies("engine.loop.prompt", "answers a lost call, and leaves out an output before its call", () => {
  const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
  const answer = { type: "function_call_output", call_id: "c", output: "done" };
  expect(promptOf([answer, call], OPTIONS)).toEqual([call, { ...answer, output: "aborted" }]);
  expect(promptOf([call, answer, answer], OPTIONS)).toEqual([call, answer]);
});

verifies("engine.loop.prompt", "removes ids, images and the reasoning of other providers", () => {
  const image = { type: "input_image", image_url: "data:image/png;base64,AA==" };
  const text = { type: "input_text", text: "see" };
  const history = [
    { type: "message", id: "u", role: "user", content: [text, image] },
    marked({ type: "reasoning", id: "r", summary: [], encrypted_content: "secret" }, "other"),
    marked({ type: "reasoning", id: "r", summary: [], encrypted_content: "mine" }, "own"),
    { type: "reasoning", id: "r", summary: [{ type: "summary_text", text: "s" }], encrypted_content: "old" },
    { type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text: "yes" }] },
    { type: "function_call", id: "f", call_id: "c", name: "f", arguments: "{}" },
    { type: "function_call_output", id: "o", call_id: "c", output: [image] },
  ];
  const prompt = promptOf(history, { images: false, provider: "own", origin: "older" });
  expect(JSON.stringify(prompt)).not.toMatch(/secret|old"|codexwright|input_image/);
  expect(prompt).toMatchObject([
    { id: "u", content: [text, { type: "input_text" }] },
    { type: "reasoning", encrypted_content: "mine" },
    { type: "reasoning", summary: [{ text: "s" }] },
    { role: "assistant" },
    { type: "function_call" },
    { type: "function_call_output", output: [{ type: "input_text" }] },
  ]);
  expect(prompt.filter((each) => each["id"] !== undefined).map(({ type }) => type)).toEqual([
    "message",
    "function_call_output",
  ]);
});

verifies("engine.loop.budget", "keeps the head and the tail of any long text", () => {
  const characters = fc.constantFrom("a", "é", "漢", "😀", "\n");
  fc.assert(
    fc.property(
      fc.array(characters, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 60, max: 400 }),
      (unit, tokens) => {
        const text = unit.join("").repeat(200);
        const short = cut(text, tokens);
        expect(new TextEncoder().encode(short).length).toBeLessThanOrEqual(tokens * 4);
        expect(cut(short, tokens)).toBe(short);
        const [head = "", tail = ""] = short.split(/\n\[… about \d+ tokens were left out here …\]\n/);
        expect(text.startsWith(head) && text.endsWith(short === text ? text : tail)).toBe(true);
        expect(short).not.toContain("\uFFFD");
      },
    ),
    SEED,
  );
});

verifies("engine.loop.budget", "shares the budget between the texts of an output, and keeps images", () => {
  const image = { type: "input_image", image_url: "data:image/png;base64,AA==" };
  const text = { type: "input_text", text: "x".repeat(30_000) };
  const cutDown = cutOutput([image, text, text, ...Array.from({ length: 100 }, () => text), image]);
  expect(JSON.stringify(cutDown).length).toBeLessThan(OUTPUT_TOKENS * 4 + 1_000);
  expect(cutDown[0]).toBe(image);
  expect(cutDown.at(-1)).toBe(image);
  const huge = "y".repeat(50_000_000);
  const began = performance.now();
  expect(cutOutput(huge).length).toBeLessThanOrEqual(OUTPUT_TOKENS * 4);
  expect(performance.now() - began).toBeLessThan(2_000);
});
