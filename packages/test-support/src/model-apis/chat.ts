import {
  argumentsText,
  listIn,
  pieces,
  serveModel,
  sse,
  type Answer,
  type Dialect,
  type Json,
  type ModelApi,
  type Received,
} from "./server.ts";

/** Serves chat completions, as OpenAI documents them and Ollama, vLLM, LM Studio and OpenRouter speak them. */
export function chatApi(
  script: readonly Answer[] | ((received: Received, position: number) => Answer),
): Promise<ModelApi> {
  return serveModel(CHAT, script);
}

const CHAT: Dialect = {
  path: "/v1",
  refusal: (status, message) =>
    JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null, status } }),
  problem({ url, body }) {
    if (!url.startsWith("/v1/chat/completions")) return `unknown path ${url}`;
    if (body["stream"] !== true) return "only streams are scripted";
    if (typeof body["model"] !== "string") return "model is required";
    return messagesProblem(listIn(body["messages"])) ?? toolsProblem(listIn(body["tools"]));
  },
  events(said, position, { body }) {
    const head = {
      id: `chatcmpl-${position}`,
      object: "chat.completion.chunk",
      created: 1,
      model: body["model"],
    };
    const chunk = (delta: object, finish: string | null = null): string =>
      sse({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
    const calls = (said.calls ?? []).flatMap(({ id, name, args }, index) => [
      chunk({
        tool_calls: [
          {
            index,
            id: id ?? `call_${position}_${index}`,
            type: "function",
            function: { name, arguments: "" },
          },
        ],
      }),
      ...pieces(argumentsText(args)).map((text) =>
        chunk({ tool_calls: [{ index, function: { arguments: text } }] }),
      ),
    ]);
    const finish =
      said.stop === "length"
        ? "length"
        : said.stop === "filter"
          ? "content_filter"
          : calls.length > 0
            ? "tool_calls"
            : "stop";
    const { input = 7, output = 5, cached = 0 } = said.usage ?? {};
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
    };
    return [
      chunk({ role: "assistant", content: "" }),
      ": keep-alive\n\n",
      ...pieces(said.reasoning ?? "").map((text) => chunk({ reasoning_content: text })),
      ...pieces(said.text ?? "").map((text) => chunk({ content: text })),
      ...calls,
      chunk({}, finish),
      ...(said.usage === null ? [] : [sse({ ...head, choices: [], usage })]),
      "data: [DONE]\n\n",
    ];
  },
};

function messagesProblem(messages: readonly Json[]): string | undefined {
  if (messages.length === 0) return "messages must not be empty";
  let open: unknown[] = [];
  for (const [at, message] of messages.entries()) {
    const { role } = message;
    if (role === "system" && at > 0) return "System message must be at the beginning.";
    if (role === "tool") {
      if (!open.includes(message["tool_call_id"])) {
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'";
      }
      if (typeof message["content"] !== "string") return "content of a tool must be a string";
      open = open.filter((id) => id !== message["tool_call_id"]);
      continue;
    }
    if (open.length > 0) return `tool_call_ids did not have response messages: ${open.join(", ")}`;
    if (role !== "system" && role !== "user" && role !== "assistant") return `unknown role ${String(role)}`;
    open = listIn(message["tool_calls"]).map(({ id }) => id);
  }
  return open.length > 0 ? "the last tool calls have no response" : undefined;
}

function toolsProblem(tools: readonly Json[]): string | undefined {
  const bad = tools.find(
    ({ type, function: of }) =>
      type !== "function" || !/^[\w-]{1,64}$/.test(String((of as Json | undefined)?.["name"])),
  );
  return bad && `invalid tool: ${JSON.stringify(bad)}`;
}
