import { expect } from "vitest";
import type { ModelRequest } from "@codexwright/engine";
import { signatureOf } from "@codexwright/test-support/model-apis/anthropic";
import { THOUGHT_SIGNATURE } from "@codexwright/test-support/model-apis/gemini";
import { listIn, type Json } from "@codexwright/test-support/model-apis/server";
import { verifies } from "@codexwright/test-support/verifies";
import { read } from "../model-server.ts";
import { clientOf, configured, MODELS, serveApi, type Api } from "./apis.ts";

const PIXEL = "iVBORw0KGgo=";

const text = (role: string, words: string): Json => ({
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text: words }],
});

/** The body of a request with this conversation. */
async function bodyOf(api: Api, request: Partial<ModelRequest>, more = ""): Promise<Json> {
  await using server = await serveApi(api, [{ text: "ok" }]);
  const provider = await configured(api, server, { more });
  await read(provider, { model: MODELS[api], ...request });
  return server.requests[0]?.body ?? {};
}

const CONVERSATION: readonly Json[] = [
  text("developer", "Rules of the house."),
  text("user", "Look."),
  text("assistant", "I look."),
  {
    type: "function_call",
    call_id: "c1",
    name: "view",
    arguments: '{"path":"a.png"}',
    codexwright_metadata: { google: { thoughtSignature: THOUGHT_SIGNATURE } },
  },
  { type: "custom_tool_call", call_id: "c2", name: "patch", input: "*** Begin Patch" },
  {
    type: "function_call_output",
    call_id: "c1",
    output: [
      { type: "input_text", text: "seen" },
      { type: "input_image", image_url: `data:image/png;base64,${PIXEL}` },
    ],
  },
  { type: "custom_tool_call_output", call_id: "c2", output: "Done" },
  text("developer", "The date has changed."),
  {
    type: "message",
    role: "user",
    content: [
      { type: "input_text", text: "And this?" },
      { type: "input_image", image_url: `data:image/png;base64,${PIXEL}` },
      { type: "input_image", image_url: "https://pictures.invalid/a.png" },
    ],
  },
];

const TOOLS: readonly Json[] = [
  { type: "function", name: "view", description: "Shows.", parameters: { type: "object", properties: {} } },
  { type: "custom", name: "patch", description: "Patches." },
  { type: "web_search" },
];

verifies("engine.ai-sdk.images", "sends a conversation with images in the form of each API", async () => {
  const request = { instructions: "Be brief.", input: CONVERSATION, tools: TOOLS };
  const chat = await bodyOf("chat", request);
  expect(chat["messages"]).toEqual([
    { role: "system", content: "Be brief.\n\nRules of the house." },
    { role: "user", content: "Look." },
    {
      role: "assistant",
      content: "I look.",
      tool_calls: [
        {
          id: "c1",
          type: "function",
          function: { name: "view", arguments: '{"path":"a.png"}' },
          extra_content: { google: { thought_signature: THOUGHT_SIGNATURE } },
        },
        { id: "c2", type: "function", function: { name: "patch", arguments: '{"input":"*** Begin Patch"}' } },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: "seen" },
    { role: "tool", tool_call_id: "c2", content: "Done" },
    {
      role: "user",
      content: [
        { type: "text", text: "[images of the tool output before this message]" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } },
        { type: "text", text: "<developer>\nThe date has changed.\n</developer>" },
        { type: "text", text: "And this?" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } },
        { type: "image_url", image_url: { url: "https://pictures.invalid/a.png" } },
      ],
    },
  ]);

  const anthropic = await bodyOf("anthropic", request);
  expect(listIn(anthropic["system"]).map((block) => block["text"])).toEqual([
    "Be brief.\n\nRules of the house.",
  ]);
  const shown = JSON.stringify(anthropic["messages"]);
  expect(shown).toContain(`"tool_use_id":"c1"`);
  expect(shown.split(`"data":"${PIXEL}"`)).toHaveLength(3);
  expect(shown).toContain('"source":{"type":"url","url":"https://pictures.invalid/a.png"}');

  const google = await bodyOf("google", request);
  expect(google["systemInstruction"]).toEqual({ parts: [{ text: "Be brief.\n\nRules of the house." }] });
  const contents = JSON.stringify(google["contents"]);
  expect(contents.split(PIXEL)).toHaveLength(3);
  expect(contents).toContain('"fileUri":"https://pictures.invalid/a.png"');
  // An older model reads no addresses.
  const older = await bodyOf("google", { ...request, model: "gemini-2.0-flash" });
  expect(JSON.stringify(older["contents"])).toContain(
    "[an image at https://pictures.invalid/a.png was left out",
  );
});

verifies("engine.ai-sdk.tools", "sends functions, and maps calls of plain text back", async () => {
  for (const api of ["chat", "anthropic", "google"] as const) {
    await using server = await serveApi(api, [
      {
        calls: [
          { name: "patch", args: { input: "*** Begin Patch" } },
          { name: "view", args: { path: "a" } },
        ],
      },
    ]);
    const provider = await configured(api, server);
    const events = await read(provider, { model: MODELS[api], input: [text("user", "go")], tools: TOOLS });
    const done = events.flatMap((event) => (event.type === "itemDone" ? [event.item] : []));
    expect([api, done.map(({ type, name, input, arguments: args }) => [type, name, input ?? args])]).toEqual([
      api,
      [
        ["custom_tool_call", "patch", "*** Begin Patch"],
        ["function_call", "view", '{"path":"a"}'],
      ],
    ]);
    const tools = JSON.stringify(server.requests[0]?.body["tools"]);
    expect(tools).toContain('"view"');
    expect(tools).toContain('"patch"');
    expect(tools).not.toContain("web_search");
  }
});

verifies(
  "engine.ai-sdk.metadata",
  "reasoning and signatures go back to the provider they came from",
  async () => {
    for (const api of ["anthropic", "google"] as const) {
      await using server = await serveApi(api, [
        { reasoning: "Thinking.", calls: [{ name: "exec_command", args: { cmd: "ls" } }] },
        { text: "Done." },
      ]);
      await using own = await clientOf(api, await configured(api, server));
      const thread = await own.codex.startThread({ approvalPolicy: "never", sandbox: "danger-full-access" });
      await thread.run("go");
      const second = JSON.stringify(server.requests[1]?.body);
      const signature = api === "anthropic" ? signatureOf("Thinking.") : THOUGHT_SIGNATURE;
      expect([api, second.split(signature).length]).toEqual([api, 2]);
      expect(second).not.toContain("codexwright");
    }
    const foreign: Json[] = [
      text("user", "go"),
      {
        type: "reasoning",
        summary: [{ type: "summary_text", text: "Secret thoughts." }],
        content: [],
        encrypted_content: "of-another-provider",
      },
      text("assistant", "Hm."),
      text("user", "on"),
    ];
    for (const api of ["chat", "anthropic", "google"] as const) {
      const body = JSON.stringify(await bodyOf(api, { input: foreign }));
      expect(body).not.toContain("Secret thoughts.");
      expect(body).not.toContain("of-another-provider");
    }
  },
);

verifies("engine.ai-sdk.reasoning", "an effort becomes the setting of the API", async () => {
  const input = [text("user", "go")];
  const effort = async (api: Api, model: string, word: string | null, more = ""): Promise<Json> =>
    await bodyOf(api, { model, effort: word, input }, more);
  expect(await effort("chat", "m", "high")).toMatchObject({ reasoning_effort: "high" });
  expect(await effort("chat", "m", null)).not.toHaveProperty("reasoning_effort");
  const without = `[model_providers.own.codexwright_models.m]\nreasoning = false\nparallel_tools = false\nmax_output_tokens = 77`;
  const plain = await effort("chat", "m", "high", without);
  expect(plain).not.toHaveProperty("reasoning_effort");
  expect(plain).toMatchObject({ parallel_tool_calls: false, max_tokens: 77 });

  expect(await effort("anthropic", "claude-sonnet-4-5", "medium")).toMatchObject({
    thinking: { type: "enabled", budget_tokens: 12_288 },
  });
  expect(await effort("anthropic", "claude-opus-5-5", "ultra")).toMatchObject({
    thinking: { type: "adaptive", display: "summarized" },
    output_config: { effort: "max" },
  });
  expect(await effort("anthropic", "claude-sonnet-4-5", null)).not.toHaveProperty("thinking");

  const google = async (model: string, word: string | null): Promise<unknown> =>
    ((await effort("google", model, word))["generationConfig"] as Json | undefined)?.["thinkingConfig"];
  expect(await google("gemini-3-pro", "xhigh")).toEqual({ includeThoughts: true, thinkingLevel: "high" });
  expect(await google("gemini-2.5-pro", "low")).toEqual({ includeThoughts: true, thinkingBudget: 2_048 });
  expect(await google("gemini-2.0-flash", "low")).toBeUndefined();
});

verifies(
  "engine.ai-sdk.turn",
  "answers with a schema, and caches what Anthropic is asked to cache",
  async () => {
    const outputSchema = {
      schema: {
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
        additionalProperties: false,
      },
      strict: true,
    };
    const request = { input: [text("user", "go")], instructions: "Be brief.", outputSchema };
    expect(await bodyOf("chat", request)).toMatchObject({
      response_format: { type: "json_schema", json_schema: { schema: outputSchema.schema, strict: true } },
    });
    const anthropic = await bodyOf("anthropic", { ...request, input: CONVERSATION });
    expect(JSON.stringify(anthropic["system"])).toContain("cache_control");
    expect(JSON.stringify(listIn(anthropic["messages"]).at(-1))).toContain("cache_control");
    expect(JSON.stringify(listIn(anthropic["messages"]).slice(0, -1))).not.toContain("cache_control");
    expect(await bodyOf("google", request)).toMatchObject({
      generationConfig: { responseMimeType: "application/json" },
    });
  },
);
