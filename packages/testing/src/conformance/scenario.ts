import type { CodexClient, ClientOptions } from "codexwright/client";
import type { TransportFactory } from "codexwright/rpc";
import type { CommandOutcome } from "../fake/scripted-shell.ts";
import type { ModelRequest } from "../model-request.ts";
import type { ModelScript } from "../model-steps.ts";
import type { Recording } from "codexwright/recording";
import type { ScriptedModel } from "../scripted-model.ts";
import type { RawChannel } from "./raw.ts";

/** The transport between a target's clients and its server. */
export type TargetTransport = "memory" | "stdio" | "websocket" | "unix";

/** A tool of the kit's MCP server that a scenario can use. */
export type ScenarioMcpTool = "echo" | "ask";

/** A tool that a server offers its model if its configuration enables it. */
export type ScenarioModelTool = "update_plan" | "request_user_input" | "request_permissions";

/** The server set-up that a scenario needs. */
export interface ScenarioSetup {
  /** The answers of the model behind the server. */
  readonly model: ModelScript;
  /** The policy of threads that do not set one. Default `never`. */
  readonly approvalPolicy?: "on-request" | "never";
  /** The sandbox of threads that do not set one. Default `workspace-write`. */
  readonly sandbox?: "read-only" | "workspace-write" | "danger-full-access";
  /** The server's own tools that must be enabled for the model, because they are off by default. */
  readonly modelTools?: readonly ScenarioModelTool[];
  /** Whether the model's provider requires an OpenAI login. If it does not, the server reports no account. */
  readonly openaiAuth?: boolean;
  /** How many times a broken stream is retried; default 0. */
  readonly streamRetries?: number;
  /** Tools of an MCP server named `small`. */
  readonly mcpTools?: readonly ScenarioMcpTool[];
  /** The outcomes of commands that do not come from the model, for a server that does not execute commands. */
  readonly commands?: Readonly<Record<string, CommandOutcome>>;
}

/** One run of a scenario: fresh gates and counters, the server set-up, and the steps. */
export interface ScenarioRun extends ScenarioSetup {
  /** Performs the steps. Throws if an expectation is not met. */
  run(world: World): Promise<void>;
}

/** The features that a target must have for a scenario to apply. */
export interface ScenarioNeeds {
  /** The first Codex version that behaves like this. */
  readonly since?: string;
  /** The first Codex version that no longer behaves like this. */
  readonly until?: string;
  /** The scenario needs several clients on one server, which stdio does not support. */
  readonly clients?: "many";
}

/** A statement about an app-server and the steps that verify it, for any server behind any transport. */
export interface Scenario {
  /** `area.what`, unique. */
  readonly id: string;
  readonly statement: string;
  readonly needs?: ScenarioNeeds;
  /** Creates a new run. Each returned run is used once. */
  begin(): ScenarioRun;
}

/** Options for a client of a scenario. Options that are left out come from the scenario's set-up. */
export type WorldClientOptions = Partial<Omit<ClientOptions, "transport">>;

/** The environment of a scenario: one server with its model, and as many clients as the scenario connects. */
export interface World {
  /** The Codex version that the server behaves like. */
  readonly version: string;
  /** The folder that threads run in, as the server reports it. */
  readonly workspace: string;
  /** The model, with the requests that the server sent to it. */
  readonly model: ScenarioModel;
  /** Connects another client, which is closed with the world. */
  connect(options?: WorldClientOptions): Promise<CodexClient>;
  /** Opens another channel without a client, for messages that no client would send. */
  raw(): Promise<RawChannel>;
}

/** The part of a scripted model that scenarios use. */
export type ScenarioModel = Pick<ScriptedModel, "requests" | "request" | "unexpected">;

/** A server that runs for one scenario. */
export interface ConformanceServer extends AsyncDisposable {
  /** Opens a new channel to the server on each call. */
  readonly transport: TransportFactory;
  readonly workspace: string;
  readonly model: ScenarioModel;
  /** Ends the server, as disposing does. Our targets' servers have this method; yours need not. */
  close?(): Promise<void>;
}

/** A server to run scenarios against, reached by our client or by your own. */
export interface ConformanceTarget {
  readonly name: string;
  /** The Codex version that it behaves like. Scenarios of other versions are not run. */
  readonly version: string;
  readonly transport: TargetTransport;
  /** Starts a server for one scenario. */
  open(setup: ScenarioSetup): Promise<ConformanceServer>;
  /** Creates the client; default: the library's own. */
  client?(options: ClientOptions): CodexClient;
  /** Returns why the target cannot run a scenario, or `undefined` if it can. */
  unsupported?(scenario: Scenario): string | undefined;
}

/** The result of a scenario on a target. */
export type ScenarioResult = {
  readonly scenario: Scenario;
  readonly target: string;
  readonly durationMs: number;
  /** The folder that threads ran in; unset if the server did not start. */
  readonly workspace?: string;
  /** Everything that was sent and received, with secrets removed. Each channel is a connection in it. */
  readonly recording: Recording;
  /** The requests that the server sent to the model. */
  readonly requests: readonly ModelRequest[];
} & (
  | { readonly outcome: "passed" }
  | { readonly outcome: "failed"; readonly error: unknown }
  | { readonly outcome: "unsupported"; readonly reason: string }
);
