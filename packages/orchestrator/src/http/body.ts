import type { JsonObject } from "../domain/json.ts";
import { Refusal } from "./refusal.ts";

const MOST_BYTES = 256 * 1024;
/** Deeper values would overflow the stack of the programs that read them. */
const DEEPEST = 64;

/** Reads the JSON object of a request. An empty body is an empty object. */
export async function readBody(request: Request): Promise<JsonObject> {
  const type = request.headers.get("content-type");
  const text = await textOf(request);
  if (text === "" && type === null) return {};
  if (!/^application\/json\s*(?:;|$)/i.test(type ?? "")) {
    throw new Refusal(415, "unsupported_media_type", "the body must have the type application/json");
  }
  if (text === "") return {};
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Refusal(400, "invalid_request", "the body must be a JSON object");
  }
  if (isDeeper(value, DEEPEST)) {
    throw new Refusal(400, "invalid_request", `the body is nested more than ${DEEPEST} levels deep`);
  }
  return value as JsonObject;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal(400, "invalid_request", "the body is not valid JSON");
  }
}

async function textOf(request: Request): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > MOST_BYTES) throw tooLarge();
  if (request.body === null) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // A chunked body has no length, so it is counted.
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Refusal(400, "invalid_request", "the body is not valid UTF-8");
  }
}

function tooLarge(): Refusal {
  return new Refusal(413, "body_too_large", `the body is larger than ${MOST_BYTES} bytes`);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}
