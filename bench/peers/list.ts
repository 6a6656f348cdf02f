/** Tasks that a peer may be unable to do. */
export type Task = "batched" | "singly" | "threads" | "memory" | "long" | "requests" | "approval" | "tool";

/** Another library that does some of the same work. */
export interface PeerInfo {
  /** The package, and the way it is used if there is more than one. */
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** The module of `bench/peers` that uses it. */
  readonly program: string;
  readonly also?: readonly string[];
  /** Arguments that make the bench's server speak its protocol. */
  readonly server: readonly string[];
  /** The codexwright way to compare it with: a callback or an iterator. */
  readonly like: "callback" | "iterator";
  /**
   * The maximum number of messages in a sample, for a peer that needs many times as long as others. Without
   * it, a run would not end.
   */
  readonly most?: number;
  /** The only tasks it takes part in. Other tasks would add nothing new. */
  readonly only?: readonly Task[];
  /** The reasons why it cannot do a task. */
  readonly lacks: Readonly<Partial<Record<Task, string>>>;
}

const NO_REQUESTS = "only runs turns; a user cannot send other requests";
const NO_QUESTIONS = "cannot be asked: it runs `codex exec`";

/** The newest releases in the registry at the time of writing. */
export const PEERS: readonly PeerInfo[] = [
  {
    name: "@openai/codex-sdk",
    package: "@openai/codex-sdk",
    version: "0.163.0",
    program: "codex-sdk",
    server: ["--dialect=exec"],
    like: "iterator",
    lacks: { requests: NO_REQUESTS, approval: NO_QUESTIONS, tool: NO_QUESTIONS },
  },
  ...(["doStream", "streamText"] as const).flatMap((by): PeerInfo[] => [
    {
      name: `ai-sdk-provider-codex-cli, ${by}`,
      package: "ai-sdk-provider-codex-cli",
      version: "2.2.1",
      also: ["ai@7.0.169"],
      ...(by === "streamText" && { only: ["batched"] as const }),
      most: 20_000,
      program: `codex-cli-${by}`,
      server: [],
      like: "iterator",
      lacks: { requests: NO_REQUESTS },
    },
    {
      name: `ai-sdk-provider-codex-app-server, ${by}`,
      package: "ai-sdk-provider-codex-app-server",
      version: "1.1.7",
      also: ["ai@6.0.319"],
      ...(by === "streamText" && { only: ["batched"] as const }),
      most: by === "streamText" ? 20_000 : 200_000,
      program: `codex-app-server-${by}`,
      // It subscribes only after the answer to `turn/start`, and loses events that arrived before.
      server: ["--pause"],
      like: "iterator",
      lacks: {
        requests: NO_REQUESTS,
        approval: "takes the request for a notification and never answers it",
        tool: "does not answer it",
      },
    },
  ]),
  {
    name: "@agentclientprotocol/sdk",
    package: "@agentclientprotocol/sdk",
    version: "2.4.0",
    program: "acp-sdk",
    most: 20_000,
    server: ["--dialect=acp"],
    like: "callback",
    lacks: { tool: "ACP has no tools of the client's own" },
  },
  {
    name: "@modelcontextprotocol/sdk",
    package: "@modelcontextprotocol/sdk",
    version: "1.32.2",
    program: "mcp-sdk",
    most: 20_000,
    server: ["--dialect=mcp"],
    like: "callback",
    lacks: { tool: "in MCP the server has the tools" },
  },
  {
    name: "vscode-jsonrpc",
    package: "vscode-jsonrpc",
    version: "10.0.0",
    program: "vscode-jsonrpc",
    most: 200_000,
    server: ["--dialect=jsonrpc", "--headers"],
    like: "callback",
    lacks: {},
  },
  {
    name: "json-rpc-2.0",
    package: "json-rpc-2.0",
    version: "1.8.1",
    program: "json-rpc-2.0",
    server: ["--dialect=jsonrpc"],
    like: "callback",
    lacks: {},
  },
];

/** A program, not a library: it connects an editor with Codex, and is measured as a process. */
export const ADAPTER = {
  name: "@agentclientprotocol/codex-acp",
  package: "@agentclientprotocol/codex-acp",
  version: "2.6.0",
} as const;

/** Names and versions of all packages that are compared. */
export function peerVersions(): (readonly [name: string, version: string])[] {
  const pairs = [...PEERS, ADAPTER].map((each) => [each.package, each.version] as const);
  return [...new Map(pairs)];
}
