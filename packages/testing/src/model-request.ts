import { isJsonObject } from "codexwright/internal";
import type { IncomingHttpHeaders } from "node:http";

/** An object of the Responses API, unchanged. */
export type WireObject = Readonly<Record<string, unknown>>;

/** A request from Codex to the model, parsed. */
export interface ModelRequest {
  /** Position in `model.requests`, from 0. */
  readonly index: number;
  readonly path: string;
  /** Headers with lower-case names. Values that may hold a secret are replaced by `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireObject;
  readonly model: string;
  /** The thread that sent the request; distinguishes concurrent turns. */
  readonly threadId: string | undefined;
  /** Base instructions: from the body or, for newer servers, from the first developer message. */
  readonly instructions: string;
  /** The whole conversation as Responses API items, oldest first. */
  readonly input: readonly WireObject[];
  /** Names of the offered tools: `namespace.name` inside a namespace, or the type of a tool without a name. */
  readonly tools: readonly string[];
  /** Text of the last message with role `user`, or "". */
  readonly lastUserText: string;
  /** Output text of every tool call in `input`, by call id, including those of earlier turns. */
  readonly toolOutputs: Readonly<Record<string, string>>;
}

/** Parses a request body. Throws if it is not a JSON object. */
export function parseRequest(
  index: number,
  path: string,
  headers: IncomingHttpHeaders,
  text: string,
): ModelRequest {
  const body: unknown = JSON.parse(text);
  if (!isJsonObject(body)) throw new SyntaxError("the body is not a JSON object");
  return modelRequest(index, path, headers, body);
}

/** Creates a request from its parsed body. */
export function modelRequest(
  index: number,
  path: string,
  headers: IncomingHttpHeaders,
  body: WireObject,
): ModelRequest {
  const input = objects(body["input"]);
  const messages = input.filter((item) => item["type"] === "message");
  const developer = messages.find((item) => item["role"] === "developer");
  return {
    index,
    path,
    headers: redacted(headers),
    body,
    model: stringOf(body["model"]) ?? "",
    threadId:
      stringOf(headers["thread-id"]) ?? stringOf(headers["session_id"]) ?? stringOf(body["prompt_cache_key"]),
    instructions: stringOf(body["instructions"]) ?? textOf(developer?.["content"]),
    input,
    tools: objects(body["tools"]).flatMap((tool) => toolNames(tool)),
    lastUserText: textOf(messages.findLast((item) => item["role"] === "user")?.["content"]),
    toolOutputs: Object.fromEntries(
      input
        .filter((item) => stringOf(item["type"])?.endsWith("_output") === true)
        .map((item) => [stringOf(item["call_id"]) ?? "", textOf(item["output"])]),
    ),
  };
}

/** The last input to the model, shortened to one line for a message. */
export function lastInput(request: ModelRequest): string {
  const last = request.input.at(-1) ?? {};
  const text = textOf(last["content"] ?? last["output"] ?? last["arguments"]);
  const line = text.replace(/\s+/g, " ").trim();
  const short = line.length > 120 ? `${line.slice(0, 119)}…` : line;
  return `${stringOf(last["role"]) ?? stringOf(last["type"]) ?? "nothing"}: ${JSON.stringify(short)}`;
}

const SECRET = /authorization|cookie|key|token|secret/i;

function redacted(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET.test(name) ? "[redacted]" : [value ?? ""].flat().join(", "),
    ]),
  );
}

function toolNames(tool: WireObject): string[] {
  const name = stringOf(tool["name"]) ?? stringOf(tool["type"]) ?? "";
  if (tool["type"] !== "namespace") return [name];
  return objects(tool["tools"]).map((inner) => `${name}.${stringOf(inner["name"]) ?? ""}`);
}

/** The text of a string or of a list of content parts. Parts without text are skipped. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return objects(value)
    .map((part) => stringOf(part["text"]) ?? "")
    .join("");
}

function objects(value: unknown): WireObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
