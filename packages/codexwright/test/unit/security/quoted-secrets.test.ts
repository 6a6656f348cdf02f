import { inspect } from "node:util";
import fc from "fast-check";
import { expect } from "vitest";
import { withoutSecrets } from "../../../src/redact/quoted.ts";
import { refusal } from "../../../src/websocket/refusal.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { hostile } from "./hostile.ts";

const KEY = 'sk-proj-Zq8/Lw3+Vn6 Tk2"Rb9_Xc4';

/** Ways in which a server may quote a secret. */
const QUOTES: Readonly<Record<string, (secret: string) => string>> = {
  unchanged: (secret) => secret,
  base64: (secret) => Buffer.from(secret).toString("base64"),
  "base64, offset by one": (secret) => Buffer.from(`x${secret}`).toString("base64"),
  "base64, offset by two": (secret) => Buffer.from(`xy${secret}z`).toString("base64"),
  base64url: (secret) => Buffer.from(secret).toString("base64url"),
  "base64 of the request": (secret) => Buffer.from(JSON.stringify({ apiKey: secret })).toString("base64"),
  hex: (secret) => Buffer.from(secret).toString("hex"),
  "upper-case hex": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
  "percent-encoding": encodeURIComponent,
  "lower-case percent-encoding": (secret) =>
    encodeURIComponent(secret).replaceAll(/%../g, (each) => each.toLowerCase()),
  JSON: (secret) => JSON.stringify({ said: secret }),
  "JSON in JSON": (secret) => JSON.stringify({ said: JSON.stringify({ apiKey: secret }) }),
  "without its end": (secret) => secret.slice(0, -6),
  "without its beginning": (secret) => secret.slice(6),
  "its middle": (secret) => secret.slice(6, -6),
  "base64 without its end": (secret) => Buffer.from(secret.slice(0, 20)).toString("base64"),
};

/** Returns every twelve consecutive characters of a secret, each in every encoding. */
function formsOf(secret: string): string[] {
  return Array.from({ length: secret.length - 11 }, (_, at) => secret.slice(at, at + 12)).flatMap((part) => [
    part,
    JSON.stringify(part).slice(1, -1),
    encodeURIComponent(part),
    Buffer.from(part).toString("hex"),
    Buffer.from(part).toString("hex").toUpperCase(),
    Buffer.from(part).toString("base64"),
    Buffer.from(part).toString("base64url"),
    // Base64 encodes three bytes at a time, so the text can also begin at the second or third byte.
    Buffer.from(`x${part}`).toString("base64").slice(4, 16),
    Buffer.from(`xy${part}`).toString("base64").slice(4, 16),
  ]);
}

function seen(error: unknown): string {
  return `${inspect(error, { depth: 20, showHidden: true })}\n${JSON.stringify(error)}\n${String(error)}`;
}

for (const [how, quote] of Object.entries(QUOTES)) {
  verifies(
    ["security.s10", "security.s31"],
    `removes a key that a server quotes (${how}) from the error`,
    async () => {
      const quoted = quote(KEY);
      expect(formsOf(KEY).some((form) => quoted.includes(form))).toBe(true);
      const body = JSON.stringify({
        code: -32_600,
        message: `bad key ${quoted}, sorry`,
        data: { deep: [{ quoted }] },
      });
      await using server = await hostile({}, () => `"error":${body}`);
      for (const error of [
        await rejection(server.codex.login.apiKey(KEY)),
        await rejection(server.codex.login.tokens({ accessToken: KEY, chatgptAccountId: "a" })),
        await rejection(server.codex.config.write("mcp_servers.x.env.API_KEY", KEY)),
        refusal("ws://x", 401, `<p>${quoted}</p>`, KEY),
        refusal("ws://x", 500, quoted, KEY),
      ]) {
        const text = seen(error);
        expect(formsOf(KEY).filter((form) => text.includes(form))).toEqual([]);
        expect(text).toContain("[redacted]");
      }
    },
  );
}

verifies(
  "security.s10",
  "if the server's error data quotes a key at any depth, the call rejects with a typed error without the key",
  async () => {
    for (const depth of [10, 500, 5_000, 100_000]) {
      const deep = `${'{"a":['.repeat(depth / 2)}${JSON.stringify(KEY)}${"]}".repeat(depth / 2)}`;
      await using server = await hostile({}, () => `"error":{"code":-32600,"message":"no","data":${deep}}`);
      const error = await rejection(server.codex.login.apiKey(KEY));
      expect(error).toMatchObject({ code: "auth_failed" });
      expect(inspect(error, { depth: 2_000 })).not.toContain("Lw3+Vn6");
    }
  },
);

verifies("security.s10", "finds a secret at any place in any text", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme-ascii", minLength: 12, maxLength: 60 }),
      fc.string({ unit: "grapheme-ascii", maxLength: 30 }),
      fc.constantFrom(...Object.keys(QUOTES).slice(0, 12)),
      (secret, around, how) => {
        const text = `${around} ${QUOTES[how]?.(secret)} ${around}`;
        expect(withoutSecrets(text, [secret])).toContain("[redacted]");
      },
    ),
    { seed: 20_261_119, numRuns: 400 },
  );
});

verifies("security.s10", "finds a secret of any characters in every encoding", () => {
  for (const secret of [
    "pässwörd für alle",
    "пароль-секрет",
    "鍵は秘密です鍵は秘密です",
    "naïve-key-1234",
    "emoji 🔑🔒 key",
  ])
    for (const [how, quote] of Object.entries(QUOTES).slice(0, 12))
      expect(`${how}: ${withoutSecrets(`no: ${quote(secret)} sorry`, [secret])}`).toContain("[redacted]");
});

verifies("security.s10", "keeps texts without the secret unchanged", () => {
  const texts = [
    "refused",
    "bad key sk-proj-…Xc4",
    "a".repeat(5_000),
    JSON.stringify({ a: "b\\n%20" }),
    "Zq8",
  ];
  expect(texts.map((text) => withoutSecrets(text, [KEY, "", "abc"]))).toEqual(texts);
});
