import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, writeFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { listen } from "codexwright/server";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { echo, read } from "@codexwright/test-support/echo";

/** Long enough for a busy machine. */
const SLOW = { timeoutMs: 30_000 };

const never = new AbortController().signal;
const DIST = path.resolve(import.meta.dirname, "../../../dist/lib/server.js");

function folder(): Disposable & { readonly path: string } {
  const made = mkdtempSync(path.join(tmpdir(), "codexwright-listen-"));
  return { path: made, [Symbol.dispose]: () => rmSync(made, { recursive: true, force: true }) };
}

verifies(
  "server.listen",
  "serves clients until the listener is closed and notifies them",
  async () => {
    const listener = await listen(echo(), "ws://127.0.0.1:0");
    expect(listener.url).toMatch(/^ws:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const clients = [];
    for (let each = 0; each < 3; each++) clients.push(read(await websocket(listener.url)(never)));
    for (const client of clients) {
      await client.transport.send("hello");
      expect(await client.next()).toBe("hello");
    }
    await Promise.all([listener.close(), listener.close()]);
    await listener.closed;
    for (const client of clients) expect((await client.closed).message).toContain("closed by the other end");
    const late = websocket(listener.url)(never) as Promise<unknown>;
    expect(await rejection(late)).toMatchObject({ code: "connection_closed" });
  },
  SLOW,
);

verifies(
  "server.listen",
  "a unix socket is accessible only to its owner, and is removed when its listener closes",
  async () => {
    using home = folder();
    const file = path.join(home.path, "a b%20c:#?.sock");
    const endpoint = echo();
    const listener = await listen(endpoint, `unix://${file}`);
    expect(listener.url).toBe(`unix://${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const client = read(await unixSocket(file)(never));
    await client.transport.send("hello");
    expect(await client.next()).toBe("hello");
    expect(await rejection(listen(echo(), `unix://${file}`))).toMatchObject({
      code: "listen_failed",
      message: expect.stringContaining("another server is listening on it") as string,
    });
    // The rejected server has not disturbed the one that is listening.
    await client.transport.send("again");
    expect(await client.next()).toBe("again");
    await listener.close();
    expect(existsSync(file)).toBe(false);
  },
  SLOW,
);

verifies(
  "server.listen",
  "replaces a dead socket and leaves any other file alone",
  async () => {
    using home = folder();
    const file = path.join(home.path, "s.sock");
    const program = `require("node:net").createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, "SIGKILL"))`;
    const child = spawn(process.execPath, ["-e", program], { stdio: "ignore" });
    await once(child, "exit");
    expect(statSync(file).isSocket()).toBe(true);
    const listener = await listen(echo(), `unix://${file}`);
    const client = read(await unixSocket(file)(never));
    await client.transport.send("hello");
    expect(await client.next()).toBe("hello");
    await listener.close();
    writeFileSync(file, "precious");
    expect(await rejection(listen(echo(), `unix://${file}`))).toMatchObject({ code: "listen_failed" });
    expect(statSync(file).size).toBe(8);
    const nowhere = listen(echo(), `unix://${home.path}/no/such/folder.sock`);
    expect(await rejection(nowhere)).toMatchObject({ code: "listen_failed" });
  },
  SLOW,
);

verifies(
  "server.listen",
  "rejects addresses that cannot be listened on",
  async () => {
    const invalid = { code: "invalid_argument" };
    for (const url of [
      "",
      "http://127.0.0.1:1",
      "ws://127.0.0.1",
      "ws://127.0.0.1:70000",
      "ws://127.0.0.1:0/x",
      "unix://",
      "off",
    ]) {
      expect(await rejection(listen(echo(), url))).toMatchObject(invalid);
    }
    await using listener = await listen(echo(), "ws://127.0.0.1:0");
    expect(await rejection(listen(echo(), listener.url))).toMatchObject({
      code: "listen_failed",
      cause: { code: "EADDRINUSE" },
    });
  },
  SLOW,
);

verifies(
  "server.auth",
  "rejects a non-loopback listener without auth, and secrets that are too weak",
  async () => {
    const invalid = { code: "invalid_argument" };
    for (const host of ["0.0.0.0", "[::]", "192.0.2.1", "example.com"]) {
      const error = await rejection(listen(echo(), `ws://${host}:0`));
      expect(error).toMatchObject(invalid);
      expect((error as Error).message).toContain("refusing to start non-loopback websocket listener");
    }
    using home = folder();
    const empty = path.join(home.path, "empty");
    writeFileSync(empty, "\n");
    const short = "thirty-one bytes and a line feed";
    writeFileSync(path.join(home.path, "short"), `${short.slice(0, 31)}\n`);
    for (const auth of [
      { capabilityToken: { token: " " } },
      { capabilityToken: { token: undefined as unknown as string } },
      { capabilityToken: { file: empty } },
      { capabilityToken: { file: path.join(home.path, "none") } },
      { capabilityToken: { sha256: "abc" } },
      { signedBearer: { secret: short.slice(0, 31) } },
      { signedBearer: { secret: undefined as unknown as string } },
      { signedBearer: { secretFile: path.join(home.path, "short") } },
      { signedBearer: { secret: `${short} and more`, maxClockSkewSeconds: -1 } },
    ]) {
      const error = (await rejection(listen(echo(), "ws://127.0.0.1:0", { auth }))) as Error;
      expect(error).toMatchObject(invalid);
      expect(error.message).not.toContain("thirty-one");
    }
    for (const allowedOrigins of [["https://page.example/"], ["*"], ["page.example"]]) {
      expect(await rejection(listen(echo(), "ws://127.0.0.1:0", { allowedOrigins }))).toMatchObject(invalid);
    }
    const auth = { capabilityToken: { token: "t" } };
    expect(await rejection(listen(echo(), `unix://${home.path}/s`, { auth }))).toMatchObject(invalid);
    expect(await rejection(listen(echo(), "stdio://", { auth }))).toMatchObject(invalid);
  },
  SLOW,
);

verifies(
  "server.auth",
  "accepts a token as a file or as its digest",
  async () => {
    using home = folder();
    const file = path.join(home.path, "token");
    writeFileSync(file, "sesame\n");
    const { createHash } = await import("node:crypto");
    const sha256 = createHash("sha256").update("sesame").digest("hex").toUpperCase();
    for (const capabilityToken of [{ file }, { sha256 }]) {
      await using listener = await listen(echo(), "ws://127.0.0.1:0", { auth: { capabilityToken } });
      const client = read(await websocket(listener.url, { token: "sesame" })(never));
      await client.transport.send("in");
      expect(await client.next()).toBe("in");
      const wrong = websocket(listener.url, { token: "open" })(never) as Promise<unknown>;
      expect(await rejection(wrong)).toMatchObject({ code: "auth_failed" });
    }
  },
  SLOW,
);

verifies(
  "server.listen",
  "stdio serves one client with backpressure and ends with stdin",
  async () => {
    const program = `
    const { listen } = await import(${JSON.stringify(DIST)});
    const listener = await listen({
      accept(transport) {
        transport.open({
          line: (text) => { for (let each = 0; each < 50; each++) transport.send(text).catch(() => {}); },
          closed: (reason) => process.stderr.write(reason.message),
        });
      },
    }, "stdio://");
    await listener.closed;
    process.stderr.write(", listener closed");
  `;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
    const said = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text));
    child.stdout.pause();
    const line = `"\u2028${"x".repeat(20_000)}"`;
    child.stdin.write(`${line}\r\n\n${line}\n`);
    child.stdin.end('"last"');
    child.stdout.resume();
    const [code] = (await once(child, "close")) as [number];
    expect([code, said.err]).toEqual([0, "stdin ended, listener closed"]);
    const lines = said.out.trimEnd().split("\n");
    expect(lines.length).toBe(150);
    expect([lines[0] === line, lines[99] === line, lines[149]]).toEqual([true, true, '"last"']);
  },
  SLOW,
);

for (const [what, end] of [
  ["an endless line", ""],
  ["a line that is too long", "\n"],
]) {
  verifies(
    "server.limits",
    `${what} disconnects a client on stdio after the earlier lines are answered`,
    async () => {
      const program = `
      const { listen } = await import(${JSON.stringify(DIST)});
      const listener = await listen({
        accept(transport) {
          transport.open({
            line: (text) => transport.send(text).catch(() => {}),
            closed: (reason) => process.stderr.write(reason.message),
          });
        },
      }, "stdio://", { maxMessageBytes: 100000 });
      await listener.closed;
    `;
      const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
      const said = { out: "", err: "" };
      child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text));
      child.stdin.on("error", () => {}); // The server does not read all of it.
      // Stdin stays open, so the server does not end because of it.
      child.stdin.write(`"\u00e9"\n${"\u00e9".repeat(50_001)}${end}`);
      const [code] = (await once(child, "close")) as [number];
      const why = "the client was cut off: a message is longer than 100000 bytes";
      expect([code, said.out, said.err]).toEqual([0, '"\u00e9"\n', why]);
    },
    SLOW,
  );
}
