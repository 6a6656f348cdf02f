import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { CodexClient } from "codexwright";
import { expect } from "vitest";
import { engine } from "@codexwright/engine/node";
import { realAppServer, type RealAppServer } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";

/** A provider's keys, and what its server does. */
interface Case {
  readonly name: string;
  /** Keys of `[model_providers.own]`. BASE is the address of the server. */
  readonly provider: string;
  readonly top?: string;
  readonly auth?: string;
  readonly serve?: "answer" | "refuse" | "cut" | "silence";
}

const BASE = 'name = "own"\nbase_url = "BASE"\n';
const QUICK = "request_max_retries = 0\nstream_max_retries = 0\n";
const CASES: readonly Case[] = [
  { name: "nothing more", provider: BASE },
  { name: "base_url with a slash", provider: 'name = "own"\nbase_url = "BASE/"\n' },
  { name: "env_key", provider: `${BASE}env_key = "CODEXWRIGHT_KEYS_SET"\n` },
  { name: "env_key that is not set", provider: `${BASE}env_key = "CODEXWRIGHT_KEYS_NONE"\n` },
  { name: "env_key that is empty", provider: `${BASE}env_key = "CODEXWRIGHT_KEYS_EMPTY"\n` },
  { name: "experimental_bearer_token", provider: `${BASE}experimental_bearer_token = "of-file"\n` },
  { name: "http_headers", provider: `${BASE}http_headers = { "X-Own" = "one", x-two = "2" }\n` },
  {
    name: "env_http_headers",
    provider: `${BASE}env_http_headers = { x-set = "CODEXWRIGHT_KEYS_SET", x-none = "CODEXWRIGHT_KEYS_NONE", x-empty = "CODEXWRIGHT_KEYS_EMPTY" }\n`,
  },
  { name: "query_params", provider: `${BASE}query_params = { api-version = "1", b = "2" }\n` },
  { name: "wire_api", provider: `${BASE}wire_api = "responses"\n` },
  {
    name: "requires_openai_auth",
    provider: `${BASE}requires_openai_auth = true\n`,
    auth: '{ "OPENAI_API_KEY": "sk-of-auth-json" }',
  },
  {
    name: "no requires_openai_auth",
    provider: BASE,
    auth: '{ "OPENAI_API_KEY": "sk-of-auth-json" }',
  },
  {
    name: "request_max_retries",
    provider: `${BASE}request_max_retries = 2\nstream_max_retries = 0\n`,
    serve: "refuse",
  },
  { name: "no request_max_retries", provider: `${BASE}${QUICK}`, serve: "refuse" },
  {
    name: "stream_max_retries",
    provider: `${BASE}request_max_retries = 0\nstream_max_retries = 2\n`,
    serve: "cut",
  },
  { name: "no stream_max_retries", provider: `${BASE}${QUICK}`, serve: "cut" },
  {
    name: "stream_idle_timeout_ms",
    provider: `${BASE}${QUICK}stream_idle_timeout_ms = 300\n`,
    serve: "silence",
  },
  {
    name: "an effort",
    provider: BASE,
    top: 'model_reasoning_effort = "high"\nmodel_reasoning_summary = "concise"\n',
  },
];

/** Configurations with which no thread can begin. */
const REFUSED: readonly string[] = [
  `[model_providers.own]\n${BASE}wire_api = "chat"`,
  `[model_providers.own]\n${BASE}wire_api = "wild"`,
  `[model_providers.own]\n${BASE}env_key = 1`,
  `[model_providers.own]\n${BASE}http_headers = "x"`,
  `[model_providers.own]\n${BASE}query_params = { a = 1 }`,
  `[model_providers.own]\n${BASE}request_max_retries = -1`,
  `[model_providers.own]\n${BASE}stream_max_retries = "1"`,
  `[model_providers.own]\n${BASE}stream_idle_timeout_ms = true`,
  `[model_providers.own]\n${BASE}[model_providers.openai]\n${BASE}`,
  `[model_providers.other]\n${BASE}`,
];

interface Arrived {
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly model: unknown;
  readonly reasoning: unknown;
}

/** Headers of the case. All others are compared elsewhere. */
const SHOWN = /^(?:authorization|x-own|x-two|x-set|x-none|x-empty)$/;

/** The address without the order of its parameters, which Codex does not keep. */
function inOrder(url: string): string {
  const { pathname, searchParams } = new URL(url, "http://host");
  searchParams.sort();
  return `${pathname}?${searchParams}`;
}

class ModelServer implements AsyncDisposable {
  serve: NonNullable<Case["serve"]> = "answer";
  arrived: Arrived[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, "127.0.0.1", listening));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const piece of request) text += String(piece);
    if (!request.url?.includes("/responses")) return void response.writeHead(404).end();
    const body = JSON.parse(text) as Record<string, unknown>;
    const headers = Object.entries(request.headers).filter(([name]) => SHOWN.test(name));
    this.arrived.push({
      url: inOrder(request.url),
      headers: Object.fromEntries(headers),
      model: body["model"],
      reasoning: body["reasoning"],
    });
    if (this.serve === "refuse") return void response.writeHead(500).end("{}");
    response.writeHead(200, { "content-type": "text/event-stream" });
    const event = (type: string, more: object = {}): string =>
      `data: ${JSON.stringify({ type, ...more })}\n\n`;
    response.write(event("response.created", { response: { id: "r1" } }));
    if (this.serve === "silence") return;
    if (this.serve === "cut") return void response.end();
    const item = {
      type: "message",
      id: "m1",
      role: "assistant",
      content: [{ type: "output_text", text: "ok" }],
    };
    response.write(event("response.output_item.done", { item }));
    response.end(event("response.completed", { response: { id: "r1", usage: null } }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((closed) => this.#server.close(() => closed()));
  }
}

const VARIABLES = { CODEXWRIGHT_KEYS_SET: "of-variable", CODEXWRIGHT_KEYS_EMPTY: "" };

async function write(
  { codexHome }: RealAppServer,
  base: string,
  baseUrl: string,
  config: string,
): Promise<void> {
  const lines = base.split("\n").filter((line) => !/^(?:model_provider|openai_base_url) =/.test(line));
  const all = `model_provider = "own"\n${config.startsWith("[") ? "" : `${config}\n`}${lines.join("\n")}\n${config.startsWith("[") ? config : ""}`;
  await writeFile(path.join(codexHome, "config.toml"), all.replaceAll("BASE", baseUrl));
}

verifies(
  "engine.config.keys",
  "each key of a provider has the effect that it has in Codex",
  async () => {
    await using server = new ModelServer();
    const baseUrl = await server.start();
    Object.assign(process.env, VARIABLES);
    try {
      const differences: unknown[] = [];
      for (const { name, provider, top = "", auth, serve = "answer" } of CASES) {
        await using world = await realAppServer({ model: { baseUrl } });
        const base = await readFile(path.join(world.codexHome, "config.toml"), "utf8");
        if (auth !== undefined)
          await writeFile(path.join(world.codexHome, "auth.json"), auth, { mode: 0o600 });
        await write(world, `${top}${base}\n[model_providers.own]\n${provider}`, baseUrl, "");
        server.serve = serve;
        const seen: unknown[] = [];
        for (const own of [false, true]) {
          server.arrived = [];
          await using codex = await CodexClient.connect(
            own
              ? { transport: engine({ home: world.codexHome, cwd: world.workspace }) }
              : { ...world.clientOptions, env: { ...world.clientOptions.env, ...VARIABLES } },
          );
          const thread = await codex.startThread({ ephemeral: true });
          const failed = await thread.run("go").then(
            () => false,
            () => true,
          );
          seen.push({ failed, arrived: server.arrived });
        }
        const [theirs, ours] = seen;
        try {
          expect(ours).toEqual(theirs);
        } catch {
          differences.push({ name, theirs, ours });
        }
      }
      expect(differences).toEqual([]);
    } finally {
      for (const name of Object.keys(VARIABLES)) delete process.env[name];
    }
  },
  { against: "pinned", timeoutMs: 240_000 },
);

verifies(
  "engine.config.keys",
  "a provider that Codex refuses is refused",
  async () => {
    await using world = await realAppServer({ model: { baseUrl: "http://127.0.0.1:9/v1" } });
    const base = await readFile(path.join(world.codexHome, "config.toml"), "utf8");
    await using codex = await CodexClient.connect(world.clientOptions);
    await using own = await CodexClient.connect({
      transport: engine({ home: world.codexHome, cwd: world.workspace }),
    });
    const differences: unknown[] = [];
    for (const config of [`[model_providers.own]\n${BASE}`, ...REFUSED]) {
      await write(world, base, "http://127.0.0.1:9/v1", config);
      const outcomes: string[] = [];
      for (const each of [codex, own]) {
        outcomes.push(
          await each.startThread({ ephemeral: true }).then(
            () => "started",
            (error: Error) => error.message.split(":")[0] ?? "",
          ),
        );
      }
      if (outcomes[0] !== outcomes[1]) differences.push({ config, outcomes });
    }
    expect(differences).toEqual([]);
  },
  { against: "pinned", timeoutMs: 120_000 },
);
