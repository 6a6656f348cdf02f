/**
 * Which part of the repository may import which. `check.ts` compares the code with this, and ARCHITECTURE.md shows it.
 * A type counts like a value: who imports a type knows the part that declares it.
 */

/** A folder. Its rooms are its sub-folders, and every sub-folder is a room. */
export interface Room {
  /** What it is, for ARCHITECTURE.md. */
  readonly is?: string;
  /** The rooms beside it that it may import. */
  readonly imports?: readonly string[];
  /** The files beside its rooms that its rooms may import. */
  readonly shared?: readonly string[];
  readonly rooms?: Readonly<Record<string, Room>>;
  /** For these rooms beside it, the one file of it that they may import: they are built on it as its users are. */
  readonly face?: { readonly file: string; readonly for: readonly string[] };
  /** Nothing may import this room but these files beside it. */
  readonly onlyFor?: readonly string[];
  /** It uses Node. Other rooms of the library also run in browsers. */
  readonly node?: true;
  /** Packages of others that it may import. */
  readonly dependencies?: readonly string[];
}

/** A package of ours, with the rooms of its `src`. */
export interface Package extends Room {
  readonly is: string;
  /** The entries of our other packages that it may import. */
  readonly entries: readonly string[];
  /** A package of ours that only some files load, so that what does not need it starts without it. */
  readonly lazy?: Lazy;
}

export interface Lazy {
  readonly entry: string;
  /** Files and folders that import it as usual. All others import them by `import()` only. */
  readonly files: readonly string[];
  /** Files that import it by `import()`. */
  readonly dynamic: readonly string[];
}

/** The layers of the library: folders of packages/codexwright/src. */
const LAYERS: Readonly<Record<string, Room>> = {
  protocol: {
    is: "types of the wire, maps and traits of methods; generated",
    shared: ["methods.gen.ts"],
    rooms: { traits: {} },
  },
  rpc: {
    is: "JSON-RPC over lines, without Codex",
    shared: ["errors.ts", "limits.ts"],
    rooms: { options: {} },
  },
  schema: { is: "Standard Schema to JSON Schema, checks", imports: ["rpc"] },
  tools: { is: "functions that a model can call", imports: ["protocol", "rpc", "schema"] },
  redact: {
    is: "finds secrets in messages",
    imports: ["rpc"],
    shared: ["bytes.ts", "range.ts", "secret-fields.ts"],
    rooms: { encodings: {}, rules: { imports: ["search"] }, search: {} },
  },
  system: { is: "starts programs, walks and removes folders", imports: ["rpc"], node: true },
  websocket: { is: "lines as frames of a websocket", imports: ["redact", "rpc"], dependencies: ["ws"] },
  transports: {
    is: "lines of a process or a socket file",
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
        is: "handshake, requests and their lanes, listeners, recovery",
        rooms: {
          recovery: { is: "opens a channel, and waits for one that was lost" },
          server: { is: "what a server can do, answers and refuses" },
        },
      },
      state: { is: "the fold of notifications; pure" },
      turn: {
        is: "the handle of a turn and what it keeps",
        imports: ["connection", "state"],
        rooms: {
          end: { is: "how a turn ends, and its result" },
          options: { is: "input and options of a turn" },
        },
      },
      thread: {
        is: "the handle of a thread and what is known of it",
        imports: ["connection", "services", "state", "turn"],
      },
      requests: { is: "answers what a server asks", imports: ["connection"] },
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
      review: { is: "a review as a turn", imports: ["thread", "turn"] },
      "spec-002": {
        is: "names and flat methods of specification 002",
        imports: ["connection", "review", "services", "thread", "turn"],
        onlyFor: ["client.ts", "index.ts"],
      },
    },
  },
  endpoint: { is: "the protocol end of an app-server", imports: ["protocol", "rpc"], rooms: { params: {} } },
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
      compare: { is: "brings recordings into one form, and compares them" },
      replay: { is: "plays a recording as a server", imports: ["compare"] },
    },
  },
  agent: {
    is: "prompts, sessions, resources and runs",
    imports: ["client", "protocol", "redact", "rpc", "schema", "tools"],
    shared: ["clock.ts", "errors.ts", "fingerprint.ts", "from-client.ts", "json.ts", "limits.ts", "phase.ts"],
    rooms: {
      session: { is: "events, slices and their rules" },
      resources: { is: "what a run opens and closes" },
      tools: { is: "one call of a tool, as a transaction", imports: ["prompt", "resources", "session"] },
      prompt: { is: "sections and their text", imports: ["resources", "session", "tools"] },
      run: {
        is: "turn by turn until the prompt is done",
        imports: ["prompt", "resources", "session", "tools"],
      },
    },
  },
  workspace: {
    is: "folders of a run",
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
    is: "what our other packages share, without a promise",
    imports: ["endpoint", "protocol", "rpc", "system", "transports"],
    node: true,
  },
};

/** Packages by their names. */
export const PACKAGES: Readonly<Record<string, Package>> = {
  codexwright: { is: "the library", entries: [], rooms: LAYERS },
  "@codexwright/engine": {
    is: "an app-server of our own: its protocol and its turns",
    entries: [
      "codexwright/endpoint",
      "codexwright/internal",
      "codexwright/internal/options",
      "codexwright/protocol",
      "codexwright/rpc",
    ],
    rooms: {
      core: {
        is: "protocol and turns; everything else comes through ports",
        shared: ["bytes.ts", "host.ts", "ids.ts", "ports.ts", "shell-words.ts", "text.ts", "wire-object.ts"],
        rooms: {
          records: { is: "threads and turns as they are kept" },
          threads: { is: "loaded threads, and the methods that open and change them", imports: ["records"] },
          turn: { is: "a turn that runs, with its items, usage and errors", imports: ["records", "threads"] },
          context: { is: "the conversation that the model gets", imports: ["threads", "turn"] },
          approvals: { is: "asks clients, or a model that reviews", imports: ["context", "turn"] },
          tools: {
            is: "tools that a model calls",
            imports: ["approvals", "context", "records", "threads", "turn"],
          },
          work: {
            is: "the work of a turn, and the methods that start one",
            imports: ["context", "records", "threads", "tools", "turn"],
          },
          services: { is: "methods without a turn", imports: ["threads"] },
        },
      },
      internal: { is: "what the testing kit needs besides", imports: ["core"] },
      node: { is: "adapters of this machine", imports: ["core"], node: true },
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
  "@codexwright/cli": {
    is: "the command `codexwright`",
    entries: [
      "@codexwright/gateway",
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
      commands: {
        imports: ["account", "doctor", "recordings", "run", "serve", "shared", "threads"],
      },
    },
  },
};

/** Entries without a promise: only our packages import them, never what users read. */
export const INTERNAL = /^(?:@codexwright\/engine|codexwright)\/internal(?:\/|$)/;

/** Folders of a root whose code and pages are for users. */
export const FOR_USERS: readonly string[] = ["demo", "docs", "examples", "README.md"];

export interface KnownCycle {
  readonly in: string;
  /** The files or rooms of that folder that are in it. */
  readonly parts: readonly string[];
  readonly why: string;
}

const CHECKED = "a check is in a file beside the type that it checks";
const LOADED = "a part that is loaded late has the options of the file that loads it";

/** Cycles of types between files. There are no cycles of values. */
export const TYPE_CYCLES: readonly KnownCycle[] = [
  {
    in: "packages/codexwright/src/client",
    parts: ["error-code.ts", "index.ts"],
    why: "the type of every error's code is read from the entry, which exports it",
  },
  {
    in: "packages/codexwright/src/agent",
    parts: ["errors.ts", "limits.ts"],
    why: "an error names its limit",
  },
  {
    in: "packages/codexwright/src/agent/tools",
    parts: ["keys.ts", "turn.ts"],
    why: "a turn of calls holds the keys that its calls wait for",
  },
  {
    in: "packages/codexwright/src/endpoint",
    parts: ["admission.ts", "dispatcher.ts"],
    why: "admission chooses a handler, and the dispatcher runs what was admitted",
  },
  {
    in: "packages/codexwright/src/recording/compare",
    parts: ["join-deltas.ts", "normalize.ts"],
    why: "a step of the normalization works on the type of its result",
  },
  { in: "packages/codexwright/src/tools", parts: ["tool-check.ts", "tool.ts"], why: CHECKED },
  { in: "packages/codexwright/src/transports", parts: ["launch.ts", "stdio.ts"], why: LOADED },
  { in: "packages/testing/src", parts: ["model-steps.ts", "model-tables.ts"], why: CHECKED },
  {
    in: "packages/testing/src",
    parts: ["real-app-server-process.ts", "real-app-server.ts"],
    why: "a world starts servers that keep the type of their world",
  },
  { in: "packages/testing/src/fake/faults", parts: ["fault-check.ts", "faults.ts"], why: CHECKED },
  {
    in: "packages/testing/src/fake",
    parts: ["scripted-process.ts", "scripted-shell.ts"],
    why: "a process is played as the script of its shell says",
  },
  {
    in: "packages/cli/src/run",
    parts: ["conduct.ts", "tell.ts"],
    why: "one part of a run, in a file of its own",
  },
  { in: "packages/cli/src/shared", parts: ["invoke.ts", "options.ts"], why: LOADED },
];

/** Rooms that import each other. */
export const ROOM_CYCLES: readonly KnownCycle[] = [
  {
    in: "packages/codexwright/src/agent",
    parts: ["prompt", "tools"],
    why: "a prompt contains tools, and a tool can ask for a section of its prompt",
  },
  {
    in: "packages/codexwright/src/client/services",
    parts: ["commands", "files"],
    why: "each uses one small helper of the other",
  },
  {
    in: "packages/cli/src",
    parts: ["run", "threads"],
    why: "`run --resume` finds a thread, and `threads` shows items and resumes as a run does",
  },
];
