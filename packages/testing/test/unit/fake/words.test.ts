import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient, tool, type CodexClientOptions } from "codexwright";
import {
  applyPatch,
  exec,
  fakeAppServer,
  mcpCall,
  plan,
  reasoning,
  reply,
  scriptedModel,
  subAgent,
  toolCall,
  userInput,
  type FakeAppServerOptions,
  type ModelStep,
} from "@codexwright/testing";
import { z } from "zod";
import { rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";

const FAKE: VerifiesOptions = { against: "fake" };

async function world(options: FakeAppServerOptions, client: Partial<CodexClientOptions> = {}) {
  const fake = fakeAppServer(options);
  const codex = await CodexClient.connect({ ...client, transport: fake.transport } as CodexClientOptions);
  const dispose = async (): Promise<void> => {
    await codex.disconnect();
    await fake[Symbol.asyncDispose]();
  };
  return { fake, codex, [Symbol.asyncDispose]: dispose };
}

verifies(
  "testing.fake.words",
  "reports text, reasoning, a plan, a command and a patch as scripted, and the model gets the outcome",
  async () => {
    await using live = await world({
      model: [
        [reasoning("Let me see"), plan([{ step: "look", status: "in_progress" }], { explanation: "first" })],
        exec("make test", { output: "3 failed\n", exitCode: 2 }),
        applyPatch("*** Add File: fixed.txt\n+yes"),
        reply("All done.", { deltas: 3 }),
      ],
    });
    const { items, plan: entries, diff, agentMessage } = await (await live.codex.startThread()).run("fix it");
    expect(items.map(({ type }) => type)).toEqual([
      "userMessage",
      "reasoning",
      "commandExecution",
      "fileChange",
      "agentMessage",
    ]);
    expect(items[2]).toMatchObject({ status: "failed", exitCode: 2, aggregatedOutput: "3 failed\n" });
    expect(entries).toMatchObject([{ step: "look", status: "inProgress" }]);
    expect(agentMessage).toBe("All done.");
    expect(diff).toContain("+++ b/fixed.txt");
    expect(readFileSync(path.join(live.fake.cwd, "fixed.txt"), "utf8")).toBe("yes\n");
    expect(live.fake.requests[2]?.toolOutputs["call_1_0"]).toContain("Process exited with code 2");
    expect(live.fake.requests.at(-1)?.lastUserText).toBe("fix it");
  },
  FAKE,
);

verifies(
  "testing.fake.words",
  "an MCP tool needs no server if the script supplies its outcome, and its failure is reported",
  async () => {
    await using live = await world(
      {
        model: [
          [
            mcpCall("db", "query", { q: 1 }, { result: "42 rows" }),
            mcpCall("db", "drop", {}, { error: "no" }),
          ],
          reply("done"),
        ],
      },
      { onApproval: () => "accept" },
    );
    const { items } = await (await live.codex.startThread()).run("go");
    expect(items.filter(({ type }) => type === "mcpToolCall")).toMatchObject([
      { server: "db", tool: "query", status: "completed", result: { content: [{ text: "42 rows" }] } },
      { server: "db", tool: "drop", status: "failed", error: { message: "no" } },
    ]);
  },
  FAKE,
);

verifies(
  "testing.fake.words",
  "asks the user the model's questions and calls the client's tools, with the model's arguments",
  async () => {
    const asked: unknown[] = [];
    const question = { id: "q", header: "Colour", question: "Which?" };
    await using live = await world(
      { model: [userInput([question]), toolCall("double", { n: 21 }, { callId: "d" }), reply("done")] },
      {
        onUserInput: (request) => {
          asked.push(request.questions);
          return { q: "red" };
        },
      },
    );
    const double = tool({
      name: "double",
      description: "Doubles",
      input: z.object({ n: z.number() }),
      run: ({ n }) => String(2 * n),
    });
    await (await live.codex.startThread({ tools: [double] })).run("go");
    expect(asked).toMatchObject([[{ id: "q", question: "Which?", isOther: true }]]);
    expect(live.fake.requests[1]?.toolOutputs["call_0_0"]).toBe('{"answers":{"q":{"answers":["red"]}}}');
    expect(live.fake.requests[2]?.toolOutputs["d"]).toBe("42");
  },
  FAKE,
);

verifies(
  "testing.fake.words",
  "a sub-agent runs on a separate thread with the same script, and the parent waits for it by its id",
  async () => {
    await using live = await world({
      model: ({ lastUserText, toolOutputs }) => {
        if (lastUserText === "count the files") return reply("There are 7.");
        const spawned = toolOutputs["spawn"];
        if (spawned === undefined) return subAgent("count the files", { callId: "spawn" });
        const { agent_id: id } = JSON.parse(spawned) as { agent_id: string };
        if (toolOutputs["wait"] !== undefined) return reply("7 files");
        return toolCall("wait_agent", { targets: [id] }, { namespace: "multi_agent_v1", callId: "wait" });
      },
    });
    const { items, agentMessage } = await (await live.codex.startThread()).run("how many?");
    expect(agentMessage).toBe("7 files");
    const [spawned, waited] = items.filter(({ type }) => type === "collabAgentToolCall");
    const { receiverThreadIds: [child = ""] = [] } = spawned as { receiverThreadIds?: string[] };
    expect(waited).toMatchObject({
      agentsStates: { [child]: { status: "completed", message: "There are 7." } },
    });
    expect(live.fake.requests.map(({ threadId }) => threadId === child)).toContain(true);
  },
  FAKE,
);

verifies(
  "testing.fake.errors",
  "fails the turn and records the request if the script has ended; immediately rejects a script that cannot be played",
  async () => {
    await using live = await world({ model: [reply("one")] });
    const thread = await live.codex.startThread();
    await thread.run("first");
    expect(await rejection(thread.run("second"))).toMatchObject({
      code: "turn_failed",
      message: expect.stringContaining("UnexpectedModelCall: model call 2, 1 scripted"),
    });
    expect(live.fake.unexpected).toHaveLength(1);
    const broken = [[reply("a"), { kind: "hang" } as const, reply("b")]];
    expect(() => fakeAppServer({ model: broken })).toThrow("hang() ends a response");
  },
  FAKE,
);

verifies(
  "testing.fake.errors",
  "rejects a value that is not a script with a clear message, in both kinds of model",
  async () => {
    for (const [model, told] of [
      [["Hello."], "a response must be an item"],
      [[[null]], "a response must be an item"],
      ["Hello.", "must be an array or a function (got a string)"],
      [undefined, "must be an array or a function (got undefined)"],
    ] as unknown as [ModelStep[], string][]) {
      expect(() => fakeAppServer({ model })).toThrow(told);
      expect(String(await rejection(scriptedModel(model)))).toContain(told);
    }
  },
);
