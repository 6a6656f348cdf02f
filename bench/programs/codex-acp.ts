import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Checks, loadOf, messagesOf } from "../lib/load.ts";
import { splitter } from "../lib/raw-channel.ts";
import type { Figures } from "../lib/sample.ts";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly sessionId?: string };
  readonly error?: { readonly message: string };
  readonly params?: { readonly sessionId: string; readonly update: Update };
}
interface Update {
  readonly sessionUpdate: string;
  readonly content: { readonly text: string };
}

/** An adapter is a program, so the figures are measured in its process, not in this one. */
export async function run(folder: string, server: string, word: string): Promise<Figures> {
  const load = loadOf(word);
  const checks = new Checks(load);
  const home = mkdtempSync(path.join(tmpdir(), "codexwright-bench-"));
  const program = path.join(folder, "node_modules/@agentclientprotocol/codex-acp/dist/index.js");
  const preload = fileURLToPath(new URL("../lib/usage-on-signal.js", import.meta.url));
  const child = spawn(process.execPath, ["--import", preload, program], {
    env: { ...process.env, CODEX_PATH: server, CODEX_HOME: home, NO_BROWSER: "1" },
    stdio: ["pipe", "pipe", "ignore", "pipe"],
  });
  const usage = async (): Promise<Figures> => {
    const told = once((child.stdio[3] as Readable).setEncoding("utf8"), "data");
    child.kill("SIGUSR2");
    return JSON.parse(((await told) as [string])[0]) as Figures;
  };
  let answer = (_message: Message): void => {};
  const read = splitter((line) => {
    const message = JSON.parse(line) as Message;
    const { id, params } = message;
    if (params?.update?.sessionUpdate === "agent_message_chunk") {
      checks.take(params.sessionId, params.update.content.text);
    } else if (id !== undefined) answer(message);
  });
  child.stdout?.setEncoding("utf8").on("data", read);
  const request = (id: number, method: string, params: object): Promise<Message> =>
    new Promise((resolve, reject) => {
      answer = (message) => {
        if (message.error) reject(new Error(`${method}: ${message.error.message}`));
        else resolve(message);
      };
      child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  try {
    await request(0, "initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { result } = await request(1, "session/new", { cwd: tmpdir(), mcpServers: [] });
    const before = await usage();
    const prompt = [{ type: "text", text: "go" }];
    await request(2, "session/prompt", { sessionId: result?.sessionId, prompt });
    const after = await usage();
    checks.complete();
    const cpuMs = (after["cpuMs"] ?? 0) - (before["cpuMs"] ?? 0);
    return { cpuMs, cpuUs: (cpuMs * 1_000) / messagesOf(load), peakMb: after["peakMb"] ?? 0 };
  } finally {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    rmSync(home, { recursive: true, force: true });
  }
}
