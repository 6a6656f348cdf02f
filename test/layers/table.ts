/**
 * The allowed imports between the parts of the repository. `check.ts` compares the code with this table, and
 * ARCHITECTURE.md shows it. Type imports count like value imports, because they couple the parts in the same
 * way.
 */

import { LAYERS } from "./library.ts";
import { ORCHESTRATOR } from "./orchestrator.ts";
import type { Package } from "./room.ts";

/** Packages by name. */
export const PACKAGES: Readonly<Record<string, Package>> = {
  codexwright: { is: "the library", entries: [], rooms: LAYERS },
  "@codexwright/engine": {
    is: "our own app-server: protocol and turns",
    entries: [
      "codexwright/client",
      "codexwright/endpoint",
      "codexwright/internal",
      "codexwright/internal/node",
      "codexwright/internal/options",
      "codexwright/internal/redact",
      "codexwright/protocol",
      "codexwright/rpc",
    ],
    rooms: {
      core: {
        is: "protocol and turns; everything else comes through ports",
        shared: [
          "bytes.ts",
          "config-table.ts",
          "depth.ts",
          "engine-config.ts",
          "hooks.ts",
          "host.ts",
          "ids.ts",
          "ports.ts",
          "shell-builtins.ts",
          "shell-words.ts",
          "text.ts",
          "wire-object.ts",
        ],
        rooms: {
          ports: { is: "the interfaces between the engine and its environment", imports: ["records"] },
          records: { is: "stored threads and turns" },
          threads: {
            is: "loaded threads, and the methods that open and change them",
            imports: ["commands", "confinement", "context", "records"],
          },
          turn: { is: "a turn that runs, with its items, usage and errors", imports: ["records", "threads"] },
          instructions: { is: "every word for models", imports: ["records"] },
          images: { is: "image files that a model is sent", imports: ["confinement"] },
          context: {
            is: "the conversation that the model gets",
            imports: ["images", "instructions", "records"],
          },
          confinement: { is: "what a sandbox policy lets a command write" },
          commands: {
            is: "starts every command, confined if its policy asks for it, and its sessions",
            imports: ["confinement"],
          },
          approvals: {
            is: "decides on actions, or asks",
            imports: ["confinement", "context", "instructions", "threads", "turn"],
          },
          tools: {
            is: "tools that a model calls",
            imports: [
              "approvals",
              "commands",
              "confinement",
              "context",
              "images",
              "instructions",
              "records",
              "threads",
              "turn",
            ],
          },
          work: {
            is: "the work of a turn, and the methods that start one",
            imports: ["commands", "context", "images", "instructions", "records", "threads", "tools", "turn"],
          },
          services: {
            is: "methods without a turn",
            imports: ["commands", "threads"],
            shared: ["unreadable.ts", "unsupported-methods.ts"],
            rooms: {
              account: { is: "the login and the limits of the account" },
              config: { is: "the configuration that clients read and write" },
            },
          },
        },
      },
      shell: { is: "commands as processes of this machine", imports: ["core"], node: true },
      store: { is: "threads in the rollout files of Codex", imports: ["core"], node: true },
      config: {
        is: "config.toml with its layers, and auth.json",
        imports: ["core", "providers"],
        node: true,
        dependencies: ["@decimalturn/toml-patch", "smol-toml"],
        shared: [
          "change-file.ts",
          "config-error.ts",
          "engine-settings.ts",
          "mcp-settings.ts",
          "parse-toml.ts",
          "provider-settings.ts",
          "read-text.ts",
          "reader.ts",
        ],
        rooms: {
          edit: { is: "changes the file of the user", imports: ["layers"] },
          auth: { is: "the login of a user" },
          layers: { is: "the files and overrides that settings come from" },
        },
      },
      instructions: {
        is: "what the user and a project tell agents",
        imports: ["config", "core"],
        node: true,
        dependencies: ["yaml"],
      },
      mcp: {
        is: "the MCP servers of threads",
        imports: ["config", "core", "providers", "shell"],
        node: true,
        dependencies: ["@modelcontextprotocol/client"],
        shared: ["bounded-fetch.ts", "mcp-error.ts", "sdk.ts"],
        rooms: { oauth: { is: "logins to servers over HTTP" } },
      },
      internal: {
        is: "internal code for the testing kit and for tests",
        imports: ["core", "providers", "sandbox"],
      },
      node: {
        is: "the engine on this machine, with its adapters",
        imports: ["config", "core", "instructions", "mcp", "providers", "rules", "sandbox", "shell", "store"],
        node: true,
      },
      providers: {
        is: "model providers",
        imports: ["core"],
        rooms: {
          catalogue: { is: "the models that clients can choose" },
          "ai-sdk": {
            is: "models of the AI SDK, and the APIs that its packages speak",
            imports: ["catalogue", "http", "secrets", "sse"],
            shared: ["capabilities.ts", "language-model.ts", "response-reader.ts"],
            rooms: { kinds: { is: "what differs between the packages" } },
          },
          http: {
            is: "what model servers have in common over HTTP: refusals, headers, limits",
            imports: ["secrets", "sse"],
          },
          responses: { is: "the Responses API over HTTP", imports: ["catalogue", "http", "secrets", "sse"] },
          secrets: { is: "removes secrets from texts of a model's server" },
          sse: { is: "reads server-sent events in bounded memory" },
        },
      },
      sandbox: { is: "confines commands with bubblewrap", imports: ["core"], node: true },
      rules: { is: "rules on commands", imports: ["core"], node: true, dependencies: ["web-tree-sitter"] },
    },
  },
  "@codexwright/testing": {
    is: "scripted model, fake app-server, conformance",
    entries: [
      "@codexwright/engine",
      "@codexwright/engine/internal",
      "@codexwright/engine/node",
      "codexwright/client",
      "codexwright/internal",
      "codexwright/internal/node",
      "codexwright/internal/options",
      "codexwright/protocol",
      "codexwright/recording",
      "codexwright/rpc",
      "codexwright/server",
      "codexwright/stdio",
      "codexwright/unix",
      "codexwright/websocket",
    ],
    node: true,
    shared: [
      "fake-app-server.ts",
      "model-gate.ts",
      "model-output.ts",
      "model-request.ts",
      "model-steps.ts",
      "model-stream.ts",
      "real-app-server.ts",
      "scripted-model.ts",
    ],
    rooms: {
      fake: { rooms: { dialects: {}, faults: {} } },
      conformance: {
        imports: ["fake"],
        shared: ["expect.ts", "raw.ts", "scenario.ts", "steps.ts"],
        rooms: { scenarios: {} },
      },
    },
  },
  "@codexwright/gateway": {
    is: "one app-server for many clients",
    entries: [
      "codexwright",
      "codexwright/internal",
      "codexwright/internal/options",
      "codexwright/protocol",
      "codexwright/rpc",
      "codexwright/server",
    ],
    node: true,
  },
  "@codexwright/orchestrator": ORCHESTRATOR,
  "@codexwright/cli": {
    is: "the command `codexwright`",
    entries: [
      "@codexwright/engine",
      "@codexwright/engine/node",
      "@codexwright/gateway",
      "@codexwright/orchestrator",
      "@codexwright/orchestrator/cli",
      "@codexwright/testing",
      "codexwright",
      "codexwright/protocol",
      "codexwright/recording",
      "codexwright/server",
      "codexwright/stdio",
      "codexwright/workspace",
    ],
    lazy: {
      entry: "@codexwright/testing",
      files: ["doctor/", "shared/demo-script.ts"],
      dynamic: ["shared/connect.ts"],
    },
    node: true,
    dependencies: [
      "@clack/prompts",
      "chalk",
      "commander",
      "log-update",
      "marked",
      "marked-terminal",
      "string-width",
      "wrap-ansi",
    ],
    shared: ["completion.ts", "exec.ts", "models.ts", "review.ts"],
    rooms: {
      shared: {},
      show: { is: "items, status and summaries in a terminal", imports: ["shared"] },
      run: {
        imports: ["shared", "show", "threads"],
        rooms: { ask: { is: "approvals and questions of a run" } },
      },
      threads: { imports: ["run", "shared", "show"] },
      account: { imports: ["shared", "show"] },
      doctor: { imports: ["shared"] },
      recordings: { imports: ["shared"] },
      serve: { imports: ["shared"] },
      "app-server": { is: "serves the engine", imports: ["serve", "shared"] },
      fleet: { is: "starts a fleet, shows it and gives it orders", imports: ["shared", "show"] },
      commands: {
        imports: [
          "account",
          "app-server",
          "doctor",
          "fleet",
          "recordings",
          "run",
          "serve",
          "shared",
          "threads",
        ],
      },
    },
  },
};

/**
 * Internal entries, which may change at any time. Only our packages import them, never pages or programs for
 * users.
 */
export const INTERNAL = /^(?:@codexwright\/(?:engine|orchestrator)|codexwright)\/internal(?:\/|$)/;

/** Folders and files at the root whose code and pages are for users. */
export const FOR_USERS: readonly string[] = ["demo", "docs", "examples", "README.md"];
