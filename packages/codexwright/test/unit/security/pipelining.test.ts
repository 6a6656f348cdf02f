import { connect } from "node:net";
import fc from "fast-check";
import { expect } from "vitest";
import { listen } from "codexwright/server";
import { verifies } from "@codexwright/test-support/verifies";
import { echo } from "@codexwright/test-support/echo";
import { signed } from "@codexwright/test-support/jwt";
import { UPGRADE } from "@codexwright/test-support/raw-http";

const SLOW = { timeoutMs: 60_000 };
const SECRET = "a secret that is at least 32 bytes long";
const GOOD_JWT = signed({ exp: 4_000_000_000 }, SECRET);

const lines = (...each: string[]): string => [...each, "", ""].join("\r\n");

/** Requests that do not become a connection, with the status of their only answer. */
const FIRST: readonly (readonly [string, string, number])[] = [
  ["a request without upgrade", lines("GET / HTTP/1.1", "Host: x"), 400],
  ["a request with keep-alive", lines("GET / HTTP/1.1", "Host: x", "Connection: keep-alive"), 400],
  ["a request of HTTP/1.0", lines("GET / HTTP/1.0", "Connection: keep-alive"), 400],
  ["a probe", lines("GET /readyz HTTP/1.1", "Host: x"), 200],
  ["a probe without a body", lines("HEAD /healthz HTTP/1.1", "Host: x", "Connection: keep-alive"), 200],
  ["a request of a browser page", lines("GET / HTTP/1.1", "Host: x", "Origin: http://evil.example"), 403],
  ["a POST", lines("POST / HTTP/1.1", "Host: x", "Content-Length: 5") + "abcde", 405],
  [
    "a chunked body",
    lines("POST / HTTP/1.1", "Host: x", "Transfer-Encoding: chunked") + "5\r\nabcde\r\n0\r\n\r\n",
    405,
  ],
  [
    "a request with an Expect header",
    lines("POST / HTTP/1.1", "Host: x", "Expect: 100-continue", "Content-Length: 5") + "abcde",
    405,
  ],
  [
    "another request with an Expect header",
    lines("POST / HTTP/1.1", "Host: x", "Expect: the-worst", "Content-Length: 0"),
    405,
  ],
  ["an upgrade without a token", lines("GET / HTTP/1.1", "Host: x", ...UPGRADE), 401],
  ["an upgrade of HTTP/1.0", lines("GET / HTTP/1.0", "Host: x", ...UPGRADE), 401],
  ["a wrong token", lines("GET / HTTP/1.1", "Host: x", ...UPGRADE, "Authorization: Bearer no"), 401],
  [
    "an upgrade with a body",
    lines("GET / HTTP/1.1", "Host: x", ...UPGRADE, "Content-Length: 3") + "abc",
    400,
  ],
  [
    "an upgrade with a chunked body",
    lines("GET / HTTP/1.1", "Host: x", ...UPGRADE, "Transfer-Encoding: chunked") + "3\r\nabc\r\n0\r\n\r\n",
    400,
  ],
];

/** Sends these pieces, each in its own packet, and returns everything that comes back. */
function said(url: string, pieces: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    // Later bytes find the socket closed.
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
    void (async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        await new Promise<unknown>((written) => socket.write(piece, "latin1", written));
      }
    })();
  });
}

for (const [name, auth, token] of [
  ["a capability token", { capabilityToken: { token: "sesame" } }, "sesame"],
  ["signed tokens", { signedBearer: { secret: SECRET } }, GOOD_JWT],
] as const) {
  verifies(
    "security.s36",
    `with ${name}, does not serve a valid upgrade on a connection after another request was answered, however both are sent`,
    async () => {
      const endpoint = echo();
      await using listener = await listen(endpoint, "ws://127.0.0.1:0", { auth });
      const good = lines("GET / HTTP/1.1", "Host: x", ...UPGRADE, `Authorization: Bearer ${token}`);
      const probe = lines("GET /readyz HTTP/1.1", "Host: x");
      for (const [what, first, status] of FIRST) {
        const whole = first + good;
        for (const pieces of [
          [whole],
          [first, good],
          [first.slice(0, 10), first.slice(10) + good],
          [first + good.slice(0, 20), good.slice(20)],
          [first + probe + good],
          [first + first + good],
        ]) {
          const answer = await said(listener.url, pieces);
          const statuses = [...answer.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, code]) => Number(code));
          // Bytes that are still being sent could make the system discard the answer.
          expect({ what, statuses }).toEqual({ what, statuses: statuses.length === 0 ? [] : [status] });
        }
      }
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...FIRST),
          fc.array(fc.nat({ max: 400 }), { maxLength: 6 }),
          async ([, first], cuts) => {
            const whole = first + good;
            const places = [0, ...cuts.map((cut) => cut % whole.length).toSorted((a, b) => a - b)];
            const pieces = places.map((at, index) => whole.slice(at, places[index + 1]));
            expect(
              await said(
                listener.url,
                pieces.filter((piece) => piece !== ""),
              ),
            ).not.toContain(" 101 ");
          },
        ),
        { seed: 36, numRuns: 60 },
      );
      expect(endpoint.connections).toHaveLength(0);
    },
    SLOW,
  );
}

verifies(
  "security.s36",
  "a forbidden header is found even after more headers than Node keeps",
  async () => {
    const endpoint = echo();
    await using listener = await listen(endpoint, "ws://127.0.0.1:0", {
      auth: { capabilityToken: { token: "sesame" } },
    });
    const good = ["GET / HTTP/1.1", "Host: x", ...UPGRADE, "Authorization: Bearer sesame"];
    for (const [header, status] of [
      ["Content-Length: 5", 400],
      ["Transfer-Encoding: chunked", 400],
      ["Origin: http://evil.example", 403],
    ] as const) {
      for (const many of [1, 1_990, 2_000, 2_500, 3_500]) {
        const answer = await said(listener.url, [lines(...good, ...Array(many).fill("a:"), header)]);
        // Bun rejects that many headers.
        const got = answer.slice(9, 12).replace("431", `${status}`);
        expect({ header, many, got }).toEqual({ header, many, got: `${status}` });
      }
    }
    expect(endpoint.connections).toHaveLength(0);
  },
  SLOW,
);
