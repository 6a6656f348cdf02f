import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { memoryPair } from "codexwright/rpc";
import { resourceExhausted } from "codexwright/internal";
import type { Transport, TransportFactory } from "codexwright/rpc";
import { listen, type Listener, type ListenOptions } from "codexwright/server";
import { limitedSync } from "codexwright/internal/node";
import type { DialectName } from "./fake/dialects/dialect.ts";
import { FakeModel } from "./fake/fake-model.ts";
import { FAULT } from "./fake/faults/fault-check.ts";
import { FaultPlan, type Fault } from "./fake/faults/faults.ts";
import { FaultyTransport } from "./fake/faults/faulty-transport.ts";
import type { FakeMcpServer } from "./fake/mcp-servers.ts";
import type { CommandScript } from "./fake/scripted-shell.ts";
import { FakeServer } from "./fake/server.ts";
import { SocketLines } from "./fake/socket-lines.ts";
import { FileThreadStore } from "./fake/store.ts";
import { MemoryThreadStore } from "@codexwright/engine";
import type { ThreadStore } from "@codexwright/engine";
import type { ModelRequest } from "./model-request.ts";
import { SCRIPT } from "./model-stream.ts";
import type { ModelScript } from "./model-steps.ts";
import { ModelClosedError, type UnexpectedModelCall } from "./scripted-model.ts";
import { programIn } from "./program.ts";
import * as is from "codexwright/internal/options";
import { checkOptions, needed, type Table } from "codexwright/internal";

/** Options of {@link fakeAppServer}. */
export interface FakeAppServerOptions {
  /** The model's answers, as for a scripted model. */
  readonly model: ModelScript;
  /** A folder to store threads in, so that they outlive the fake. Default: threads are kept in memory. */
  readonly home?: string;
  /**
   * The folder that the server runs in and applies patches to. Default: a temporary folder or, for a process of
   * `executable`, the folder of that process.
   */
  readonly cwd?: string;
  /**
   * The protocol that the fake speaks: the protocol of the newest Codex, of 0.98, or of November 2025 (when a review
   * was a `codeReview` item). Default "current".
   */
  readonly dialect?: DialectName;
  /** The Codex version that the fake reports; default: its dialect's version. */
  readonly version?: string;
  /** The faults to simulate, and at which messages. */
  readonly faults?: readonly Fault[];
  /** The policy of threads that do not set one; default "on-request". */
  readonly approvalPolicy?: "untrusted" | "on-request" | "never";
  /** The sandbox of threads that do not set one; default "read-only". */
  readonly sandbox?: "read-only" | "workspace-write" | "danger-full-access";
  /** The outcomes of commands, which are not executed. An outcome in the model's script takes precedence. */
  readonly commands?: CommandScript;
  /** MCP servers that it pretends to have started, by name. */
  readonly mcpServers?: Readonly<Record<string, FakeMcpServer>>;
  /**
   * The number of tokens at which a thread is compacted automatically. Default: nine tenths of the model's
   * context window.
   */
  readonly compactAt?: number;
  /** How many times a broken model stream is retried; default 0. */
  readonly streamRetries?: number;
  /**
   * Whether the model's provider requires an OpenAI login. If it does not, the server reports no account. Default
   * false.
   */
  readonly openaiAuth?: boolean;
}

const OPTIONS: Table<FakeAppServerOptions> = {
  // Script steps and fault kinds are checked when they are read.
  model: needed(SCRIPT),
  home: is.text,
  cwd: is.text,
  dialect: is.oneOf("current", "0.98", "2025-11"),
  version: is.text,
  faults: is.listOf(FAULT),
  approvalPolicy: is.oneOf("untrusted", "on-request", "never"),
  sandbox: is.oneOf("read-only", "workspace-write", "danger-full-access"),
  commands: is.func,
  mcpServers: is.recordOf(is.object),
  compactAt: is.integer(0),
  streamRetries: is.integer(0),
  openaiAuth: is.flag,
};

/**
 * Creates an app-server without a binary. It speaks the protocol like the real one, uses a script instead of
 * a model, and executes no command. Pass `transport` to a client, or `executable` as its `codexPath`, or call
 * `listen`.
 */
export function fakeAppServer(options: FakeAppServerOptions): FakeAppServer {
  return new FakeAppServer(options);
}

/** Created by {@link fakeAppServer}. */
export class FakeAppServer implements AsyncDisposable {
  /** Connects in memory. All connections are clients of the same server, until it crashes. */
  readonly transport: TransportFactory;
  /** The working directory of threads that do not set one. */
  readonly cwd: string;
  /**
   * The methods that it supports. Other methods are missing from a client's `supports()`, and are rejected as
   * the real server rejects unknown methods.
   */
  readonly methods: readonly string[];
  readonly #options: FakeAppServerOptions;
  readonly #model: FakeModel;
  readonly #store: ThreadStore;
  readonly #faults: FaultPlan;
  readonly #servers = new Set<FakeServer>();
  readonly #listeners: Listener[] = [];
  readonly #sockets = new Set<Socket>();
  #shared: FakeServer | undefined;
  #folder: string | undefined;
  #pipe: Server | undefined;
  #failure: Error | undefined;
  #disposed: Promise<void> | undefined;

  constructor(options: FakeAppServerOptions) {
    checkOptions("fakeAppServer()", options, OPTIONS);
    this.#options = options;
    this.#model = new FakeModel(options.model);
    this.#store = options.home === undefined ? new MemoryThreadStore() : new FileThreadStore(options.home);
    this.cwd = options.cwd ?? this.#temporary("workspace");
    this.#shared = this.#server(this.cwd);
    this.methods = this.#shared.methods;
    try {
      this.#faults = new FaultPlan(options.faults ?? [], {
        methods: this.methods,
        tells: this.#shared.dialect.tells,
      });
    } catch (error) {
      if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
      throw error;
    }
    this.transport = Object.assign(() => this.#inMemory(), { cwd: this.cwd });
  }

  /**
   * A program that acts as this server on stdin and stdout. Each process is a separate server, as with the
   * real one. The processes share the script and the stored threads.
   */
  get executable(): string {
    this.#checkOpen();
    const folder = this.#temporary("bin");
    this.#pipe ??= limitedSync("writing a program", () => this.#openPipe(path.join(folder, "pipe")));
    return path.join(folder, "codex");
  }

  /**
   * Serves clients at `ws://127.0.0.1:0` (a free port) or `unix://PATH` until disposal, in addition to clients in
   * memory.
   */
  async listen(url: string, options: ListenOptions = {}): Promise<Listener> {
    this.#checkOpen();
    const listener = await listen({ accept: (transport) => this.#accept(transport, true) }, url, options);
    this.#listeners.push(listener);
    // The fake was disposed in the meantime, before it knew of this listener.
    if (this.#disposed) await listener.close();
    this.#checkOpen();
    return listener;
  }

  /** The requests to the model, in order. */
  get requests(): readonly ModelRequest[] {
    return this.#model.requests;
  }

  /**
   * Model requests that the script has no answer for. Check this list: a test may pass by accident even if such a
   * request was made.
   */
  get unexpected(): readonly UnexpectedModelCall[] {
    return this.#model.unexpected;
  }

  /** Resolves with `requests[index]` when it is made. */
  request(index: number): Promise<ModelRequest> {
    return this.#model.request(index);
  }

  /** Closes every connection, and ends everything that runs. Rejects with errors of the fake itself. */
  close(): Promise<void> {
    return (this.#disposed ??= this.#dispose());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #dispose(): Promise<void> {
    this.#model.close();
    await Promise.all(this.#listeners.map((listener) => listener.close()));
    await Promise.all([...this.#servers].map((server) => server[Symbol.asyncDispose]()));
    for (const socket of this.#sockets) socket.destroy();
    const pipe = this.#pipe;
    if (pipe) await new Promise((resolve) => pipe.close(resolve));
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
    const [failure] = [this.#failure, ...[...this.#servers].flatMap(({ failures }) => failures)].filter(
      (each) => each !== undefined,
    );
    if (failure !== undefined) throw new Error("the fake app-server failed", { cause: failure });
  }

  #checkOpen(): void {
    if (this.#disposed) throw new ModelClosedError("the fake app-server is closed");
  }

  #inMemory(): Transport {
    const [client, server] = memoryPair();
    this.#accept(server, false);
    return client;
  }

  #accept(transport: Transport, remote: boolean): void {
    this.#shared ??= this.#server(this.cwd);
    const server = this.#shared;
    server.accept(
      this.#faulty(transport, () => {
        // The next connection gets a newly started server.
        this.#shared = undefined;
        void server[Symbol.asyncDispose]();
      }),
      { remote },
    );
  }

  #server(cwd: string): FakeServer {
    const { home, faults: _, ...options } = this.#options;
    const engineHome = home ?? path.join(this.cwd, "..", "codex-home");
    const server = new FakeServer({
      ...options,
      model: this.#model,
      store: this.#store,
      home: engineHome,
      cwd,
    });
    this.#servers.add(server);
    return server;
  }

  #faulty(transport: Transport, crash: () => void): Transport {
    return this.#faults.empty ? transport : new FaultyTransport(transport, this.#faults, crash);
  }

  #openPipe(at: string): Server {
    const program = fileURLToPath(new URL("fake-process.js", import.meta.url));
    writeFileSync(path.join(path.dirname(at), "codex"), programIn(program, at), { mode: 0o755 });
    const pipe = createServer((socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      const transport = new SocketLines(socket, (hello) => {
        const { cwd } = JSON.parse(hello) as { cwd: string };
        const server = this.#server(this.#options.cwd ?? cwd);
        const end = (): void => void server[Symbol.asyncDispose]();
        server.accept(
          this.#faulty(transport, () => void socket.destroy()),
          { remote: true },
        );
        socket.once("close", end);
      });
    });
    pipe.on("error", (error) => (this.#failure ??= resourceExhausted("listening", error) ?? error));
    return pipe.listen(at);
  }

  #temporary(name: string): string {
    this.#folder ??= mkdtempSync(path.join(tmpdir(), "codexwright-fake-"));
    const folder = path.join(this.#folder, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}
