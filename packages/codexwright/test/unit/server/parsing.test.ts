import { expect } from "vitest";
import { parseAddress } from "../../../src/server/address.ts";
import { checkClaims } from "../../../src/server/claims.ts";
import { authorizeUpgrade } from "../../../src/server/authorize-upgrade.ts";
import { hasWord, parseBearer, parseList } from "../../../src/server/headers.ts";
import { verifies } from "@codexwright/test-support/verifies";

verifies("server.auth", "parses headers with any content", () => {
  expect(parseBearer("BEARER  a b ")).toEqual({ token: "a b" });
  for (const header of [
    "",
    " ",
    "Bearer",
    "Bearer ",
    "bearerx y",
    "\u0000",
    "Bearer \u00ff",
    "Bearer a\u0000",
  ]) {
    expect(parseBearer(header)).toEqual({ refusal: "invalid authorization header" });
  }
  expect(parseList(" a,, b ,c,")).toEqual(["a", "b", "c"]);
  expect(parseList(undefined)).toEqual([]);
  expect(hasWord("keep-alive, Upgrade", "upgrade")).toBe(true);
  expect(hasWord("upgraded", "upgrade")).toBe(false);
});

verifies("server.auth", "applies the clock skew to the times of a token, to the second", () => {
  const expected = { maxClockSkewSeconds: 30 };
  expect(checkClaims({ exp: 70 }, expected, 100)).toBe(undefined);
  expect(checkClaims({ exp: 69 }, expected, 100)).toBe("expired websocket jwt");
  expect(checkClaims({ exp: 200, nbf: 130 }, expected, 100)).toBe(undefined);
  expect(checkClaims({ exp: 200, nbf: 131 }, expected, 100)).toBe("websocket jwt is not valid yet");
  for (const payload of [
    null,
    undefined,
    1,
    "x",
    [],
    [{ exp: 200 }],
    { exp: Number.NaN },
    { exp: Infinity },
  ]) {
    expect(checkClaims(payload, expected, 100)).toBe("invalid websocket jwt");
  }
});

verifies("server.listen", "parses addresses as they are written", () => {
  expect(parseAddress("ws://[::1]:80")).toEqual({ kind: "ws", hostname: "::1", port: 80 });
  expect(parseAddress("unix:///a%20b?c")).toEqual({ kind: "unix", path: "/a%20b?c" });
  expect(parseAddress("stdio://")).toEqual({ kind: "stdio" });
});

verifies(
  "server.origin",
  "takes the token of a browser from the header or the subprotocol, never from both",
  async () => {
    const policy = {
      checksOrigin: true,
      allowedOrigins: new Set(["https://page.example"]),
      verify: async (token: string) => (token === "good" ? undefined : "bad"),
    };
    const upgrade = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "x",
      origin: "https://page.example",
    };
    const visit = (more: Record<string, string>) =>
      authorizeUpgrade({ method: "GET", url: "/", headers: { ...upgrade, ...more } }, policy);
    const protocol = { "sec-websocket-protocol": "codexwright, codexwright.bearer.good" };
    expect(await visit(protocol)).toBe(undefined);
    expect(await visit({ ...protocol, authorization: "Bearer evil" })).toMatchObject({ status: 401 });
    expect(await visit({ "sec-websocket-protocol": "codexwright.bearer." })).toMatchObject({ status: 401 });
    expect(await visit({ ...protocol, origin: "https://page.example:444" })).toMatchObject({ status: 403 });
  },
);
