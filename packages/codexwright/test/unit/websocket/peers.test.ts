import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { rolldown } from "rolldown";
import { listen } from "codexwright/server";
import { websocket } from "codexwright/websocket";
import { onBun } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { echo } from "@codexwright/test-support/echo";

/** Long enough for a busy machine. */
const SLOW = { timeoutMs: 30_000 };

const LIB = path.resolve(import.meta.dirname, "../../../dist/lib");
const [MAJOR = 0] = process.versions.node.split(".").map(Number);

/** Runs a program next to a copy of the library that finds no packages. Returns its output. */
async function alone(program: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "codexwright-alone-"));
  try {
    cpSync(LIB, path.join(folder, "lib"), { recursive: true });
    return await new Promise((resolve) => {
      const args = ["--input-type=module", "-e", program];
      execFile(process.execPath, args, { cwd: folder, timeout: 20_000 }, (_error, stdout, stderr) =>
        resolve(stdout.trim() || stderr),
      );
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

verifies(
  "sockets.websocket",
  "rejects with missing_dependency and the install command if a peer dependency is absent",
  async () => {
    const program = `
    const { listen } = await import("./lib/server.js");
    const { unixSocket } = await import("./lib/unix.js");
    const { websocket } = await import("./lib/websocket.js");
    delete globalThis.WebSocket;
    const signal = new AbortController().signal;
    const said = [];
    for (const call of [
      () => listen({ accept() {} }, "ws://127.0.0.1:0"),
      () => unixSocket("/no/such.sock")(signal),
      () => websocket("ws://127.0.0.1:1")(signal),
    ]) {
      try { await call(); } catch (error) { said.push(error.code, /npm install ws/.test(error.message)); }
    }
    console.log(JSON.stringify(said));
  `;
    const missing = ["missing_dependency", true];
    expect(JSON.parse(await alone(program))).toEqual([...missing, ...missing, ...missing]);
  },
  { ...SLOW, skip: onBun("Bun has its own ws, and looks for packages on the network") },
);

verifies(
  "sockets.websocket",
  "uses the built-in WebSocket with the token in the header if ws is absent",
  async () => {
    const auth = { capabilityToken: { token: "sesame" } };
    const seen = echo();
    await using listener = await listen(seen, "ws://127.0.0.1:0", { auth });
    const program = `
    const { websocket } = await import("./lib/websocket.js");
    const signal = new AbortController().signal;
    const transport = await websocket(${JSON.stringify(listener.url)}, { token: "sesame" })(signal);
    const line = await new Promise((resolve) => {
      transport.open({ line: resolve, closed: () => resolve("closed") });
      transport.send("hello");
    });
    await transport.close();
    const refused = await websocket(${JSON.stringify(listener.url)}, { token: "wrong" })(signal).catch((error) => error);
    console.log(JSON.stringify([line, refused.code]));
  `;
    expect(JSON.parse(await alone(program))).toEqual(["hello", "connection_closed"]);
    expect(seen.connections.length).toBe(1);
  },
  { ...SLOW, skip: onBun("Bun has its own ws") || (MAJOR < 22 && "Node 20 has no WebSocket") },
);

verifies(
  "package.browser",
  "codexwright/websocket bundles for the browser without any package",
  async () => {
    const warnings: string[] = [];
    await using bundle = await rolldown({
      input: path.join(LIB, "websocket.js"),
      platform: "browser",
      onLog: (_level, log) => warnings.push(log.message),
    });
    const { output } = await bundle.generate({ format: "esm" });
    expect(warnings).toEqual([]);
    const code = output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("\n");
    expect(/\bnode:|\bprocess\.|\bBuffer\b|from "ws"|import\("ws"\)/.exec(code)?.[0]).toBe(undefined);
    expect(websocket).toBeTypeOf("function");
  },
  SLOW,
);
