import { createServer, request as forward, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import {
  applyPatch,
  exec,
  fail,
  hang,
  mcpCall,
  reply,
  scriptedModel,
  truncate,
  type ModelItem,
  type ModelRequest,
  type ScriptedModel,
} from "@codexwright/testing";
import type { Random } from "../lib/random.ts";
import type { Ledger } from "./ledger.ts";

/** How often the provider fails, in percent. */
const TROUBLE = 10;
/** How often the provider answers with a page of HTML, in percent. */
const HTML = 3;
/** How often a response is so long that the thread is compacted, in percent. */
const FULL = 3;
/** More than this context is compacted. */
export const COMPACT_AT = 50_000;

const PAGE = "<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1>";

/** A model that fails at random, and otherwise calls tools that write down that they ran. */
export async function faultyModel(random: Random, ledger: Ledger): Promise<ScriptedModel> {
  const model = await scriptedModel((request) => {
    // The model keeps its requests, which would take most of the memory of the drill.
    (model.requests as (ModelRequest | undefined)[])[request.index] = undefined;
    ledger.wrong.push(...unpaired(request));
    return trouble(random, ledger) ?? answer(request, random, ledger);
  });
  return model;
}

/** A provider in front of the model that answers with a page of HTML at times, as proxies do. */
export async function htmlAtTimes(
  model: ScriptedModel,
  random: Random,
  ledger: Ledger,
): Promise<AsyncDisposable & { readonly baseUrl: string }> {
  const server = createServer((incoming, response) => {
    if (incoming.method === "POST" && random.below(100) < HTML) {
      const status = random.pick([200, 502]);
      ledger.fault(`HTML with ${status}`);
      incoming.resume();
      return answerHtml(response, status);
    }
    const { method, headers, url = "/" } = incoming;
    const onward = forward(new URL(url, model.baseUrl), { method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.on("error", () => response.destroy());
      answered.on("aborted", () => response.destroy());
      answered.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answerHtml(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-type": "text/html" });
  response.end(PAGE);
}

/** A provider refuses a conversation in which a call has no output, or two. */
function unpaired({ input, index }: ModelRequest): string[] {
  const ids = (type: string): unknown[] =>
    input.filter((item) => item["type"] === type).map((item) => item["call_id"]);
  const outputs = ids("function_call_output");
  return ids("function_call")
    .filter((id) => outputs.filter((each) => each === id).length !== 1)
    .map((id) => `request ${index}: the call ${String(id)} has not one output`);
}

function trouble(random: Random, ledger: Ledger): ModelItem[] | undefined {
  if (random.below(100) >= TROUBLE) return undefined;
  const token = `cut ${ledger.token()}`;
  const [name, item] = random.pick([
    ["500", fail(500)],
    ["429 with retry-after", fail(429, { headers: { "retry-after": "1" } })],
    ["a cut connection", truncate(token, { drop: true })],
    ["a stream without its end", truncate(token)],
    ["silence", hang()],
  ] as const);
  ledger.fault(name);
  return [item];
}

function answer(request: ModelRequest, random: Random, ledger: Ledger): ModelItem[] {
  const usage = { inputTokens: random.below(100) < FULL ? COMPACT_AT + 1 : 1_000 };
  if (request.tools.length === 0) return [reply(`the summary ${ledger.token()}`)];
  const calls = Array.from({ length: random.below(4) }, () => call(random, ledger));
  const text = reply(`says ${ledger.token()}`, { deltas: 1 + random.below(4), usage });
  return [text, ...calls];
}

function call(random: Random, ledger: Ledger): ModelItem {
  const token = ledger.token();
  const kind = random.below(10);
  if (kind < 3) {
    const mode = random.pick(["answer", "answer", "answer", "answer", "hang", "flood", "die"] as const);
    if (mode !== "answer") ledger.fault(`MCP server: ${mode}`);
    return mcpCall("drill", "note", { token, mode });
  }
  if (kind < 4) return applyPatch(`*** Add File: patches/${token}.txt\n+${token}`);
  const noted = `echo ${token} >>ran.log`;
  const rest = random.pick([
    "",
    "; sleep 0.05",
    "; head -c 300000 /dev/zero | tr '\\0' x",
    // These end only if they are killed, or with their thread.
    "; exec sleep 600",
    "; setsid sleep 600 & sleep 600",
  ]);
  const waits = rest.includes("600");
  return exec(noted + rest, { args: { login: false, yield_time_ms: waits ? 400 : 20_000 } });
}
