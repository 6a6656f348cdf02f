import {
  listIn,
  pieces,
  serveModel,
  type Answer,
  type Dialect,
  type Json,
  type ModelApi,
  type Received,
} from "./server.ts";

/** Serves the Gemini API, as Google documents it. */
export function geminiApi(
  script: readonly Answer[] | ((received: Received, position: number) => Answer),
): Promise<ModelApi> {
  return serveModel(GEMINI, script);
}

/** The signature of the first call of a response. */
export const THOUGHT_SIGNATURE = Buffer.from("thought").toString("base64");

const GEMINI: Dialect = {
  path: "/v1beta",
  refusal: (status, message) =>
    JSON.stringify({
      error: { code: status, message, status: status === 404 ? "NOT_FOUND" : "INVALID_ARGUMENT" },
    }),
  problem({ url, body }) {
    if (!/^\/v1beta\/models\/[^/]+:streamGenerateContent\?alt=sse/.test(url)) return `unknown path ${url}`;
    return contentsProblem(listIn(body["contents"]));
  },
  events(said, position) {
    const parts: object[] = [
      ...pieces(said.reasoning ?? "").map((text) => ({ text, thought: true })),
      ...pieces(said.text ?? "").map((text) => ({ text })),
      ...(said.calls ?? []).map(({ name, args }, at) => ({
        functionCall: { name, args },
        ...(at === 0 && { thoughtSignature: THOUGHT_SIGNATURE }),
      })),
    ];
    const { input = 7, output = 5, cached = 0 } = said.usage ?? {};
    const usageMetadata = {
      promptTokenCount: input,
      candidatesTokenCount: output,
      cachedContentTokenCount: cached,
      totalTokenCount: input + output,
    };
    const finishReason = said.stop === "length" ? "MAX_TOKENS" : said.stop === "filter" ? "SAFETY" : "STOP";
    const chunk = (candidate: object, more: object = {}): string =>
      `data: ${JSON.stringify({
        candidates: [{ index: 0, ...candidate }],
        modelVersion: "scripted",
        responseId: `r${position}`,
        ...more,
      })}\r\n\r\n`;
    return [
      ...parts.map((part) => chunk({ content: { role: "model", parts: [part] } })),
      chunk(
        { content: { role: "model", parts: [{ text: "" }] }, finishReason },
        said.usage === null ? {} : { usageMetadata },
      ),
    ];
  },
};

function contentsProblem(contents: readonly Json[]): string | undefined {
  if (contents.length === 0) return "contents is not specified";
  let open = 0;
  for (const [at, { role, parts }] of contents.entries()) {
    if (role !== "user" && role !== "model") return `contents[${at}]: invalid role`;
    const list = listIn(parts);
    if (list.length === 0) return `contents[${at}].parts: must not be empty`;
    const responses = list.filter((part) => part["functionResponse"] !== undefined).length;
    if (responses !== open) {
      return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
    }
    const calls = list.filter((part) => part["functionCall"] !== undefined);
    open = calls.length;
    if (calls.length > 0 && calls[0]?.["thoughtSignature"] !== THOUGHT_SIGNATURE) {
      return "Function call is missing a thought_signature in functionCall parts.";
    }
  }
  return open > 0 ? "the last function calls have no response" : undefined;
}
