import type { Room } from "./room.ts";

/** The layers of the library: folders of packages/codexwright/src. */
export const LAYERS: Readonly<Record<string, Room>> = {
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
