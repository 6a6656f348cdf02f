import { CodexClient, type ClientOptions } from "codexwright/client";
import type { TransportFactory } from "codexwright/rpc";
import { type RecordingLine, record } from "codexwright/recording";
import { RawChannel } from "./raw.ts";
import type {
  ConformanceServer,
  ConformanceTarget,
  ScenarioModel,
  ScenarioSetup,
  World,
  WorldClientOptions,
} from "./scenario.ts";

/** A target's server for one scenario, its clients, and a recording of all their messages. */
export class OpenWorld implements World, AsyncDisposable {
  readonly version: string;
  readonly workspace: string;
  readonly model: ScenarioModel;
  readonly #target: ConformanceTarget;
  readonly #setup: ScenarioSetup;
  readonly #server: ConformanceServer;
  readonly #transport: TransportFactory;
  readonly #ends: (() => Promise<void>)[] = [];
  #ended: Promise<void> | undefined;

  constructor(
    target: ConformanceTarget,
    setup: ScenarioSetup,
    server: ConformanceServer,
    sink: (line: RecordingLine) => void,
  ) {
    this.#target = target;
    this.#setup = setup;
    this.#server = server;
    this.#transport = record(server.transport, sink);
    this.version = target.version;
    this.workspace = server.workspace;
    this.model = server.model;
  }

  async connect(options: WorldClientOptions = {}): Promise<CodexClient> {
    const { approvalPolicy = "never", sandbox = "workspace-write" } = this.#setup;
    const all: ClientOptions = {
      clientName: "conformance",
      clientVersion: "1.0.0",
      cwd: this.workspace,
      approvalPolicy,
      sandbox,
      // The time limit of the whole run applies: a loaded machine must not fail a scenario.
      startupTimeoutMs: 60_000,
      ...options,
      transport: this.#transport,
    };
    const client = this.#target.client?.(all) ?? new CodexClient(all);
    this.#ends.push(() => client.disconnect());
    await client.connect();
    return client;
  }

  async raw(): Promise<RawChannel> {
    const channel = new RawChannel(await this.#transport(new AbortController().signal));
    this.#ends.push(() => channel.close());
    return channel;
  }

  /** Closes clients before their server: a client that loses its server would report a crash. */
  [Symbol.asyncDispose](): Promise<void> {
    return (this.#ended ??= this.#end());
  }

  async #end(): Promise<void> {
    await Promise.allSettled(this.#ends.map((end) => end()));
    await this.#server[Symbol.asyncDispose]();
  }
}
