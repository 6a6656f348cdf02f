import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { definePrompt, section, tool } from "codexwright/agent";
import { reasoning, reply, toolCall } from "@codexwright/testing";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { agentWorld, eventsOf } from "./agent-world.ts";
import { PINNED, world } from "@codexwright/test-support/world";

const twice = tool({
  name: "twice",
  description: "Doubles a number.",
  input: z.object({ n: z.number().int().max(100) }),
  effects: "readonly",
  run: ({ n }) => ({ n: 2 * n }),
});
const prompt = definePrompt({
  id: "wire",
  output: z.array(z.object({ name: z.string(), line: z.number().optional() })),
  sections: [section({ key: "task", title: "Task", body: "List.", tools: [twice] })],
});

verifies(
  [
    "agent.R11",
    "agent.R12",
    "agent.R16",
    "agent.R21",
    "agent.R22",
    "agent.R25",
    "agent.R29",
    "agent.R39",
    "agent.R40",
    "agent.R56",
    "agent.R57",
    "agent.R58",
    "agent.R59",
    "agent.R61",
    "agent.R62",
    "agent.R63",
    "agent.R64",
    "agent.R79",
    "agent.R83",
    "agent.R84",
    "agent.R85",
    "agent.R86",
  ],
  "sends exactly what the protocol requires, and nothing else",
  async () => {
    await using live = await agentWorld(
      [
        [reasoning("I think"), toolCall("twice", { n: 4 }, { callId: "c" })],
        [
          reply("Almost there.", { phase: "commentary" }),
          reply('{"items":[{"name":"a","line":null}]}', { phase: "final_answer" }),
        ],
      ],
      {
        agent: {
          sandbox: "read-only",
          model: "mock-model",
          effort: "low",
          summary: "concise",
          ephemeral: true,
        },
      },
    );
    const run = live.agent.run(prompt);
    const { text, output } = await run.result;
    expect(output).toEqual([{ name: "a" }]);
    expect(text).toBe('{"items":[{"name":"a","line":null}]}');
    expect(eventsOf(run, "reasoning")).toMatchObject([{ text: "I think" }]);
    expect(eventsOf(run, "message").map(({ phase }) => phase)).toEqual(["commentary", "final_answer"]);

    const wire = live.wire();
    const out = wire.filter(({ direction }) => direction === "out").map(({ message }) => message);
    expect(out.filter((message) => "jsonrpc" in message)).toEqual([]);
    const ids = out.filter((message) => "method" in message && "id" in message).map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(ids.every((id) => Number.isInteger(id))).toBe(true);
    expect(out[0]).toMatchObject({
      method: "initialize",
      params: { clientInfo: { name: "codexwright" }, capabilities: { experimentalApi: true } },
    });
    expect(out[1]).toMatchObject({ method: "initialized" });

    const asked = wire.filter(
      ({ direction, message }) => direction === "in" && "method" in message && "id" in message,
    );
    expect(asked.map(({ message }) => message["id"])).toEqual([0]);
    for (const { message } of asked) {
      const answers = out.filter((each) => !("method" in each) && each["id"] === message["id"]);
      expect(answers).toMatchObject([{ result: { success: true } }]);
    }
    expect(wire.filter(({ message }) => String(message["method"]).startsWith("codex/event/"))).toEqual([]);

    const [start] = live.sent("thread/start");
    expect(start).toEqual({
      model: "mock-model",
      ephemeral: true,
      sandbox: "read-only",
      approvalPolicy: "never",
      dynamicTools: [
        {
          type: "function",
          name: "twice",
          description: "Doubles a number.",
          inputSchema: expect.objectContaining({ type: "object", required: ["n"] }),
        },
      ],
    });
    const [turn] = live.sent("turn/start");
    expect(turn).toEqual({
      threadId: (await run.result).threadId,
      input: [{ type: "text", text: "## 1. Task (task)\n\nList.", text_elements: [] }],
      effort: "low",
      summary: "concise",
      outputSchema: prompt.answer?.jsonSchema,
    });
    const format = { type: "json_schema", strict: true, schema: prompt.answer?.jsonSchema };
    expect(live.model.requests[0]?.body["text"]).toMatchObject({ format });
    expect(live.model.requests[0]?.tools.filter((name) => name.includes("mcp"))).toEqual([]);
  },
  PINNED,
);

verifies(
  ["agent.R1", "agent.R2", "agent.R4", "agent.R24", "agent.R78", "agent.R80"],
  "starts `codex app-server`, which contacts only the model, and does not log in without credentials",
  async () => {
    await using other = await world(() => reply("done"));
    const params = { clientInfo: { name: "x", title: null, version: "1" }, capabilities: null };
    expect(await rejection(other.codex.request("initialize", params))).toMatchObject({
      message: "Already initialized",
    });

    const shim = path.join(other.server.root, "codex");
    const said = path.join(other.server.root, "argv");
    writeFileSync(shim, `#!/bin/sh\necho "$@" > "${said}"\nexec "${await codexBinary("0.166.0")}" "$@"\n`);
    chmodSync(shim, 0o755);
    await using live = await agentWorld(() => reply("done"), { codexPath: shim });
    const plain = definePrompt({ id: "plain", sections: [section({ key: "a", title: "A", body: "Go." })] });
    const { text, output } = await live.agent.run(plain).result;
    expect([text, output]).toEqual(["done", undefined]);
    expect(readFileSync(said, "utf8").trim()).toBe("app-server");
    expect(live.model.requests.map(({ headers }) => headers["originator"])).toEqual(["codexwright"]);
    expect(
      live.wire().filter(({ message }) => String(message["method"]).startsWith("account/login")),
    ).toEqual([]);
    expect(live.sent("turn/start")[0]).not.toHaveProperty("outputSchema");
    expect(live.sent("thread/start")[0]).toEqual({
      sandbox: "workspace-write",
      approvalPolicy: "never",
    });
  },
  PINNED,
);
