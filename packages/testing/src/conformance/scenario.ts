import type { CodexClient, ClientOptions } from "codexwright/client";
import type { TransportFactory } from "codexwright/rpc";
import type { CommandOutcome } from "../fake/scripted-shell.ts";
import type { ModelScript } from "../model-steps.ts";
import type { Recording } from "codexwright/recording";
import type { ScriptedModel } from "../scripted-model.ts";
import type { RawChannel } from "./raw.ts";

/** How the clients of a target reach its server. */
export type TargetTransport = "memory" | "stdio" | "websocket" | "unix";

/** A tool of an MCP server that a scenario wants; the kit's own MCP server has them all. */
export type ScenarioMcpTool = "echo" | "ask";

/** A tool that a server offers its model when it is told to. */
export type ScenarioModelTool = "update_plan" | "request_user_input" | "request_permissions";

/** What a server must be set up with for a scenario. */
export interface ScenarioSetup {
  /** What the model behind the server answers. */
  readonly model: ModelScript;
  /** Of threads, unless they are started with another. Default `never`. */
  readonly approvalPolicy?: "on-request" | "never";
  /** Likewise; default `workspace-write`. */
  readonly sandbox?: "read-only" | "workspace-write" | "danger-full-access";
  /** Tools of the server's own that the model must be offered, and is not by default. */
  readonly modelTools?: readonly ScenarioModelTool[];
  /** Whether the model's provider wants an OpenAI login: without one the server tells of no account. */
  readonly openaiAuth?: boolean;
  /** Times that a broken stream is asked for again; default 0. */
  readonly streamRetries?: number;
  /** Tools of an MCP server named `small`. */
  readonly mcpTools?: readonly ScenarioMcpTool[];
  /** What the commands do that are not the model's, for a server that executes none. */
  readonly commands?: Readonly<Record<string, CommandOutcome>>;
}

/** One run of a scenario: fresh gates and counters, what the server needs, and the steps. */
export interface ScenarioRun extends ScenarioSetup {
  /** Does the steps; throws where an expectation is not met. */
  run(world: World): Promise<void>;
}

/** What a target must have for a scenario to mean anything on it. */
export interface ScenarioNeeds {
  /** The first Codex version that behaves so. */
  readonly since?: string;
  /** The first that no longer does. */
  readonly until?: string;
  /** More than one client on one server, which stdio cannot give. */
  readonly clients?: "many";
}

/** A statement about an app-server and the steps that show it, for any server behind any transport. */
export interface Scenario {
  /** `area.what`, unique. */
  readonly id: string;
  readonly statement: string;
  readonly needs?: ScenarioNeeds;
  /** Begins a run of its own: what it returns is used once. */
  begin(): ScenarioRun;
}

/** A client for a scenario; what is left out comes from the scenario's set-up. */
export type WorldClientOptions = Partial<Omit<ClientOptions, "transport">>;

/** Where a scenario happens: one server with its model, and as many clients as are asked for. */
export interface World {
  /** The Codex version the server behaves like. */
  readonly version: string;
  /** The folder that threads run in, as the server names it. */
  readonly workspace: string;
  /** What the server asked its model. */
  readonly model: ScenarioModel;
  /** Another client, connected; it ends with the world. */
  connect(options?: WorldClientOptions): Promise<CodexClient>;
  /** Another channel without a client, for what no client would send. */
  raw(): Promise<RawChannel>;
}

/** The part of a scripted model that scenarios look at. */
export type ScenarioModel = Pick<ScriptedModel, "requests" | "request" | "unexpected">;

/** A server that is up for one scenario. */
export interface ConformanceServer extends AsyncDisposable {
  /** Opens a channel to it, another one each time. */
  readonly transport: TransportFactory;
  readonly workspace: string;
  readonly model: ScenarioModel;
  /** Ends it, as disposing does. The servers of our targets have it; yours need not. */
  close?(): Promise<void>;
}

/** Something to run scenarios against: a server of yours, reached by our client or by one of yours. */
export interface ConformanceTarget {
  readonly name: string;
  /** The Codex version it behaves like; scenarios of other versions are not run. */
  readonly version: string;
  readonly transport: TargetTransport;
  /** Starts a server for one scenario. */
  open(setup: ScenarioSetup): Promise<ConformanceServer>;
  /** Makes the client; default: the library's own. */
  client?(options: ClientOptions): CodexClient;
  /** Why it cannot run a scenario, where it cannot. */
  unsupported?(scenario: Scenario): string | undefined;
}

/** How a scenario went on a target. */
export type ScenarioResult = {
  readonly scenario: Scenario;
  readonly target: string;
  readonly durationMs: number;
  /** The folder that threads ran in; unset where the server never came up. */
  readonly workspace?: string;
  /** Everything that crossed the wire, secrets taken out; each channel is a connection of it. */
  readonly recording: Recording;
} & (
  | { readonly outcome: "passed" }
  | { readonly outcome: "failed"; readonly error: unknown }
  | { readonly outcome: "unsupported"; readonly reason: string }
);
