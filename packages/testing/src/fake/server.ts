import { hostname } from "node:os";
import { Endpoint, type Handlers } from "codexwright/endpoint";
import { onAbort } from "codexwright/internal";
import type { Transport } from "codexwright/rpc";
import { accountMethods } from "./account-methods.ts";
import { commandMethods } from "./command-methods.ts";
import { configMethods } from "./config-methods.ts";
import type { Dialect, DialectName } from "./dialect.ts";
import { DialectTransport } from "./dialect-transport.ts";
import { dialectOf } from "./dialects.ts";
import type { FakeModel } from "./fake-model.ts";
import { fileMethods } from "./file-methods.ts";
import type { CommandScript, FakeHost } from "./host.ts";
import { uuid7 } from "./ids.ts";
import { LoadedThreads } from "./loaded-threads.ts";
import { FakeMcpServers, type FakeMcpServer } from "./mcp-servers.ts";
import { modelMethods } from "./model-methods.ts";
import { openMethods } from "./open-methods.ts";
import { otherMethods } from "./other-methods.ts";
import { Pace } from "./pace.ts";
import { CONTEXT_WINDOW, type FakeSettings } from "./record.ts";
import type { ThreadStore } from "./store.ts";
import { changeMethods, readMethods } from "./thread-methods.ts";
import { policyOf } from "./thread-settings.ts";
import { turnMethods } from "./turn-methods.ts";
import { TurnRun, type TurnInput } from "./turn-run.ts";
import { answering } from "./turn-work.ts";
import type { FakeThread } from "./fake-thread.ts";

/** Steps. */
const HEAD_START = 4;

/** What a fake server is to be. */
export interface FakeServerOptions {
  readonly model: FakeModel;
  readonly store: ThreadStore;
  readonly codexHome: string;
  readonly cwd: string;
  readonly version?: string | undefined;
  readonly dialect?: DialectName | undefined;
  readonly approvalPolicy?: "untrusted" | "on-request" | "never" | undefined;
  readonly sandbox?: "read-only" | "workspace-write" | "danger-full-access" | undefined;
  readonly mcpServers?: Readonly<Record<string, FakeMcpServer>> | undefined;
  readonly commands?: CommandScript | undefined;
  readonly compactAt?: number | undefined;
  readonly openaiAuth?: boolean | undefined;
  readonly streamRetries?: number | undefined;
}

/** An app-server that is all protocol: its model is a script, and it has no shell. */
export class FakeServer implements FakeHost, AsyncDisposable {
  readonly endpoint: Endpoint;
  readonly model: FakeModel;
  readonly store: ThreadStore;
  readonly loaded: LoadedThreads = new LoadedThreads(this);
  readonly mcp: FakeMcpServers;
  readonly dialect: Dialect;
  readonly version: string;
  readonly codexHome: string;
  readonly defaults: FakeSettings;
  readonly commands: CommandScript;
  readonly compactAt: number;
  readonly openaiAuth: boolean;
  readonly streamRetries: number;
  readonly installationId: string = uuid7();
  readonly pace: Pace = new Pace();
  /** The methods that it plays. It answers any other as the real server answers a method that it does not know. */
  readonly methods: readonly string[];
  /** What went wrong in here and no client was told. */
  readonly failures: unknown[] = [];

  constructor(options: FakeServerOptions) {
    this.model = options.model;
    this.store = options.store;
    this.mcp = new FakeMcpServers(options.mcpServers ?? {});
    this.dialect = dialectOf(options.dialect ?? "current");
    this.version = options.version ?? this.dialect.version;
    this.codexHome = options.codexHome;
    this.commands = options.commands ?? (() => undefined);
    this.compactAt = options.compactAt ?? CONTEXT_WINDOW * 0.9;
    this.openaiAuth = options.openaiAuth ?? false;
    this.streamRetries = options.streamRetries ?? 0;
    this.defaults = {
      model: "mock-model",
      modelProvider: "mock",
      cwd: options.cwd,
      approvalPolicy: options.approvalPolicy ?? "on-request",
      approvalsReviewer: "user",
      sandbox: policyOf(options.sandbox ?? "read-only"),
      permissions: options.sandbox === undefined ? ":read-only" : null,
      effort: null,
      summary: null,
      personality: null,
      collaborationMode: null,
    };
    const handlers = handlersOf(this);
    this.methods = ["initialize", ...Object.keys(handlers)];
    this.endpoint = new Endpoint({
      handlers,
      version: this.version,
      info: { codexHome: this.codexHome },
      onInitialized: (connection) =>
        connection.notify("remoteControl/status/changed", {
          status: "disabled",
          serverName: hostname(),
          installationId: this.installationId,
          environmentId: null,
        }),
      onError: (error) => this.failed(error),
    });
  }

  /** Serves a client over this channel, in the server's dialect. */
  accept(transport: Transport, { remote }: { readonly remote: boolean }): void {
    const { speaks } = this.dialect;
    const client = this.endpoint.accept(speaks ? new DialectTransport(transport, speaks) : transport);
    if (remote) onAbort(client.signal, this.pace.remote());
  }

  startTurn(thread: FakeThread, input: TurnInput, rootTurnId: string): void {
    const run = new TurnRun(thread, { kind: "turn", work: answering(input), rootTurnId });
    // Whoever started it has asked the model again by the time that it does.
    this.loaded.launch(run, HEAD_START);
  }

  failed(error: unknown): void {
    this.failures.push(error);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // What runs is let go of, as when a process ends.
    for (const { turn } of this.loaded.all()) turn?.abandon();
    for (const { record } of this.loaded.all()) this.store.release(record.id, this);
    await this.endpoint[Symbol.asyncDispose]();
  }
}

/** The methods that a fake plays, of those that its version has. */
function handlersOf(host: FakeHost): Handlers {
  const all: Handlers = {
    ...openMethods(host),
    ...readMethods(host),
    ...changeMethods(host),
    ...turnMethods(host),
    ...modelMethods(),
    ...accountMethods(host),
    ...configMethods(host),
    ...fileMethods(),
    ...commandMethods(host),
    ...otherMethods(host),
  };
  const own = Object.entries(all).filter(([method]) => host.dialect.knows(method));
  return Object.fromEntries(own);
}
