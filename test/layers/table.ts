/**
 * The allowed imports between the parts of the repository. `check.ts` compares the code with this table, and
 * ARCHITECTURE.md shows it. Type imports count like value imports, because they couple the parts in the same
 * way.
 */

/** A folder. Every sub-folder of it is a room too. */
export interface Room {
  /** A description for ARCHITECTURE.md. */
  readonly is?: string;
  /** The sibling rooms that it may import. */
  readonly imports?: readonly string[];
  /** The files directly in this folder that its rooms may import. */
  readonly shared?: readonly string[];
  readonly rooms?: Readonly<Record<string, Room>>;
  /** The only file of this room that these sibling rooms may import. They use the room as public users do. */
  readonly face?: { readonly file: string; readonly for: readonly string[] };
  /** Only these sibling files may import this room. */
  readonly onlyFor?: readonly string[];
  /** True if the room uses Node. The other rooms of the library also run in browsers. */
  readonly node?: true;
  /** Third-party packages that it may import. */
  readonly dependencies?: readonly string[];
}

/** One of our packages, with the rooms of its `src`. */
export interface Package extends Room {
  readonly is: string;
  /** The entries of our other packages that it may import. */
  readonly entries: readonly string[];
  /** One of our packages that only some files load, so that commands that do not need it start without it. */
  readonly lazy?: Lazy;
}

export interface Lazy {
  readonly entry: string;
  /** Files and folders that import it statically. All other files import these with `import()` only. */
  readonly files: readonly string[];
  /** Files that import it with `import()`. */
  readonly dynamic: readonly string[];
}

/** The layers of the library: folders of packages/codexwright/src. */
const LAYERS: Readonly<Record<string, Room>> = {
  protocol: {
    is: "wire types, maps and traits of methods; generated",
    shared: ["methods.gen.ts"],
    rooms: { traits: {} },
  },
  rpc: {
    is: "JSON-RPC over lines, without Codex",
    shared: ["errors.ts", "limits.ts"],
    rooms: { options: {} },
  },
  schema: { is: "converts Standard Schemas to JSON Schemas, checks values", imports: ["rpc"] },
  tools: { is: "functions that a model can call", imports: ["protocol", "rpc", "schema"] },
  redact: {
    is: "finds secrets in messages",
    imports: ["rpc"],
    shared: ["bytes.ts", "range.ts", "secret-fields.ts"],
    rooms: { encodings: {}, rules: { imports: ["search"] }, search: {} },
  },
  system: { is: "starts programs, walks and removes folders", imports: ["rpc"], node: true },
  websocket: { is: "lines as websocket frames", imports: ["redact", "rpc"], dependencies: ["ws"] },
  transports: {
    is: "lines over a process or a unix socket",
    imports: ["rpc", "system", "websocket"],
    node: true,
    dependencies: ["ws"],
  },
  client: {
    is: "threads, turns and services of one server",
    imports: ["protocol", "redact", "rpc", "schema", "tools"],
    face: { file: "index.ts", for: ["agent", "node", "workspace"] },
    shared: ["errors.ts"],
    rooms: {
      connection: {
        is: "handshake, requests, listeners, recovery",
        rooms: {
          recovery: { is: "opens a channel, and waits for one that was lost" },
          server: { is: "features, answers and errors of a server" },
        },
      },
      state: { is: "folds notifications into the state of a thread; pure" },
      turn: {
        is: "the handle of a turn and its data",
        imports: ["connection", "state"],
        rooms: {
          end: { is: "how a turn ends, and its result" },
          options: { is: "input and options of a turn" },
        },
      },
      thread: {
        is: "the handle of a thread and its state",
        imports: ["connection", "services", "state", "turn"],
      },
      requests: { is: "answers server requests", imports: ["connection"] },
      services: {
        is: "commands, files, account, configuration and more",
        imports: ["connection", "requests"],
        shared: ["bytes.ts", "paging.ts", "service-host.ts"],
        rooms: {
          account: {},
          commands: { imports: ["files"] },
          config: { imports: ["account"] },
          files: { imports: ["commands"] },
          mcp: { imports: ["account"] },
          realtime: {},
          search: {},
        },
      },
      review: { is: "runs a review as a turn", imports: ["thread", "turn"] },
      "spec-002": {
        is: "names and flat methods of specification 002",
        imports: ["connection", "review", "services", "thread", "turn"],
        onlyFor: ["client.ts", "index.ts"],
      },
    },
  },
  endpoint: { is: "the protocol side of an app-server", imports: ["protocol", "rpc"], rooms: { params: {} } },
  server: {
    is: "listeners and authentication for an endpoint",
    imports: ["endpoint", "rpc", "websocket"],
    node: true,
    dependencies: ["jose", "ws"],
  },
  recording: {
    is: "records, replays and compares lines",
    imports: ["protocol", "redact", "rpc"],
    node: true,
    shared: ["exchanges.ts", "format.ts", "recording-file.ts"],
    rooms: {
      compare: { is: "normalizes recordings and compares them" },
      replay: { is: "plays a recording as a server", imports: ["compare"] },
    },
  },
  agent: {
    is: "prompts, sessions, resources and runs",
    imports: ["client", "protocol", "redact", "rpc", "schema", "tools"],
    shared: ["clock.ts", "errors.ts", "fingerprint.ts", "from-client.ts", "json.ts", "limits.ts", "phase.ts"],
    rooms: {
      session: { is: "events, slices and their rules" },
      resources: { is: "resources that a run opens and closes" },
      tools: { is: "one tool call, as a transaction", imports: ["prompt", "resources", "session"] },
      prompt: { is: "sections and their text", imports: ["resources", "session", "tools"] },
      run: {
        is: "runs turns until the prompt is done",
        imports: ["prompt", "resources", "session", "tools"],
      },
    },
  },
  workspace: {
    is: "separate folders for runs",
    imports: ["agent", "rpc", "system"],
    node: true,
    dependencies: ["picomatch"],
    shared: ["errors.ts", "if-there.ts", "inside.ts", "open-flags.ts", "pending.ts", "roots.ts"],
    rooms: {
      git: { is: "runs git, reads repositories, makes worktrees" },
      checkpoints: { is: "states of a folder that can be restored", imports: ["git"] },
    },
  },
  node: {
    is: "the entry `codexwright`: client and stdio",
    imports: ["client", "protocol", "rpc", "transports"],
    node: true,
  },
  internal: {
    is: "internal code that our other packages share",
    imports: ["endpoint", "protocol", "redact", "rpc", "system", "tools", "transports"],
    node: true,
  },
};

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
          "depth.ts",
          "host.ts",
          "ids.ts",
          "ports.ts",
          "shell-words.ts",
          "text.ts",
          "wire-object.ts",
        ],
        rooms: {
          ports: { is: "the interfaces between the engine and its environment", imports: ["records"] },
          records: { is: "stored threads and turns" },
          threads: {
            is: "loaded threads, and the methods that open and change them",
            imports: ["commands", "confinement", "records"],
          },
          turn: { is: "a turn that runs, with its items, usage and errors", imports: ["records", "threads"] },
          instructions: { is: "every word for models", imports: ["records"] },
          context: { is: "the conversation that the model gets", imports: ["instructions", "records"] },
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
              "instructions",
              "records",
              "threads",
              "turn",
            ],
          },
          work: {
            is: "the work of a turn, and the methods that start one",
            imports: ["commands", "context", "instructions", "records", "threads", "tools", "turn"],
          },
          services: { is: "methods without a turn", imports: ["commands", "threads"] },
        },
      },
      shell: { is: "commands as processes of this machine", imports: ["core"], node: true },
      store: { is: "threads in the rollout files of Codex", imports: ["core"], node: true },
      config: {
        is: "config.toml with its layers, and auth.json",
        imports: ["core", "providers"],
        node: true,
        dependencies: ["smol-toml"],
        shared: ["config-error.ts", "parse-toml.ts", "read-text.ts", "table.ts"],
        rooms: {
          auth: { is: "the login of a user" },
          layers: { is: "the files and overrides that settings come from" },
        },
      },
      internal: {
        is: "internal code for the testing kit and for tests",
        imports: ["core", "providers", "sandbox"],
      },
      node: {
        is: "the engine on this machine, with its adapters",
        imports: ["config", "core", "providers", "rules", "sandbox", "shell", "store"],
        node: true,
      },
      providers: {
        is: "model providers",
        imports: ["core"],
        rooms: {
          catalogue: { is: "the models that clients can choose" },
          responses: { is: "the Responses API over HTTP", imports: ["secrets", "sse"] },
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
  "@codexwright/orchestrator": {
    is: "a fleet of agents that works on the issues of a tracker",
    entries: [
      "codexwright",
      "codexwright/agent",
      "codexwright/internal",
      "codexwright/internal/node",
      "codexwright/internal/options",
      "codexwright/internal/redact",
      "codexwright/protocol",
      "codexwright/rpc",
      "codexwright/stdio",
      "codexwright/workspace",
    ],
    node: true,
    rooms: {
      domain: { is: "issues, claims, outcomes, settings and errors; types and pure functions" },
      workflow: {
        is: "WORKFLOW.md: settings, templates, reload",
        imports: ["domain"],
        dependencies: ["liquidjs", "yaml"],
      },
      tracker: {
        is: "trackers; the only place that knows a provider",
        imports: ["domain"],
        dependencies: ["yaml"],
        shared: ["issue-fields.ts"],
        rooms: { conformance: {}, folder: {}, memory: {} },
      },
      policy: { is: "who runs, when, and how often; pure", imports: ["domain"] },
      jobs: {
        is: "claims, queues and totals; the only place that knows SQL and pg-boss",
        imports: ["domain"],
        dependencies: ["@electric-sql/pglite", "pg", "pg-boss"],
        face: { file: "port.ts", for: ["tick", "worker", "observe", "http", "testing"] },
        shared: ["port.ts"],
        rooms: { boss: {}, tables: {}, embedded: {}, conformance: {} },
      },
      observe: {
        is: "log, snapshot for people, telemetry; nothing depends on its success",
        imports: ["domain", "jobs"],
        dependencies: ["@opentelemetry/api"],
      },
      tick: { is: "polls, reconciles, admits", imports: ["domain", "jobs", "observe", "policy"] },
      workspace: { is: "the folders of issues, and hooks", imports: ["domain"] },
      runner: { is: "a grant in, an outcome out", imports: ["domain", "workflow", "workspace"] },
      worker: {
        is: "slots, leases, fences, and runs that were left behind",
        imports: ["domain", "jobs", "observe", "policy", "runner"],
      },
      http: {
        is: "state, events and orders over HTTP",
        imports: ["domain", "jobs", "observe"],
        dependencies: ["@hono/node-server", "hono"],
      },
      cli: { is: "the commands of `codexwright fleet`", imports: ["domain", "http", "observe"] },
      testing: {
        is: "for tests of fleets: clock, ledger, checks of a job store",
        imports: ["domain", "jobs"],
      },
      internal: {
        is: "internal code for our tests",
        imports: [
          "cli",
          "domain",
          "http",
          "jobs",
          "observe",
          "policy",
          "runner",
          "tick",
          "tracker",
          "worker",
          "workflow",
          "workspace",
        ],
      },
    },
  },
  "@codexwright/cli": {
    is: "the command `codexwright`",
    entries: [
      "@codexwright/engine",
      "@codexwright/engine/node",
      "@codexwright/gateway",
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
      commands: {
        imports: ["account", "app-server", "doctor", "recordings", "run", "serve", "shared", "threads"],
      },
    },
  },
};

/**
 * Internal entries, which may change at any time. Only our packages import them, never pages or programs for
 * users.
 */
export const INTERNAL = /^(?:@codexwright\/engine|codexwright)\/internal(?:\/|$)/;

/** Folders and files at the root whose code and pages are for users. */
export const FOR_USERS: readonly string[] = ["demo", "docs", "examples", "README.md"];
