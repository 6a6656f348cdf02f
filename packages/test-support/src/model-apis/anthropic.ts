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

/** Serves the Messages API, as Anthropic documents it. */
export function anthropicApi(
  script: readonly Answer[] | ((received: Received, position: number) => Answer),
): Promise<ModelApi> {
  return serveModel(ANTHROPIC, script);
}

/** The signature of a text of reasoning. */
export function signatureOf(reasoning: string): string {
  return Buffer.from(`signed:${reasoning}`).toString("base64");
}

const ANTHROPIC: Dialect = {
  path: "/v1",
  refusal: (status, message) =>
    JSON.stringify({
      type: "error",
      error: { type: status === 404 ? "not_found_error" : "invalid_request_error", message },
      request_id: "req_1",
    }),
  problem({ url, headers, body }) {
    if (!url.startsWith("/v1/messages")) return `unknown path ${url}`;
    if (headers["anthropic-version"] === undefined) return "anthropic-version: header is required";
    if (typeof body["max_tokens"] !== "number") return "max_tokens: Field required";
    if (body["stream"] !== true) return "only streams are scripted";
    return messagesProblem(listIn(body["messages"]));
  },
  events(said, position, { body }) {
    const typed = (type: string, more: object): string => sse({ type, ...more }, type);
    const blocks: { readonly block: object; readonly deltas: readonly object[] }[] = [];
    if (said.reasoning !== undefined) {
      blocks.push({
        block: { type: "thinking", thinking: "", signature: "" },
        deltas: [
          ...pieces(said.reasoning).map((thinking) => ({ type: "thinking_delta", thinking })),
          { type: "signature_delta", signature: signatureOf(said.reasoning) },
        ],
      });
    }
    if (said.text !== undefined) {
      blocks.push({
        block: { type: "text", text: "" },
        deltas: pieces(said.text).map((text) => ({ type: "text_delta", text })),
      });
    }
    for (const [at, { id = `toolu_${position}_${at}`, name, args }] of (said.calls ?? []).entries()) {
      const deltas = pieces(argumentsText(args)).map((text) => ({
        type: "input_json_delta",
        partial_json: text,
      }));
      blocks.push({
        block: { type: "tool_use", id, name, input: {} },
        deltas: [{ type: "input_json_delta", partial_json: "" }, ...deltas],
      });
    }
    const { input = 7, output = 5, cached = 0 } = said.usage ?? {};
    const usage = {
      input_tokens: input - cached,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cached,
      output_tokens: 1,
    };
    const stop =
      said.stop === "length"
        ? "max_tokens"
        : said.stop === "filter"
          ? "refusal"
          : said.calls?.length
            ? "tool_use"
            : "end_turn";
    return [
      typed("message_start", {
        message: {
          id: `msg_${position}`,
          type: "message",
          role: "assistant",
          content: [],
          model: body["model"],
          stop_reason: null,
          stop_sequence: null,
          usage,
        },
      }),
      typed("ping", {}),
      ...blocks.flatMap(({ block, deltas }, index) => [
        typed("content_block_start", { index, content_block: block }),
        ...deltas.map((delta) => typed("content_block_delta", { index, delta })),
        typed("content_block_stop", { index }),
      ]),
      typed("message_delta", {
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: output },
      }),
      typed("message_stop", {}),
    ];
  },
};

function messagesProblem(messages: readonly Json[]): string | undefined {
  if (messages[0]?.["role"] !== "user") return "messages: first message must use the user role";
  let open: unknown[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    const blocks: readonly Json[] =
      typeof content === "string" ? [{ type: "text", text: content }] : listIn(content);
    if (blocks.length === 0) return `messages.${at}: content must not be empty`;
    if (blocks.some((block) => block["type"] === "text" && String(block["text"]).trim() === "")) {
      return `messages.${at}: text content blocks must contain non-whitespace text`;
    }
    const results = blocks.filter(({ type }) => type === "tool_result").map((block) => block["tool_use_id"]);
    if (role === "user" && open.some((id) => !results.includes(id))) {
      return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}`;
    }
    if (results.some((id) => !open.includes(id))) {
      return `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks`;
    }
    for (const block of blocks) {
      const { type, thinking, signature } = block;
      if (type === "thinking" && signature !== signatureOf(String(thinking))) {
        return `messages.${at}: Invalid \`signature\` in \`thinking\` block`;
      }
    }
    open = blocks.filter(({ type }) => type === "tool_use").map((block) => block["id"]);
  }
  return open.length > 0 ? "the last tool_use has no tool_result" : undefined;
}
