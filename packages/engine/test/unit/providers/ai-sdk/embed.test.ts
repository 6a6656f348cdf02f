import { expect } from "vitest";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { EngineServer, type ModelError } from "@codexwright/engine";
import { aiSdkProvider, type AiSdkCall, type AiSdkModel } from "@codexwright/engine/node";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { connect, optionsOf } from "../../ports.ts";
import { read } from "../model-server.ts";
import { serveApi } from "./apis.ts";

/** A model of this version that streams these parts, and keeps its calls. */
function modelOf(version: "v3" | "v4", parts: readonly object[]): AiSdkModel & { calls: AiSdkCall[] } {
  const calls: AiSdkCall[] = [];
  return {
    specificationVersion: version,
    provider: "own.chat",
    modelId: "m",
    supportedUrls: { "image/*": [/^https:\/\/ok\.invalid\//] },
    calls,
    doStream(call) {
      calls.push(call);
      const stream = new ReadableStream<unknown>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      return Promise.resolve({ stream });
    },
  };
}

const HELLO = [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "Hello." },
  { type: "text-end", id: "t" },
  {
    type: "finish",
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: { total: 3 }, outputTokens: { total: 4 } },
  },
];

verifies("engine.ai-sdk.embed", "takes models of version 3 and 4, or a function", async () => {
  const input = [
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_image", image_url: "data:image/png;base64,AAAA" },
        { type: "input_image", image_url: "https://ok.invalid/a.png" },
        { type: "input_image", image_url: "https://other.invalid/a.png" },
      ],
    },
  ];
  const sent = async (version: "v3" | "v4"): Promise<AiSdkCall> => {
    const model = modelOf(version, HELLO);
    const events = await read(
      aiSdkProvider(() => model),
      { input, effort: "ultra" },
    );
    expect(events.map(({ type }) => type)).toEqual(["created", "itemAdded", "text", "itemDone", "completed"]);
    return model.calls.at(0) as AiSdkCall;
  };
  const left = { type: "text", text: expect.stringContaining("other.invalid") as string };
  const old = await sent("v3");
  expect(old.reasoning).toBeUndefined();
  expect(old.prompt).toEqual([
    {
      role: "user",
      content: [
        { type: "file", mediaType: "image/png", data: "AAAA" },
        { type: "file", mediaType: "image/*", data: new URL("https://ok.invalid/a.png") },
        left,
      ],
    },
  ]);
  const next = await sent("v4");
  expect(next.reasoning).toBe("max");
  expect(next.prompt).toEqual([
    {
      role: "user",
      content: [
        { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } },
        {
          type: "file",
          mediaType: "image/*",
          data: { type: "url", url: new URL("https://ok.invalid/a.png") },
        },
        left,
      ],
    },
  ]);
});

verifies("engine.ai-sdk.embed", "refuses everything else", async () => {
  for (const wrong of [
    undefined,
    "gpt",
    {},
    { specificationVersion: "v2", doStream: () => {} },
    { specificationVersion: "v3" },
    { specificationVersion: { toString: () => "v3" }, doStream: () => {} },
  ]) {
    expect(() => aiSdkProvider(wrong as never)).toThrow('must have version "v3" or "v4"');
    const error = await rejection(read(aiSdkProvider(() => wrong as never)));
    expect((error as ModelError).message).toContain('must have version "v3" or "v4"');
    expect((error as ModelError).details.phase).toBe("request");
  }
  expect(() => aiSdkProvider(modelOf("v3", []), { modles: [] } as never)).toThrow("models");
});

verifies("engine.ai-sdk.embed", "runs turns with the models of the packages", async () => {
  for (const api of ["chat", "anthropic", "google"] as const) {
    await using server = await serveApi(api, [
      { calls: [{ name: "exec_command", args: { cmd: "ls", login: false } }] },
      { text: "Done." },
      {
        status: 429,
        headers: { "retry-after": "2" },
        body: '{"error":{"message":"slow","type":"x","code":"y"}}',
      },
    ]);
    const shared = { baseURL: server.baseUrl, apiKey: "a-key-of-the-program" };
    const model =
      api === "chat"
        ? createOpenAICompatible({ name: "own", ...shared }).chatModel("m")
        : api === "anthropic"
          ? createAnthropic(shared)("claude-sonnet-4-5")
          : createGoogleGenerativeAI(shared)("gemini-3-pro");
    const provider = aiSdkProvider(model, { id: "mine" });
    await using engine = new EngineServer(optionsOf(provider));
    await using codex = await connect(engine);
    const thread = await codex.startThread({ approvalPolicy: "never", sandbox: "danger-full-access" });
    expect((await thread.run("go")).agentMessage).toBe("Done.");
    expect(server.requests).toHaveLength(2);
    const error = (await rejection(read(provider))) as ModelError;
    expect([api, error.details]).toMatchObject([api, { phase: "status", status: 429, retryAfterMs: 2_000 }]);
    expect(JSON.stringify([error.message, error.details])).not.toContain("a-key-of-the-program");
  }
});
