/** A request whose answer differs from that of 0.166.0, with the reason. */
interface Difference {
  /** The method and its params as JSON. */
  readonly request: string;
  readonly why: string;
}

const NUMBERS =
  "The server reads tools from its own JSON value type, whose parser describes numbers differently. Ours describes them like everywhere else.";

/** All differences among the thousands of compared params. Both servers reject each of them with -32600. */
export const DIFFERENCES: readonly Difference[] = [
  { request: 'thread/start {"dynamicTools":[5]}', why: NUMBERS },
  { request: 'thread/start {"dynamicTools":[-1]}', why: NUMBERS },
  { request: 'thread/start {"dynamicTools":[1.5]}', why: NUMBERS },
  { request: 'thread/start {"dynamicTools":[1000000000000]}', why: NUMBERS },
  { request: 'thread/start {"dynamicTools":[[5]]}', why: NUMBERS },
  { request: 'thread/start {"dynamicTools":[{"type":0}]}', why: NUMBERS },
  { request: 'thread/start {"dynamicTools":[{"type":99}]}', why: NUMBERS },
  {
    request: 'thread/resume {"threadId":"t","history":[[5]]}',
    why: "An item of the model, written as a list that is too short. No schema states which of its fields have defaults.",
  },
];

/** Named methods: params with a missing field, with a field of the wrong type, and with an unknown variant. */
export const NAMED: readonly (readonly [method: string, missing: object, wrong: object, unknown: object])[] =
  [
    ["account/bedrock/setup", { type: "profile" }, { type: "profile", profile: 5 }, { type: "bogus" }],
    ["account/login/start", { type: "apiKey" }, { type: "apiKey", apiKey: 5 }, { type: "bogus" }],
    ["account/sendAddCreditsNudgeEmail", {}, { creditType: 5 }, { creditType: "bogus" }],
    ["command/exec", {}, { command: "ls" }, { command: ["ls"], sandboxPolicy: { type: "bogus" } }],
    ["config/batchWrite", {}, { edits: 5 }, { edits: [{ keyPath: "a", value: 1, mergeStrategy: "bogus" }] }],
    [
      "config/value/write",
      { keyPath: "a", value: 1 },
      { keyPath: 5 },
      { keyPath: "a", value: 1, mergeStrategy: "bogus" },
    ],
    [
      "externalAgentConfig/import",
      {},
      { migrationItems: 5 },
      { migrationItems: [{ itemType: "bogus", description: "d" }] },
    ],
    ["mcpServer/oauth/login", {}, { name: true }, { name: "m", clientRegistration: "bogus" }],
    [
      "plugin/share/updateTargets",
      { remotePluginId: "p" },
      { remotePluginId: [] },
      { remotePluginId: "p", discoverability: "bogus", shareTargets: [] },
    ],
    ["remoteControl/client/list", {}, { environmentId: 5 }, { environmentId: "e", order: "bogus" }],
    [
      "review/start",
      { threadId: "t" },
      { threadId: "t", target: 5 },
      { threadId: "t", target: { type: "custom", instructions: "i" }, delivery: "detached" },
    ],
    ["thread/fork", {}, { threadId: "t", ephemeral: "yes" }, { threadId: "t", approvalPolicy: "always" }],
    ["thread/goal/set", {}, { threadId: "t", objective: 5 }, { threadId: "t", status: "bogus" }],
    ["thread/items/list", {}, { threadId: "t", limit: [] }, { threadId: "t", sortDirection: "up" }],
    [
      "thread/memoryMode/set",
      { threadId: "t" },
      { threadId: "t", mode: 5 },
      { threadId: "t", mode: "bogus" },
    ],
    [
      "thread/queue/add",
      { threadId: "t", input: [] },
      { threadId: "t", input: "hello" },
      { threadId: "t", input: [{ type: "bogus" }], clientUserMessageId: "c" },
    ],
    [
      "thread/readState/update",
      { threadId: "t" },
      { threadId: "t", operation: "read" },
      { threadId: "t", operation: { type: "bogus" }, expectedRevision: "r" },
    ],
    ["thread/resume", {}, { threadId: 5 }, { threadId: "t", sandbox: "workspaceWrite" }],
    ["thread/search", { limit: 1 }, { searchTerm: 5 }, { searchTerm: "s", sortKey: "bogus" }],
    [
      "thread/settings/update",
      {},
      { threadId: "t", model: 5 },
      { threadId: "t", sandboxPolicy: { type: "no" } },
    ],
    ["thread/start", { approvalPolicy: { granular: {} } }, { model: 5 }, { approvalPolicy: "unlessTrusted" }],
    ["thread/turns/list", {}, { threadId: "t", limit: "10" }, { threadId: "t", itemsView: "bogus" }],
    [
      "turn/start",
      { threadId: "t", input: [{ type: "text" }] },
      { threadId: "t", input: {} },
      { threadId: "t", input: [{ type: "bogus" }] },
    ],
    [
      "turn/steer",
      { threadId: "t", input: [] },
      { threadId: null },
      { threadId: "t", input: [{ type: "bogus" }], expectedTurnId: "u" },
    ],
    ["windowsSandbox/setupStart", {}, { mode: 5 }, { mode: "bogus" }],
  ];
