import { mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { RunningCommand, runCommand } from "../support/json-command.ts";

/** An empty home in a folder of its own. */
function home() {
  const root = mkdtempSync(path.join(realpathSync(tmpdir()), "codexwright-listener-"));
  return {
    root,
    options: { cwd: root, env: { CODEX_HOME: root, HOME: root } },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The status of a request to upgrade to a websocket. */
function upgrade(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { hostname, port } = new URL(url);
  const all = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, headers: all });
    asked.once("response", (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.once("upgrade", (answer, socket) => {
      socket.destroy();
      resolve(answer.statusCode ?? 0);
    });
    asked.once("error", reject);
    asked.end();
  });
}

verifies(
  "security.s89",
  "does not start without authentication where other machines can connect",
  async () => {
    using own = home();
    const hosts = ["0.0.0.0", "[::]", "0", "00.0.0.0", "10.0.0.1", "[::ffff:0.0.0.0]", "example.com"];
    const lookalikes = [
      "127.0.0.1.example.com",
      "localhost.example.com",
      "localhost.",
      "127.1",
      "2130706433",
    ];
    const urls = [...hosts, ...lookalikes].map((host) => `ws://${host}:0`);
    const others = [
      "WS://0.0.0.0:0",
      "ws://127.0.0.1@0.0.0.0:0",
      "ws://0.0.0.0:0/127.0.0.1",
      "ws://:0",
      "wss://0.0.0.0:0",
    ];
    const check = async (url: string): Promise<void> => {
      const { code, lines } = await runCommand(["app-server", "--json", "--listen", url], own.options);
      expect({ url, code, types: lines.map(({ type }) => type) }).toEqual({ url, code: 2, types: ["error"] });
    };
    const all = [...urls, ...others];
    for (let at = 0; at < all.length; at += 4) await Promise.all(all.slice(at, at + 4).map(check));
    // The same command starts with a token: the refusal is about authentication.
    const token = ["--token-sha256", "0".repeat(64)];
    await using open = new RunningCommand(
      ["app-server", "--json", "--listen", "ws://0.0.0.0:0", ...token],
      own.options,
    );
    const url = String((await open.line("serving"))["url"]).replace("0.0.0.0", "127.0.0.1");
    expect(await upgrade(url, {})).toBe(401);
    expect(await upgrade(url, { authorization: "Bearer wrong" })).toBe(401);
  },
);

verifies("security.s89", "refuses web pages on loopback, and other users on a socket file", async () => {
  using own = home();
  const listen = ["app-server", "--json", "--listen", "ws://127.0.0.1:0"];
  await using open = new RunningCommand(
    [...listen, "--allow-origin", "https://console.example"],
    own.options,
  );
  const url = String((await open.line("serving"))["url"]);
  for (const origin of [
    "https://evil.example",
    "null",
    "http://console.example",
    "https://console.example.evil.example",
  ]) {
    expect({ origin, status: await upgrade(url, { origin }) }).toEqual({ origin, status: 403 });
  }
  expect(await upgrade(url, { origin: "https://console.example" })).toBe(101);
  expect(await upgrade(url, {})).toBe(101);
  if (onWindows) return;
  const socket = path.join(own.root, "s.sock");
  await using local = new RunningCommand(
    ["app-server", "--json", "--listen", `unix://${socket}`],
    own.options,
  );
  await local.line("serving");
  expect(statSync(socket).mode & 0o777).toBe(0o600);
});
