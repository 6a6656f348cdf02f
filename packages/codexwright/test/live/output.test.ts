import { expect } from "vitest";
import { z } from "zod";
import { reply } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, world } from "@codexwright/test-support/world";

const Verdict = z.object({
  ok: z.boolean(),
  score: z.number().min(0).max(1),
  note: z.string().optional(),
});

verifies(
  ["output.strict", "output.parse"],
  "the model receives the output schema in strict form, and the answer is returned typed",
  async () => {
    await using live = await world([reply('{"ok":true,"score":0.5,"note":null}')]);
    const thread = await live.codex.startThread();
    const { output, agentMessage } = await thread.run("judge", { output: Verdict });
    expect(output).toEqual({ ok: true, score: 0.5 });
    expect(agentMessage).toContain("score");
    const body = live.model.requests[0]?.body as { text?: { format?: unknown } } | undefined;
    const format = body?.text?.format;
    expect(format).toMatchObject({
      type: "json_schema",
      strict: true,
      schema: {
        type: "object",
        additionalProperties: false,
        required: ["ok", "score", "note"],
        properties: { note: { type: ["string", "null"] } },
      },
    });
  },
  PINNED,
);

verifies(
  ["output.invalid", "output.parse"],
  "an answer that does not match rejects with output_invalid and its text, or is corrected if repair allows it",
  async () => {
    await using live = await world([
      reply("I think it is fine."),
      reply('{"ok":true,"score":7,"note":null}'),
      reply('{"ok":true,"score":1,"note":null}'),
      reply("no"),
      reply("no again"),
    ]);
    const thread = await live.codex.startThread();
    const error = await rejection(thread.run("judge", { output: Verdict }));
    expect(error).toMatchObject({ code: "output_invalid", raw: "I think it is fine." });
    const mended = await thread.run("judge", { output: Verdict, repair: 2 });
    expect(mended.output).toEqual({ ok: true, score: 1 });
    expect(live.model.requests[2]?.lastUserText).toContain("score");
    const lost = await rejection(thread.run("judge", { output: Verdict, repair: 1 }));
    expect(lost).toMatchObject({ code: "output_invalid", raw: "no again" });
    expect(live.model.requests).toHaveLength(5);
  },
  PINNED,
);

verifies(
  "output.parse",
  "the handle of a turn returns the output too, and its iterator ends only when the output is known",
  async () => {
    await using live = await world([reply('{"ok":false,"score":0,"note":"why not"}', { deltas: 3 })]);
    const thread = await live.codex.startThread();
    const turn = thread.turn("judge", { output: Verdict });
    let text = "";
    for await (const event of turn)
      if (event.method === "item/agentMessage/delta") text += event.params.delta;
    expect(JSON.parse(text)).toEqual((await turn.completed).output);
    expect(() => thread.turn("judge", { output: z.string() })).toThrow("output");
  },
  PINNED,
);
