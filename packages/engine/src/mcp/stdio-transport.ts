import { randomBytes } from "node:crypto";
import { spawn, type ChildProcess } from "node:child_process";
import { setImmediate as nextTask } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { isJsonObject } from "codexwright/internal";
import { parseJson } from "../core/depth.ts";
import { killGroup, killMarked, MARK } from "../shell/index.ts";
import { LineReader } from "./line-reader.ts";
import { McpError } from "./mcp-error.ts";

/** The most bytes that wait for a server that does not read. */
const MAX_PENDING = 16 * 1024 * 1024;
/** How long a server has to end after it was asked to. */
const TERM_MS = 1_000;
/** How long the output is awaited after the server has ended. */
const DRAIN_MS = 100;

export interface StdioOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A server as a process with a line of JSON for each message. It runs in a process group of its own. When the
 * connection ends, that group ends and, on Linux, every process that the server started, unless such a process has
 * removed its environment. Its stderr is dropped.
 */
export class StdioTransport implements Transport {
  onmessage: NonNullable<Transport["onmessage"]> = () => {};
  onclose: () => void = () => {};
  onerror: (error: Error) => void = () => {};
  /** Why the connection ended, if the server broke a rule. */
  failure: McpError | undefined;
  readonly #options: StdioOptions;
  readonly #mark = `mcp-${randomBytes(8).toString("hex")}`;
  readonly #reader = new LineReader();
  #child: ChildProcess | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { command, args, cwd, env } = this.#options;
    let child: ChildProcess;
    try {
      child = spawn(command, [...args], {
        cwd,
        env: { ...env, [MARK]: this.#mark },
        detached: true,
        stdio: ["pipe", "pipe", "ignore"],
      });
    } catch (error) {
      throw notStarted(error);
    }
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      // The listener stays: a later error, for example of a signal, must not end the engine.
      child.on("error", (error) => reject(notStarted(error)));
    });
    child.stdin?.on("error", () => {}); // The server has closed its stdin or has ended.
    child.stdout?.on("error", () => {});
    child.stdout?.on("data", (bytes: Buffer) => void this.#read(bytes));
    child.once("close", () => void this.close());
    child.once("exit", () => setTimeout(() => void this.close(), DRAIN_MS).unref());
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (this.#closed || !stdin?.writable) {
      return Promise.reject(new McpError("closed", "the server has stopped"));
    }
    if (stdin.writableLength > MAX_PENDING) {
      this.#fail(new McpError("flood", "the server does not read its input"));
      return Promise.reject(this.failure);
    }
    // A request of ours may be answered at length.
    this.#reader.allow();
    stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #read(bytes: Buffer): Promise<void> {
    const stdout = this.#child?.stdout;
    if (!stdout) return;
    // Other work of the engine runs between two pieces of a server that floods.
    stdout.pause();
    try {
      for (const line of this.#reader.read(bytes)) {
        if (this.#closed) return;
        // A notification is handled later than an answer. The progress of a call must come before its result.
        if (this.#line(line) === "notification") await nextTask();
      }
    } catch (error) {
      this.#fail(error as McpError);
      return;
    }
    setImmediate(() => stdout.resume());
  }

  /** A line that is not a message is ignored: some servers write logs to stdout. */
  #line(line: string): "notification" | "other" {
    let message: unknown;
    try {
      message = parseJson(line);
    } catch {
      return "other";
    }
    if (!isJsonObject(message) || message["jsonrpc"] !== "2.0") return "other";
    this.onmessage(message as JSONRPCMessage);
    return "method" in message && !("id" in message) ? "notification" : "other";
  }

  #fail(error: McpError): void {
    this.failure ??= error;
    void this.close();
  }

  async #close(): Promise<void> {
    const child = this.#child;
    // The calls that wait fail now. The end of the process takes longer.
    this.onclose();
    if (child?.pid === undefined) return;
    const { pid } = child;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.stdin?.end();
      killGroup(pid, "SIGTERM");
      const late = setTimeout(() => killGroup(pid), TERM_MS);
      await ended.finally(() => clearTimeout(late));
    }
    killGroup(pid);
    for (const stream of [child.stdin, child.stdout]) stream?.destroy();
    await killMarked(this.#mark);
  }
}

function notStarted(error: unknown): McpError {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown";
  const why =
    code === "ENOENT" ? "its command or its folder does not exist" : `starting it failed with ${code}`;
  return new McpError("start", why);
}
