import type { RealAppServerAuth } from "@codexwright/testing";
import type { ListenOptions } from "codexwright/server";
import { signed } from "./jwt.ts";
import { UPGRADE, type RawRequest } from "./raw-http.ts";

export const TOKEN = "a capability+token/that=only tests know";
export const SECRET = "a secret that is long enough to sign with";
const ISSUER = "https://issuer.example";
const AUDIENCE = "codex";

export interface GateCase {
  readonly name: string;
  readonly request: RawRequest;
  readonly status: number;
  readonly body: string;
}

/** Requests with the answers of the real server 0.166.0, for each kind of authentication. */
export interface GateTable {
  readonly name: string;
  readonly ours: ListenOptions["auth"];
  readonly real: RealAppServerAuth | undefined;
  readonly cases: readonly GateCase[];
}

const upgrade = (...headers: string[]): RawRequest => ({ headers: [...UPGRADE, ...headers] });
const without = (name: string): string[] => UPGRADE.filter((line) => !line.startsWith(`${name}:`));
const bearer = (token: string): RawRequest => upgrade(`Authorization: Bearer ${token}`);

function row(name: string, request: RawRequest, status: number, body = ""): GateCase {
  return { name, request, status, body };
}

const ORIGIN = "Origin: http://evil.example";
const NO_UPGRADE = "Connection header did not include 'upgrade'";

const FORM: readonly GateCase[] = [
  row("an upgrade", upgrade(), 101),
  row("an upgrade of any path", { ...upgrade(), path: "/any?x=1" }, 101),
  row("an unknown subprotocol", upgrade("Sec-WebSocket-Protocol: chat, superchat"), 101),
  row("an offer to compress", upgrade("Sec-WebSocket-Extensions: permessage-deflate"), 101),
  row("a plain request", {}, 400, NO_UPGRADE),
  row("an unknown path", { path: "/healthz/" }, 400, NO_UPGRADE),
  row(
    "another upgrade",
    { headers: [...without("Upgrade"), "Upgrade: h2c"] },
    400,
    "`Upgrade` header did not include 'websocket'",
  ),
  row(
    "an old version",
    { headers: [...without("Sec-WebSocket-Version"), "Sec-WebSocket-Version: 12"] },
    400,
    "`Sec-WebSocket-Version` header did not include '13'",
  ),
  row("no key", { headers: without("Sec-WebSocket-Key") }, 400, "`Sec-WebSocket-Key` header missing"),
  row("a POST", { method: "POST", headers: ["Content-Length: 0"] }, 405, "Request method must be `GET`"),
];

const ALWAYS: readonly GateCase[] = [
  row("readyz", { path: "/readyz" }, 200),
  row("healthz", { path: "/healthz" }, 200),
  row("healthz with a query", { path: "/healthz?x=1" }, 200),
  row("healthz as an upgrade", { ...upgrade(), path: "/healthz" }, 200),
  row("a POST of healthz", { method: "POST", path: "/healthz", headers: ["Content-Length: 0"] }, 405),
  row("healthz of a page", { path: "/healthz", headers: [ORIGIN] }, 403),
  row("an origin", upgrade(ORIGIN), 403),
  row("an empty origin", upgrade("Origin:"), 403),
  row("the origin null", upgrade("Origin: null"), 403),
  row("an origin without upgrade", { headers: [ORIGIN] }, 403),
];

const HEADER = "invalid authorization header";
const WRONG = "invalid websocket bearer token";
const MISSING = "missing websocket bearer token";

const CAPABILITY: readonly GateCase[] = [
  row("the token", bearer(TOKEN), 101),
  row("the token under a scheme in lower case", upgrade(`Authorization: bearer ${TOKEN}`), 101),
  row("the token among spaces", upgrade(`Authorization: Bearer   ${TOKEN}   `), 101),
  row("the token, then another", upgrade(`Authorization: Bearer ${TOKEN}`, "Authorization: Bearer x"), 101),
  row(
    "another token, then the token",
    upgrade("Authorization: Bearer x", `Authorization: Bearer ${TOKEN}`),
    401,
    WRONG,
  ),
  row("no token", upgrade(), 401, MISSING),
  row("a prefix of the token", bearer(TOKEN.slice(0, -1)), 401, WRONG),
  row("the token with a suffix", bearer(`${TOKEN}x`), 401, WRONG),
  row("no token after the scheme", upgrade("Authorization: Bearer"), 401, HEADER),
  row("an empty header", upgrade("Authorization:"), 401, HEADER),
  row("another scheme", upgrade(`Authorization: Basic ${TOKEN}`), 401, HEADER),
  row("no scheme", upgrade("Authorization: token"), 401, HEADER),
  row("a tab after the scheme", upgrade("Authorization: Bearer\ttoken"), 401, HEADER),
  row("a token that is not ASCII", bearer("t\u00e9"), 401, HEADER),
  row("the token in the URL", { ...upgrade(), path: `/?token=${encodeURIComponent(TOKEN)}` }, 401, MISSING),
  row(
    "the token as a subprotocol, without an origin",
    upgrade("Sec-WebSocket-Protocol: codexwright.bearer.t"),
    401,
    MISSING,
  ),
  row("the token with an origin", upgrade(ORIGIN, `Authorization: Bearer ${TOKEN}`), 403),
  row("no token and no upgrade", {}, 400, NO_UPGRADE),
];

const NOW = Math.floor(Date.now() / 1000);
const GOOD = { exp: NOW + 3_600, iss: ISSUER, aud: AUDIENCE };
const jwt = (claims: object, secret = SECRET): RawRequest => bearer(signed({ ...GOOD, ...claims }, secret));
const INVALID = "invalid websocket jwt";

const SIGNED: readonly GateCase[] = [
  row("a good token", jwt({}), 101),
  row("one for several audiences", jwt({ aud: ["x", AUDIENCE] }), 101),
  row("one that has just expired, within the clock skew", jwt({ exp: NOW - 60 }), 101),
  row("one that is not yet valid, within the clock skew", jwt({ nbf: NOW + 60 }), 101),
  row("one with extra claims", jwt({ sub: 1, iat: "x", nbf: null }), 101),
  row("one without a type", bearer(signed(GOOD, SECRET, { alg: "HS256" })), 101),
  row("none", upgrade(), 401, MISSING),
  row("an expired one", jwt({ exp: NOW - 3_600 }), 401, "expired websocket jwt"),
  row("one that expired before 1970", jwt({ exp: -5 }), 401, "expired websocket jwt"),
  row("one that is not valid yet", jwt({ nbf: NOW + 3_600 }), 401, "websocket jwt is not valid yet"),
  row("one of another issuer", jwt({ iss: "x" }), 401, "websocket jwt issuer mismatch"),
  row("one without an issuer", jwt({ iss: null }), 401, "websocket jwt issuer mismatch"),
  row("one for another audience", jwt({ aud: "x" }), 401, "websocket jwt audience mismatch"),
  row("one for other audiences", jwt({ aud: ["x", "y"] }), 401, "websocket jwt audience mismatch"),
  row("one with an empty list of audiences", jwt({ aud: [] }), 401, "websocket jwt audience mismatch"),
  row("one without an audience", jwt({ aud: null }), 401, "websocket jwt audience mismatch"),
  row("one that is expired and of another issuer", jwt({ exp: 0, iss: "x" }), 401, "expired websocket jwt"),
  row(
    "one of another issuer and audience",
    jwt({ iss: "x", aud: "x" }),
    401,
    "websocket jwt issuer mismatch",
  ),
  row("one without an expiry", jwt({ exp: null }), 401, INVALID),
  row("one whose expiry is a string", jwt({ exp: `${NOW}` }), 401, INVALID),
  row("one whose expiry is a fraction", jwt({ exp: NOW + 0.5 }), 401, INVALID),
  row("one whose start is a string", jwt({ nbf: "x" }), 401, INVALID),
  row("one with a list of issuers", jwt({ iss: [ISSUER] }), 401, INVALID),
  row("one whose audience is a number", jwt({ aud: 1 }), 401, INVALID),
  row("one whose audiences include a number", jwt({ aud: [AUDIENCE, 1] }), 401, INVALID),
  row(
    "one signed with another secret",
    jwt({}, "another secret that is long enough to sign with"),
    401,
    INVALID,
  ),
  row(
    "one that is unsigned",
    bearer(`${signed(GOOD, SECRET, { alg: "none" }).split(".").slice(0, 2).join(".")}.`),
    401,
    INVALID,
  ),
  row("one of another algorithm", bearer(signed(GOOD, SECRET, { alg: "HS384" })), 401, INVALID),
  row("one whose type is not a string", bearer(signed(GOOD, SECRET, { alg: "HS256", typ: 1 })), 401, INVALID),
  row("one whose claims are a list", bearer(signed("[1]", SECRET)), 401, INVALID),
  row("one whose claims are not JSON", bearer(signed("nonsense", SECRET)), 401, INVALID),
  row("one with an extra part", bearer(`${signed(GOOD, SECRET)}.x`), 401, INVALID),
  row("one with padding", bearer(`${signed(GOOD, SECRET)}=`), 401, INVALID),
  row("nonsense", bearer("nonsense"), 401, INVALID),
];

export const GATE_TABLES: readonly GateTable[] = [
  { name: "without auth", ours: undefined, real: undefined, cases: [...FORM, ...ALWAYS] },
  {
    name: "with a capability token",
    ours: { capabilityToken: { token: TOKEN } },
    real: { token: TOKEN },
    cases: [...CAPABILITY, ...ALWAYS],
  },
  {
    name: "with signed tokens",
    ours: { signedBearer: { secret: SECRET, issuer: ISSUER, audience: AUDIENCE, maxClockSkewSeconds: 600 } },
    real: { secret: SECRET, issuer: ISSUER, audience: AUDIENCE, maxClockSkewSeconds: 600 },
    cases: [...SIGNED, ...ALWAYS],
  },
];
