import { describe, expect } from "vitest";
import { runExample, unlessPythonClient } from "../foreign/python/client.ts";
import { EXAMPLES } from "../foreign/python/examples.ts";
import { filled } from "../foreign/python/steps.ts";
import { engineProgram } from "../foreign/servers.ts";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";

describe("the official Python client", () => {
  for (const [name, example] of Object.entries(EXAMPLES)) {
    verifies(
      "engine.ways.python",
      `${name}: runs on the engine, and sends the requests that are kept here`,
      async () => {
        const { model, steps, typed } = example();
        await using program = await engineProgram(model);
        const client = runExample(program, name, typed);
        const held = steps.flatMap((step) => ("open" in step ? [step.open] : []));
        if (held.length > 0) {
          // The model continues when the turn was steered.
          await until(() => client.received().some(({ result }) => "turnId" in Object(result)));
          for (const gate of held) gate.open();
        }
        expect(await client.printed).not.toBe("");
        const calls = steps.flatMap((step) => ("call" in step ? [step] : []));
        expect(client.sent().map(({ method, params }) => ({ method, params }))).toEqual([
          { method: "initialize", params: expect.anything() },
          { method: "initialized", params: undefined },
          ...calls.map(({ call, params }) => ({
            method: call,
            params: filled(params, () => expect.any(String)),
          })),
        ]);
      },
      { timeoutMs: 180_000, skip: unlessPythonClient },
    );
  }
});
