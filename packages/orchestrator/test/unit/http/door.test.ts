import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import fc from "fast-check";
import { until } from "@codexwright/test-support/events";
import { ask } from "@codexwright/test-support/raw-http";
import { verifies } from "@codexwright/test-support/verifies";
import { expect } from "vitest";
import { anIssue, running } from "../../support/fake-fleet.ts";
import { served, TOKEN, type Served } from "../../support/served.ts";

/** Sends a request with this Host header, which `fetch` does not allow. */
async function withHost(api: Served, host: string, path = "/api/v1/state"): Promise<number> {
  const { hostname, port } = new URL(api.server.url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding("latin1").write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  let text = "";
  socket.on("data", (chunk: string) => (text += chunk)).on("error", () => {});
  await once(socket, "close");
  return Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1]);
}

verifies("security.s115", "a name that another page gave our address is not answered", async () => {
  await using api = await served();
  const { port } = new URL(api.server.url);
  for (const host of [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    "localhost",
    "127.0.0.1",
    `[::1]:${port}`,
    "LOCALHOST",
  ])
    expect([host, await withHost(api, host)]).toEqual([host, 200]);
  const foreign = [
    "evil.example",
    `evil.example:${port}`,
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "127.0.0.1.nip.io",
    "localhost:1@evil.example",
    "evil.example#localhost",
    "localhost.",
    "127.0.0.1:80:80",
    "[::1",
    "0.0.0.0",
    "10.0.0.1",
    "1270.0.0.1",
    "",
  ];
  for (const path of ["/", "/api/v1/state", "/api/v1/events"]) {
    for (const host of foreign) {
      const status = await withHost(api, host, path);
      expect([host, status === 403 || status === 400]).toEqual([host, true]);
    }
  }
  const domain = fc.domain().filter((name) => name !== "localhost");
  await fc.assert(
    fc.asyncProperty(domain, async (name) => {
      expect(await withHost(api, name)).toBe(403);
    }),
    { seed: 115, numRuns: 50 },
  );
});

verifies("security.s115", "a page of another origin gets no answer, with or without the token", async () => {
  await using api = await served();
  const { port } = new URL(api.server.url);
  const own = `http://127.0.0.1:${port}`;
  expect((await api.get("/api/v1/state", { origin: own })).status).toBe(200);
  expect((await api.post("/api/v1/refresh", {}, { origin: own })).status).toBe(202);
  for (const origin of [
    "https://evil.example",
    "null",
    `http://127.0.0.1:${Number(port) - 1}`,
    `https://127.0.0.1:${port}`,
    `http://localhost:${port}`,
    "file://",
    "",
    `${own}.evil.example`,
    `${own}, https://evil.example`,
  ]) {
    const answers = [
      await api.get("/api/v1/state", { origin }),
      await api.post("/api/v1/refresh", {}, { origin }),
    ];
    expect([origin, ...answers.map(({ status }) => status)]).toEqual([origin, 403, 403]);
    for (const { headers } of answers) expect(headers.get("access-control-allow-origin")).toBeNull();
  }
  expect(api.fleet.calls).toEqual(["refresh"]);
});

verifies("security.s116", "an order needs the token, in whatever way another value is sent", async () => {
  await using api = await served();
  api.fleet.claims = [running(anIssue("MT-1"))];
  const paths = [
    "refresh",
    "pause",
    "resume",
    "drain",
    "MT-1/stop",
    "MT-1/retry",
    "MT-1/answer",
    "MT-1/clean",
  ];
  const wrong = [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer x ${TOKEN}`,
    `Basic ${TOKEN}`,
    TOKEN,
  ];
  for (const path of paths) {
    for (const authorization of wrong) {
      const response = await fetch(`${api.server.url}/api/v1/${path}?token=${TOKEN}`, {
        method: "POST",
        body: JSON.stringify(path.endsWith("answer") ? { text: "x" } : {}),
        headers: {
          "content-type": "application/json",
          cookie: `token=${TOKEN}`,
          ...(authorization === undefined ? {} : { authorization }),
        },
      });
      expect([path, authorization, response.status]).toEqual([path, authorization, 401]);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[\w.~+/-]{1,60}$/), async (token) => {
      fc.pre(token !== TOKEN);
      const { status } = await api.post("/api/v1/refresh", {}, { authorization: `Bearer ${token}` });
      expect(status).toBe(401);
    }),
    { seed: 116, numRuns: 50 },
  );
  expect([api.fleet.asked, api.fleet.calls]).toEqual([[], []]);
  expect((await api.post("/api/v1/refresh", {}, { authorization: `bearer ${TOKEN}` })).status).toBe(202);
});

verifies("security.s116", "off loopback, reads need the token too", async () => {
  await using api = await served({}, "0.0.0.0");
  for (const path of [
    "/",
    "/api/v1/state",
    "/api/v1/events",
    "/api/v1/MT-1",
    "/api/v1/MT-1/explain",
    "/nothing",
  ]) {
    expect([path, (await api.get(path)).status]).toEqual([path, 401]);
  }
  const authorization = `Bearer ${TOKEN}`;
  expect((await api.get("/api/v1/state", { authorization })).status).toBe(200);
  const outside = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4");
  if (outside) {
    const url = api.server.url.replace("0.0.0.0", outside.address);
    expect((await fetch(`${url}/api/v1/state`)).status).toBe(401);
    // Here a name of the network is allowed.
    expect((await fetch(`${url}/api/v1/state`, { headers: { authorization } })).status).toBe(200);
  }
});

/** Resolves when the server has ended the connection. */
async function endOf(socket: Socket): Promise<void> {
  socket.on("error", () => {}).resume();
  if (!socket.closed) await once(socket, "close");
}

verifies("security.s118", "requests above a limit are refused, and the server goes on", async () => {
  await using api = await served();
  const { url } = api.server;
  const authorization = `Authorization: Bearer ${TOKEN}`;
  const long = await ask(url, { path: `/api/v1/${"x".repeat(5_000)}` });
  expect(long.status).toBe(414);
  expect((await ask(url, { path: `/api/v1/state?${"x".repeat(20_000)}` })).status).toBe(431);
  expect((await ask(url, { path: "/api/v1/state", headers: [`X-Long: ${"x".repeat(20_000)}`] })).status).toBe(
    431,
  );
  const declared = await ask(url, {
    method: "POST",
    path: "/api/v1/refresh",
    headers: [authorization, "Content-Type: application/json", "Content-Length: 1000000000"],
  });
  expect(declared.status).toBe(413);
  const chunked = await fetch(`${url}/api/v1/refresh`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(32)),
    }),
    duplex: "half",
  } as RequestInit).then(
    ({ status }) => status,
    // The server has stopped reading, so the client cannot send the rest.
    () => 413,
  );
  expect(chunked).toBe(413);
  expect(api.fleet.calls).toEqual([]);
  expect((await api.get("/api/v1/state")).status).toBe(200);
});

verifies("security.s118", "connections that send nothing, or a byte at a time, are ended", async () => {
  await using api = await served({ headMs: 200, idleMs: 10_000 });
  const { hostname, port } = new URL(api.server.url);
  const silent = connect(Number(port), hostname);
  const partial = connect(Number(port), hostname);
  partial.write("GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\n");
  const drops = connect(Number(port), hostname);
  const timer = setInterval(() => drops.write("X-A: b\r\n"), 20);
  drops.write("GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\n");
  const body = connect(Number(port), hostname);
  body.write(
    `POST /api/v1/refresh HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  try {
    await Promise.all([silent, partial, drops, body].map(endOf));
  } finally {
    clearInterval(timer);
  }
  expect((await api.get("/api/v1/state")).status).toBe(200);
});

verifies("security.s118", "at most 256 connections are open, and a closed one makes room", async () => {
  await using api = await served();
  const { hostname, port } = new URL(api.server.url);
  const sockets = Array.from({ length: 300 }, () =>
    connect(Number(port), hostname)
      .on("error", () => {})
      .resume(),
  );
  const closed = (): number => sockets.filter((socket) => socket.closed).length;
  try {
    await until(() => closed() >= 44);
    sockets.find((socket) => !socket.closed)?.destroy();
    const answered = async (): Promise<boolean> => {
      const answer = await api.get("/api/v1/state").catch(() => undefined);
      return answer?.status === 200;
    };
    while (!(await answered())) await new Promise((resolve) => setTimeout(resolve, 20));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});
