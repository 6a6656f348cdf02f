import type { ServerResponse } from "node:http";
import fc from "fast-check";
import { expect } from "vitest";
import { ModelError } from "@codexwright/engine";
import { rejection } from "@codexwright/test-support/events";
import { sse, type Answer } from "@codexwright/test-support/model-apis/server";
import { verifies } from "@codexwright/test-support/verifies";
import { read } from "../model-server.ts";
import { APIS, clientOf, configured, MODELS, serveApi, type Api } from "./apis.ts";

const KEY = "sk-key-of-a-hostile-test";

function begin(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

/** Writes the same text again and again, until the connection closes. */
function endless(head: string, text: string): Answer {
  return (response) => {
    begin(response);
    response.write(head);
    const more = (): void => {
      while (!response.destroyed) if (!response.write(text)) return void response.once("drain", more);
    };
    more();
  };
}

const OPEN_CALL = sse({
  choices: [
    {
      index: 0,
      delta: { tool_calls: [{ index: 0, id: "c", function: { name: "x", arguments: '{"a":"' } }] },
    },
  ],
});
const MORE_ARGUMENTS = sse({
  choices: [
    { index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: "y".repeat(256 * 1024) } }] } },
  ],
});

async function errorOf(api: Api, answer: Answer): Promise<ModelError> {
  await using server = await serveApi(api, [answer]);
  const provider = await configured(api, server, { more: 'env_key = "K"', env: { K: KEY } });
  return (await rejection(read(provider, { model: MODELS[api] }))) as ModelError;
}

verifies(
  "security.s131",
  "an endless line, event or nesting is broken off, and not asked for again",
  async () => {
    const mebibyte = "x".repeat(1024 * 1024);
    for (const api of APIS) {
      for (const answer of [
        endless('data: {"choices":[{"delta":{"content":"', mebibyte),
        endless("", `data: ${mebibyte}\n`),
        (response: ServerResponse) => {
          begin(response);
          response.end(`data: {"a":${"[".repeat(200_000)}\n\n`);
        },
      ]) {
        const { details } = await errorOf(api, answer);
        expect([api, details.reason, details.final]).toEqual([api, "too_large", true]);
      }
    }
  },
);

verifies("security.s131", "endless arguments of a tool end the turn, and the next turn runs", async () => {
  let isFaulty = true;
  const flood = endless(OPEN_CALL, MORE_ARGUMENTS);
  await using server = await serveApi("chat", () => (isFaulty ? flood : { text: "Fine." }));
  await using own = await clientOf("chat", await configured("chat", server));
  const thread = await own.codex.startThread();
  expect(String(await rejection(thread.run("go")))).toContain("larger than 64 MiB");
  isFaulty = false;
  expect((await thread.run("again")).agentMessage).toBe("Fine.");
});

verifies(
  "security.s131",
  "calls behind one with endless arguments take time in proportion to their bytes",
  async () => {
    const event = (type: string, more: object): string => sse({ type, ...more }, type);
    const block = (index: number, json: string): string =>
      event("content_block_start", {
        index,
        content_block: { type: "tool_use", id: `t${index}`, name: "x", input: {} },
      }) +
      event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: json } }) +
      event("content_block_stop", { index });
    const usage = { input_tokens: 1, output_tokens: 1 };
    const start = event("message_start", {
      message: { id: "m", model: "m", role: "assistant", content: [], usage },
    });
    const calls = Array.from({ length: 2_000 }, (_, n) => block(n + 1, "{}")).join("");
    await using server = await serveApi("anthropic", [
      (response) => {
        begin(response);
        // The arguments of the first call do not end.
        response.end(`${start}${block(0, `{"a":"${"y".repeat(8 * 1024 * 1024)}`)}${calls}`);
      },
    ]);
    const provider = await configured("anthropic", server, { more: 'env_key = "K"', env: { K: KEY } });
    const before = process.cpuUsage();
    expect(await rejection(read(provider, { model: MODELS.anthropic }))).toBeInstanceOf(ModelError);
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(8_000_000);
  },
);

verifies(
  "security.s131",
  "the key and the conversation reach no other server, and no error has the key",
  async () => {
    for (const api of APIS) {
      await using other = await serveApi(api, [{ text: "stolen" }]);
      for (const status of [301, 302, 303, 307, 308]) {
        const error = await errorOf(api, {
          status,
          headers: { location: `${other.baseUrl}/${KEY}` },
          body: "",
        });
        expect(error.message).toContain("redirects are not followed");
        expect(JSON.stringify([error.message, error.details])).not.toContain(KEY);
      }
      expect(other.requests).toEqual([]);
      for (const quoted of [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString("base64")]) {
        for (const answer of [
          { status: 401, body: JSON.stringify({ error: { message: quoted, type: quoted, code: quoted } }) },
          { status: 500, headers: { "content-type": "text/html" }, body: `<p>${quoted}</p>` },
          (response: ServerResponse) => {
            begin(response);
            response.end(sse({ type: "error", error: { type: "api_error", message: quoted } }, "error"));
          },
        ]) {
          const error = await errorOf(api, answer);
          expect([api, JSON.stringify([error.message, error.details])]).not.toEqual([
            api,
            expect.stringContaining(quoted),
          ]);
        }
      }
    }
  },
);

verifies("security.s131", "any bytes of a server end in events or a typed error", async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "data: ",
      "\n\n",
      "\r\n",
      ":",
      "event: error\n",
      "[DONE]",
      "null",
      '{"choices":',
      "\u0000",
    ),
    fc.json().map((json) => `data: ${json}\n\n`),
    fc.string({ maxLength: 30 }),
  );
  const cases = fc.sample(fc.array(piece, { maxLength: 8 }), { seed: 131, numRuns: 60 });
  for (const api of APIS) {
    await using server = await serveApi(api, (_received, position) => (response) => {
      begin(response);
      response.end((cases[position] ?? []).join(""));
    });
    const provider = await configured(api, server);
    for (const _ of cases) {
      const request = { model: MODELS[api] };
      await read(provider, request).catch((error: unknown) => expect(error).toBeInstanceOf(ModelError));
    }
  }
});
