import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import type { ModelError } from "@codexwright/engine";
import { responses } from "@codexwright/engine/node";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { begin, COMPLETED, event, modelServer, read, said, stream } from "./model-server.ts";

const KEY = "sk-test/+40 characters? of ~a key & more";

/** Texts in which a server can quote a secret. */
function quoted(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    bytes.toString("base64"),
    Buffer.from(`x${secret}`).toString("base64url"),
    bytes.toString("hex"),
    `${"y".repeat(64 * 1024 - secret.length / 2)}${secret}`,
  ];
}

function show(error: ModelError): string {
  const { details, message, stack, cause } = error;
  return JSON.stringify({ details, message, stack, cause: String(cause) });
}

verifies("engine.provider.secrets", "removes the key from errors in every encoding", async () => {
  const team = "team-header-secret";
  const tricks = [...quoted(KEY), ...quoted(team), ...quoted("query-secret")];
  const forms = [KEY, team, "query-secret"].flatMap((secret) => quoted(secret).slice(0, 6));
  await using server = await modelServer((response, position) => {
    const trick = tricks[Math.floor(position / 4)] ?? "";
    const error = { message: trick, code: trick.slice(0, 100), type: "x" };
    if (position % 4 === 0) response.writeHead(401).end(trick);
    else if (position % 4 === 1) response.writeHead(400).end(JSON.stringify({ error }));
    else if (position % 4 === 2) stream(response, event("response.failed", { response: { error } }));
    else response.writeHead(302, { location: `/${encodeURIComponent(trick.slice(0, 500))}` }).end();
  });
  const provider = responses({
    baseUrl: server.baseUrl,
    apiKey: KEY,
    headers: { "x-team": team },
    query: { code: "query-secret" },
  });
  for (let n = 0; n < tricks.length * 4; n++) {
    const text = show((await rejection(read(provider))) as ModelError);
    for (const form of forms) expect(text).not.toContain(form);
    expect(text).not.toContain(KEY.slice(0, 20));
  }
});

verifies(
  "engine.provider.secrets",
  "shortens texts of the server and removes control characters",
  async () => {
    await using server = await modelServer((response) =>
      response.writeHead(500).end(`\u001B[2Jbad\u0000\u202E${"long ".repeat(1e6)}`),
    );
    const error = (await rejection(read(responses({ baseUrl: server.baseUrl })))) as ModelError;
    expect(error.message.length).toBeLessThanOrEqual(4_097);
    for (const bad of ["\u0000", "\u001B", "\u202E"]) expect(error.message).not.toContain(bad);
  },
);

verifies("engine.provider.origin", "does not follow redirects", async () => {
  await using other = await modelServer((response) => stream(response, COMPLETED));
  for (const status of [301, 302, 303, 307, 308]) {
    await using server = await modelServer((response) =>
      response.writeHead(status, { location: `${other.baseUrl}/responses` }).end(),
    );
    const provider = responses({ baseUrl: server.baseUrl, apiKey: KEY });
    const error = (await rejection(read(provider))) as ModelError;
    expect(error.details).toMatchObject({ phase: "status", status, final: true });
    expect(error.message).toContain("redirects are not followed");
  }
  expect(other.requests).toEqual([]);
});

verifies("engine.provider.bounds", "breaks off a response that is too large", async () => {
  let stopped = (): void => {};
  const closed = new Promise<void>((resolve) => (stopped = resolve));
  await using server = await modelServer((response) => {
    begin(response);
    response.on("close", stopped);
    response.write('data: {"type":"response.output_text.delta","delta":"');
    const piece = "x".repeat(1024 * 1024);
    let sent = 0;
    const more = (): void => {
      while (sent++ < 100 && response.write(piece));
      if (sent < 100) response.once("drain", more);
    };
    more();
  });
  const error = (await rejection(read(responses({ baseUrl: server.baseUrl })))) as ModelError;
  expect(error.details).toMatchObject({ phase: "stream", final: true });
  expect(error.message).toContain("longer than");
  await closed;
});

verifies("engine.provider.stream", "reads a compressed stream", async () => {
  await using server = await modelServer((response) =>
    response
      .writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" })
      .end(gzipSync(said("m1", "hello") + COMPLETED)),
  );
  expect((await read(responses({ baseUrl: server.baseUrl }))).map(({ type }) => type)).toEqual([
    "itemAdded",
    "text",
    "itemDone",
    "completed",
  ]);
});

verifies("engine.provider.stream", "ignores items that are nested too deeply", async () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  await using server = await modelServer((response) =>
    stream(
      response,
      `data: {"type":"response.output_item.done","item":{"type":"message","content":${deep}}}\n\n`,
      COMPLETED,
    ),
  );
  const events = await read(responses({ baseUrl: server.baseUrl }));
  expect(events.map(({ type }) => type)).toEqual(["completed"]);
});

verifies(
  "engine.provider.refusals",
  "survives oversized headers and absurd values of retry-after",
  async () => {
    const values = ["-1", "1e99", "soon", "9".repeat(400), "Fri, 31 Dec 9999 23:59:59 GMT", "", "0x10"];
    await using server = await modelServer((response, position) => {
      const value = values[position];
      if (value === undefined) response.writeHead(200, { "x-large": "x".repeat(400_000) }).end();
      else response.writeHead(429, { "retry-after": value }).end("{}");
    });
    const provider = responses({ baseUrl: server.baseUrl });
    for (const value of values) {
      const { details } = (await rejection(read(provider))) as ModelError;
      expect([value, details.status]).toEqual([value, 429]);
      expect(details.retryAfterMs ?? 0).toBeGreaterThanOrEqual(0);
    }
    // Node refuses such headers. Bun accepts them, and the stream is empty.
    await read(provider).catch((error: ModelError) => expect(error.details.phase).toBe("stream"));
  },
);
