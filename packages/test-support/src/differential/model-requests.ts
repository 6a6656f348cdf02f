import type { ModelRequest, ScenarioResult, WireObject } from "@codexwright/testing";
import type { Transcript } from "codexwright/recording";

type TranscriptMessage = Transcript[number];

/** Headers that the HTTP client adds by itself. */
const TRANSPORT = new Set([
  "host",
  "content-length",
  "connection",
  "accept-encoding",
  "transfer-encoding",
  "accept-language",
  "sec-fetch-mode",
]);
/** Members of the body with a comparison of their own. */
const APART = new Set(["input", "tools", "instructions"]);
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * Returns the shape of the requests to the model as messages: for each request its headers, its body and tools if they
 * changed, and the input that is new since the request before it.
 *
 * The words of instructions, of tool descriptions and of results are not compared, because they are our own. Messages of the
 * user wrote and what the model called is compared whole.
 */
export function requestShapes({ requests, workspace, recording }: ScenarioResult): TranscriptMessage[] {
  const threads = new Map<string, Thread>();
  const threadOf = (id: string): Thread => {
    const thread = threads.get(id) ?? { name: `thread ${threads.size + 1}`, told: new Map(), input: [] };
    threads.set(id, thread);
    return thread;
  };
  // Threads are numbered in the order in which they were opened: their requests may arrive in any order.
  for (const id of opened(recording)) threadOf(id);
  const outputs = outputsIn(recording);
  const own = textsOfClients(recording);
  const messages: TranscriptMessage[] = [];
  for (const request of requests) {
    const id = request.threadId ?? "";
    const thread = threadOf(id);
    const clean = (text: string): string =>
      text
        .replaceAll(id === "" ? "\0" : id, "<thread>")
        .replaceAll(workspace ?? "\0", "<workspace>")
        .replace(UUID, "<uuid>");
    const add = (part: string, params: unknown): void =>
      void messages.push({
        connection: 1,
        direction: "out",
        kind: "notification",
        method: `(model ${part} of ${thread.name})`,
        params: JSON.parse(clean(JSON.stringify(params))) as unknown,
      });
    const changed = (part: string, params: unknown): void => {
      const text = clean(JSON.stringify(params));
      if (thread.told.get(part) === text) return;
      thread.told.set(part, text);
      add(part, params);
    };
    changed("headers", headersOf(request));
    changed("body", bodyOf(request));
    for (const tool of objects(request.body["tools"])) changed(`tool ${nameOf(tool)}`, toolShape(tool));
    const names = new Set(objects(request.body["tools"]).map(nameOf));
    for (const part of thread.told.keys())
      if (part.startsWith("tool ") && !names.has(part.slice(5))) changed(part, { offered: false });
    const [base, conversation] = baseOf(request);
    changed("base instructions", base);
    const input = conversation.map((item) => clean(JSON.stringify(inputShape(item, outputs, own))));
    const kept = thread.input.every((item, index) => item === input[index]);
    add("input", kept ? { request: "appended" } : { request: "rewritten" });
    for (const item of input.slice(kept ? thread.input.length : 0)) add("input", JSON.parse(item));
    thread.input = input;
  }
  return messages;
}

/** The last request of a thread. */
interface Thread {
  readonly name: string;
  readonly told: Map<string, string>;
  input: readonly string[];
}

/** The threads that clients opened, in the order of their requests. */
function opened(recording: ScenarioResult["recording"]): string[] {
  const threads = new Map<string, string | undefined>();
  for (const line of recording) {
    if (!("message" in line)) continue;
    const { id, method, result } = line.message as { id?: unknown; method?: string; result?: WireObject };
    const key = `${line.connection} ${String(id)}`;
    if (line.direction === "out" && /^thread\/(start|fork)$/.test(method ?? "")) threads.set(key, undefined);
    if (line.direction !== "in" || method !== undefined || !threads.has(key)) continue;
    threads.set(key, (result?.["thread"] as { id?: string } | undefined)?.id);
  }
  return [...threads.values()].filter((id) => id !== undefined);
}

function headersOf({ headers }: ModelRequest): WireObject {
  const own = Object.entries(headers).filter(([name]) => !TRANSPORT.has(name));
  const shown = own.map(([name, value]) => [name, shownHeader(name, value)] as const);
  return Object.fromEntries(shown.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function shownHeader(name: string, value: string): string {
  if (name === "user-agent") return "<userAgent>";
  return value.startsWith("{") ? "<json>" : value;
}

function bodyOf({ body }: ModelRequest): WireObject {
  const rest = Object.entries(body).filter(([key]) => !APART.has(key));
  return Object.fromEntries(
    rest.map(([key, value]) => [key, key === "client_metadata" ? "<metadata>" : value]),
  );
}

/** A tool without its descriptions: what its arguments are, not how they are explained. */
function toolShape(tool: WireObject): unknown {
  return withoutWords(tool);
}

function withoutWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, member]) => key !== "description" || typeof member !== "string",
  );
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutWords(member)]));
}

/** Splits the base instructions from the conversation: a member of the body, or its first developer message. */
function baseOf({ body, input }: ModelRequest): [WireObject, readonly WireObject[]] {
  if (typeof body["instructions"] === "string") return [{ in: "instructions" }, input];
  if (input[0]?.["role"] !== "developer") return [{ in: "nothing" }, input];
  return [{ in: "a developer message" }, input.slice(1)];
}

function inputShape(
  item: WireObject,
  outputs: ReadonlyMap<string, string>,
  own: ReadonlySet<string>,
): unknown {
  const { type, role, id: _id, ...members } = item;
  // A member that is null means the same as a missing one.
  const rest = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
  if (type === "message") {
    const parts = joined(objects(item["content"]).map((part) => partShape(part, role, own)));
    return { type, role, content: parts, ...(rest["phase"] !== undefined && { phase: rest["phase"] }) };
  }
  if (typeof type === "string" && type.endsWith("_output")) {
    const text = typeof item["output"] === "string" ? item["output"] : JSON.stringify(item["output"]);
    const shown = outputs.get(String(item["call_id"]));
    const parts = Array.isArray(item["output"])
      ? objects(item["output"]).map((part) => part["type"])
      : "text";
    return {
      type,
      call_id: item["call_id"],
      output: parts,
      ...(shown !== undefined && { hasOutput: text.includes(shown.trim().slice(-40)) }),
    };
  }
  if (typeof rest["arguments"] === "string") return { type, ...rest, arguments: parsed(rest["arguments"]) };
  return { type, ...rest };
}

/** Texts of the engine are marked by their role or by a tag. */
function partShape(part: WireObject, role: unknown, own: ReadonlySet<string>): WireObject {
  const { type, text } = part;
  if (typeof text !== "string") return { type, ...sizeOf(part["image_url"]) };
  if (own.has(text)) return { type, text };
  if (role === "developer" || role === "system") return { type, text: "<instructions>" };
  const tag = /^<(\w+)>/.exec(text)?.[1];
  if (tag !== undefined) return { type, text: `<${tag}>` };
  if (text.startsWith("# AGENTS.md instructions")) return { type, text: "<AGENTS.md>" };
  return { type, text };
}

/** The size of a PNG, which a server may have changed. */
function sizeOf(url: unknown): { readonly size?: string } {
  const [, base64] = /^data:image\/png;base64,(.*)$/s.exec(String(url)) ?? [];
  if (base64 === undefined) return {};
  const header = Buffer.from(base64.slice(0, 32), "base64");
  if (header.length < 24) return {};
  return { size: `${header.readUInt32BE(16)} x ${header.readUInt32BE(20)}` };
}

/** Joins parts that are alike: how many parts our own words have does not matter. */
function joined(parts: readonly WireObject[]): readonly WireObject[] {
  return parts.filter(
    ({ text }, index) => !(String(text).startsWith("<") && text === parts[index - 1]?.["text"]),
  );
}

/** The instructions that clients gave, which the model must receive word for word. */
function textsOfClients(recording: ScenarioResult["recording"]): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const line of recording) {
    if (!("message" in line) || line.direction !== "out") continue;
    const { baseInstructions, developerInstructions } = (line.message["params"] ?? {}) as WireObject;
    for (const text of [baseInstructions, developerInstructions])
      if (typeof text === "string") texts.add(text);
  }
  return texts;
}

/** The output that each command reported to the client. The model must receive it too. */
function outputsIn(recording: ScenarioResult["recording"]): ReadonlyMap<string, string> {
  const outputs = new Map<string, string>();
  for (const line of recording) {
    if (!("message" in line)) continue;
    const { method, params } = line.message as { method?: string; params?: { item?: WireObject } };
    const item = params?.item;
    if (method !== "item/completed" || item?.["type"] !== "commandExecution") continue;
    if (typeof item["aggregatedOutput"] === "string")
      outputs.set(String(item["id"]), item["aggregatedOutput"]);
  }
  return outputs;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function nameOf(tool: WireObject): string {
  return String(tool["name"] ?? tool["type"]);
}

function objects(value: unknown): WireObject[] {
  return Array.isArray(value)
    ? value.filter((each): each is WireObject => typeof each === "object" && each !== null)
    : [];
}
