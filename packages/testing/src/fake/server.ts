import { onAbort } from "codexwright/internal";
import type { Transport } from "codexwright/rpc";
import type { DialectName, FakeDialect } from "./dialects/dialect.ts";
import { DialectTransport } from "./dialects/dialect-transport.ts";
import { dialectOf } from "./dialects/dialects.ts";
import { EngineServer, type EngineConfig, type EngineServerOptions } from "@codexwright/engine";
import type { FakeModel } from "./fake-model.ts";
import { ScriptedMcpServers, type FakeMcpServer } from "./mcp-servers.ts";
import { nodeFiles } from "@codexwright/engine/node";
import { nodePlatform } from "@codexwright/engine/node";
import { FakePace } from "./pace.ts";
import { ScriptedOutcomes } from "./scripted-outcomes.ts";
import { ScriptedProvider } from "./scripted-provider.ts";
import { ScriptedShell, type CommandScript } from "./scripted-shell.ts";

/** Options of a fake server. */
export interface FakeServerOptions extends Pick<EngineServerOptions, "cwd" | "home" | "store" | "version"> {
  readonly approvalPolicy?: EngineConfig["approvalPolicy"];
  readonly compactAt?: EngineConfig["compactAt"];
  readonly openaiAuth?: EngineConfig["openaiAuth"];
  readonly sandbox?: EngineConfig["sandboxMode"];
  readonly streamRetries?: EngineConfig["streamRetries"];
  readonly model: FakeModel;
  readonly dialect?: DialectName | undefined;
  readonly mcpServers?: Readonly<Record<string, FakeMcpServer>> | undefined;
  readonly commands?: CommandScript | undefined;
}

/** The engine with scripted ports: a script replaces its model, and it has no shell. Files are real. */
export class FakeServer implements AsyncDisposable {
  readonly dialect: FakeDialect;
  readonly #engine: EngineServer;
  readonly #pace = new FakePace();

  constructor({ model, dialect, mcpServers, commands, ...options }: FakeServerOptions) {
    this.dialect = dialectOf(dialect ?? "current");
    const outcomes = new ScriptedOutcomes();
    this.#engine = new EngineServer({
      home: options.home,
      cwd: options.cwd,
      store: options.store,
      version: options.version,
      provider: new ScriptedProvider(model, this.#pace, outcomes),
      config: {
        model: "mock-model",
        approvalPolicy: options.approvalPolicy,
        compactAt: options.compactAt,
        openaiAuth: options.openaiAuth,
        sandboxMode: options.sandbox,
        // As in the isolated worlds of the real server.
        workspaceWrite: {
          writableRoots: [],
          networkAccess: false,
          excludeTmpdirEnvVar: true,
          excludeSlashTmp: true,
        },
        // A script decides on every request, so only broken streams are retried, without a wait.
        streamRetries: options.streamRetries ?? 0,
        requestRetries: 0,
        connectionRetries: 0,
        retryDelayMs: 0,
      },
      shell: new ScriptedShell(commands ?? (() => undefined), outcomes),
      files: nodeFiles(),
      platform: nodePlatform(),
      mcp: new ScriptedMcpServers(mcpServers ?? {}, outcomes),
      pace: this.#pace,
      dialect: { ...this.dialect, forgetsSandbox: true },
    });
  }

  /** The methods that it supports. Other methods are rejected as the real server rejects unknown methods. */
  get methods(): readonly string[] {
    return this.#engine.methods;
  }

  /** Errors in the fake that were not reported to any client. */
  get failures(): readonly unknown[] {
    return this.#engine.failures;
  }

  /** Serves a client over this channel, in the server's dialect. */
  accept(transport: Transport, { remote }: { readonly remote: boolean }): void {
    const { speaks } = this.dialect;
    const client = this.#engine.accept(speaks ? new DialectTransport(transport, speaks) : transport);
    if (remote) onAbort(client.signal, this.#pace.remote());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#engine.close();
  }
}
