import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { makeVerifier } from "../../../src/server/auth.ts";
import { authorizeUpgrade, type UpgradePolicy } from "../../../src/server/authorize-upgrade.ts";
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

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Other texts for the same bytes: unused bits of the last character, padding, the other alphabet, white space. */
const respelled = fc
  .tuple(
    fc.constantFrom(0, 1, 2),
    fc.nat({ max: 63 }),
    fc.constantFrom("=", "==", " ", "\t", "\n", "%3D", ""),
  )
  .chain(([index, bits, after]) => {
    const parts = GOOD.split(".");
    const part = parts[index] ?? "";
    const last = ALPHABET[bits] ?? "";
    const spelled = [
      part.slice(0, -1) + last + after,
      part.replaceAll("-", "+").replaceAll("_", "/") + after,
      after + part,
      `${part}A`,
      part.slice(0, -1),
      part.slice(0, 5) + after + part.slice(5),
    ];
    return fc.constantFrom(...spelled).map((text) => parts.with(index, text).join("."));
  });

const printable = fc.string({ unit: "binary-ascii", maxLength: 12 });
const claim = fc.oneof(
  fc.constantFrom<unknown>(4_000_000_000, 0, -1, 1e300, null, "codex", "us", ["codex"], [["codex"]], {}),
  fc.jsonValue({ maxDepth: 0 }),
);
const claims = fc
  .dictionary(fc.constantFrom("exp", "nbf", "iss", "aud", "alg"), claim)
  .map((made) => JSON.stringify(made));
const mutation = fc.oneof(
  // One character of a valid token is changed, removed or doubled.
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
  "accepts only tokens that are correctly signed and have the required claims",
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
        const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
        const said = JSON.parse(payload) as Record<string, unknown>;
        // Compares character by character.
        expect(token).toBe(sign(HEADER, payload));
        expect(said["iss"]).toBe("us");
        expect([said["aud"]].flat()).toContain("codex");
        expect(said["exp"]).toBeGreaterThan(Date.now() / 1000);
      }),
      { seed: 15, numRuns: CASES },
    );
  },
  FUZZ,
);

verifies(
  ["fuzz.credentials", "security.s33"],
  "accepts only one spelling of a signed token and of a capability token",
  async () => {
    const verify = await makeVerifier({ signedBearer: { secret: SECRET } });
    const isKnown = await makeVerifier({ capabilityToken: { token: GOOD } });
    expect([await verify(GOOD), await isKnown(GOOD)]).toEqual([undefined, undefined]);
    const [, , signature = ""] = GOOD.split(".");
    // 32 bytes need 43 characters. The last character has two unused bits.
    const same = ALPHABET.split("").filter((last) =>
      Buffer.from(signature.slice(0, -1) + last, "base64url").equals(Buffer.from(signature, "base64url")),
    );
    expect(same).toHaveLength(4);
    const letIn: string[] = [];
    for (const last of same) if ((await verify(GOOD.slice(0, -1) + last)) === undefined) letIn.push(last);
    expect(letIn).toEqual([GOOD.at(-1)]);
    await fc.assert(
      fc.asyncProperty(respelled, async (token) => {
        for (const check of [verify, isKnown])
          expect((await check(token)) === undefined).toBe(token === GOOD);
      }),
      { seed: 33, numRuns: CASES },
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
    // Valid except for one header.
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
  "only requests with the token become connections, and every other request gets one of five answers",
  async () => {
    const policy: UpgradePolicy = {
      checksOrigin: true,
      allowedOrigins: new Set(["https://ours.example"]),
      verify: await makeVerifier({ capabilityToken: { token: TOKEN } }),
    };
    await fc.assert(
      fc.asyncProperty(request, async (each) => {
        const refusal = await authorizeUpgrade(each, policy);
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
