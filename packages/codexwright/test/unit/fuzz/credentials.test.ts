import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import { verifies } from "../../../../../test/support/verifies.ts";
import { makeVerifier } from "../../../src/server/auth.ts";
import { decide, type GatePolicy } from "../../../src/server/gate.ts";
import { CASES, FUZZ } from "./cases.ts";

const SECRET = "a secret of at least thirty-two bytes";
const TOKEN = "the-right-token";
const base64url = (text: string): string => Buffer.from(text).toString("base64url");

function sign(header: string, claims: string): string {
  const body = `${base64url(header)}.${base64url(claims)}`;
  return `${body}.${createHmac("sha256", SECRET).update(body).digest("base64url")}`;
}

const HEADER = JSON.stringify({ alg: "HS256", typ: "JWT" });
const GOOD = sign(HEADER, JSON.stringify({ exp: 4_000_000_000, aud: "codex", iss: "us" }));

/** The bytes of a token: its last characters may hold bits that no byte has. */
const decoded = (token: string): string[] =>
  token.split(".").map((part) => Buffer.from(part, "base64url").toString("hex"));

const printable = fc.string({ unit: "binary-ascii", maxLength: 12 });
const claim = fc.oneof(
  fc.constantFrom<unknown>(4_000_000_000, 0, -1, 1e300, null, "codex", "us", ["codex"], [["codex"]], {}),
  fc.jsonValue({ maxDepth: 0 }),
);
const claims = fc
  .dictionary(fc.constantFrom("exp", "nbf", "iss", "aud", "alg"), claim)
  .map((made) => JSON.stringify(made));
const mutation = fc.oneof(
  // One character of a good token is another one, gone, or doubled.
  fc
    .tuple(fc.nat({ max: GOOD.length - 1 }), fc.oneof(fc.constant(""), printable))
    .map(([at, text]) => GOOD.slice(0, at) + text + GOOD.slice(at + 1)),
  claims.map((made) => sign(HEADER, made)),
  fc.constantFrom("none", "HS512", "RS256", "").map((alg) => sign(JSON.stringify({ alg }), `{"exp":4e9}`)),
  fc.array(printable, { maxLength: 4 }).map((parts) => parts.join(".")),
  printable,
);

verifies(
  "fuzz.credentials",
  "of all tokens only those that were signed, and say what they must, are let in",
  async () => {
    const verify = await makeVerifier({ signedBearer: { secret: SECRET, audience: "codex", issuer: "us" } });
    expect(await verify(GOOD)).toBeUndefined();
    await fc.assert(
      fc.asyncProperty(mutation, async (token) => {
        const refusal = await verify(token);
        if (refusal !== undefined) {
          expect(refusal).toMatch(/^[a-z ]+$/);
          return;
        }
        const [header, payload, signature] = decoded(token);
        const said = JSON.parse(Buffer.from(payload ?? "", "hex").toString()) as Record<string, unknown>;
        expect([header, signature]).toEqual([
          decoded(GOOD)[0],
          decoded(sign(HEADER, JSON.stringify(said)))[2],
        ]);
        expect(said["iss"]).toBe("us");
        expect([said["aud"]].flat()).toContain("codex");
        expect(said["exp"]).toBeGreaterThan(Date.now() / 1000);
      }),
      { seed: 15, numRuns: CASES },
    );
  },
  FUZZ,
);

const value = fc.oneof(
  fc.constantFrom<string>(
    "",
    TOKEN,
    `Bearer ${TOKEN}`,
    `bearer  ${TOKEN} `,
    `Basic ${TOKEN}`,
    "Bearer",
    `codexwright.bearer.${TOKEN}`,
    `codexwright, codexwright.bearer.${TOKEN}`,
    "websocket",
    "keep-alive, Upgrade",
    "13",
    "https://ours.example",
    "null",
  ),
  printable,
);
const names = [
  "authorization",
  "connection",
  "origin",
  "sec-websocket-key",
  "sec-websocket-protocol",
  "sec-websocket-version",
  "upgrade",
] as const;
const request = fc.record({
  method: fc.oneof({ weight: 4, arbitrary: fc.constant("GET") }, printable),
  url: fc.oneof(fc.constantFrom("/", "/readyz", "/healthz?x", "/?token=x"), printable),
  headers: fc.oneof(
    fc.dictionary(fc.constantFrom(...names), value),
    // As it should be, but for one header.
    fc.tuple(fc.constantFrom(...names), value).map(([name, text]) => ({
      authorization: `Bearer ${TOKEN}`,
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      "sec-websocket-version": "13",
      [name]: text,
    })),
  ),
});

verifies(
  "fuzz.credentials",
  "of all requests only those with the token become connections; each of the others gets one of five answers",
  async () => {
    const policy: GatePolicy = {
      checksOrigin: true,
      allowedOrigins: new Set(["https://ours.example"]),
      verify: await makeVerifier({ capabilityToken: { token: TOKEN } }),
    };
    await fc.assert(
      fc.asyncProperty(request, async (each) => {
        const refusal = await decide(each, policy);
        if (refusal) {
          expect([200, 400, 401, 403, 405]).toContain(refusal.status);
          expect(refusal.body).not.toContain(TOKEN);
          return;
        }
        const { authorization, origin, ...rest } = each.headers as Record<string, string | undefined>;
        const shown = `${authorization ?? ""} ${origin === undefined ? "" : rest["sec-websocket-protocol"]}`;
        expect(shown).toContain(TOKEN);
        if (origin !== undefined) expect(origin).toBe("https://ours.example");
      }),
      { seed: 16, numRuns: CASES },
    );
  },
  FUZZ,
);
