import type {
  CodexClient,
  CodexClientOptions,
  CompletedReview,
  CompletedTurn,
  ExecCommandResult,
  JsonRpcError,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  ModelListResult,
  ReviewResult,
  ReviewTarget,
  SandboxPolicy,
  StartReviewParams,
  StartThreadParams,
  StartTurnParams,
  SteerTurnParams,
  Thread,
  ThreadItem,
  ThreadListResult,
  Turn,
  TurnError,
  TurnInput,
} from "codexwright";

// A program for the client of docs/spec/spec-002.md. It is compiled with the document's own declarations and with
// `codexwright`, and it is run on a real server.

/** The document's options with its default values. `model` is omitted, so the server chooses it. */
export const options = (cwd: string): CodexClientOptions => ({
  clientName: "openclaw",
  clientVersion: "0.1.0",
  cwd,
  approvalPolicy: "never",
  sandbox: "workspaceWrite",
  experimentalApi: true,
});

export interface Used {
  readonly threads: readonly string[];
  readonly agentMessage: string;
  readonly items: readonly string[];
  readonly statuses: readonly string[];
  readonly reviewText: string;
  readonly models: number;
  readonly output: string;
  readonly events: readonly string[];
}

/** Every review target in the document. */
export const TARGETS: readonly ReviewTarget[] = [
  { type: "uncommittedChanges" },
  { type: "baseBranch" },
  { type: "commit", sha: "1234567", title: "Polish" },
  { type: "custom" },
];

export const MESSAGES: readonly JsonRpcMessage[] = [
  { method: "initialize", id: 0, params: {} } satisfies JsonRpcRequest,
  { id: 0, result: {} } satisfies JsonRpcResponse,
  { id: 1, error: { code: -32600, message: "no" } satisfies JsonRpcError } satisfies JsonRpcResponse,
  { method: "initialized" } satisfies JsonRpcNotification,
];

/** The text that a reader of the document would print for an item. */
function textOf(item: ThreadItem): string {
  if (item.type === "agentMessage") return ["agentMessage", item.text].join(" ");
  if (item.type === "commandExecution") return `commandExecution ${String(item.exitCode)}`;
  return item.type;
}

function errorOf(turn: Turn): string | undefined {
  const error: TurnError | null | undefined = turn.error;
  return error?.message;
}

/** Calls every method of the document's class on a connected client. */
export async function useEverything(client: CodexClient, cwd: string): Promise<Used> {
  const events: string[] = [];
  const started = (turn: Turn): void => void events.push(`started ${turn.status} ${turn.items.length}`);
  client.addListener("turn:started", started);
  client.once("thread:started", (thread: Thread) => void events.push(`thread ${typeof thread.id}`));

  const threadParams: StartThreadParams = { cwd, approvalPolicy: "never", sandbox: "workspaceWrite" };
  const thread: Thread = await client.startThread(threadParams);
  const input: TurnInput[] = [{ type: "text", text: "echo hello world" }];
  const sandboxPolicy: SandboxPolicy = { type: "workspaceWrite", writableRoots: [cwd], networkAccess: false };
  const params: StartTurnParams = { threadId: thread.id, input, cwd, effort: "low", approvalPolicy: "never" };
  const done: CompletedTurn = await client.runTurn({ ...params, sandboxPolicy });
  const items: ThreadItem[] = done.items;
  const diff: string | undefined = done.diff;
  events.push(`diff ${typeof diff}`);
  client.removeListener("turn:started", started);

  const ended = new Promise<Turn>((resolve) => client.once("turn:completed", (turn: Turn) => resolve(turn)));
  const turn: Turn = await client.startTurn({ threadId: thread.id, input: [{ type: "text", text: "wait" }] });
  const statuses: string[] = [turn.status, String(Array.isArray(turn.items)), String(errorOf(turn))];
  const more: SteerTurnParams = { threadId: thread.id, input, expectedTurnId: turn.id };
  const turnId: string = await client.steerTurn(more);
  statuses.push(String(turnId === turn.id));
  await client.interruptTurn(thread.id, turn.id);
  statuses.push((await ended).status);

  const review: StartReviewParams = {
    threadId: thread.id,
    delivery: "inline",
    target: { type: "baseBranch" },
  };
  const { turn: reviewTurn, reviewText }: CompletedReview = await client.runReview(review);
  statuses.push(reviewTurn.status);
  const reviewEnds = new Promise<Turn>((resolve) =>
    client.once("turn:completed", (each: Turn) => resolve(each)),
  );
  const another: ReviewResult = await client.startReview({
    ...review,
    target: { type: "uncommittedChanges" },
  });
  statuses.push(String(another.turn.id === (await reviewEnds).id));

  const read = await client.readThread(thread.id, true);
  const resumed: Thread = await client.resumeThread(thread.id, { personality: "pragmatic" });
  const forked: Thread = await client.forkThread(thread.id);
  const list: ThreadListResult = await client.listThreads({ limit: 5 });
  const cursor: string | null | undefined = list.nextCursor;
  const compacted = new Promise<Turn>((resolve) =>
    client.once("turn:completed", (each: Turn) => resolve(each)),
  );
  await client.compactThread(thread.id);
  statuses.push((await compacted).status);
  await client.archiveThread(forked.id);
  const models: ModelListResult = await client.listModels({ limit: 100 });
  const command: ExecCommandResult = await client.execCommand({ command: ["echo", "hi"] });

  events.push(`left ${client.eventNames().join()} ${client.listenerCount("turn:started")}`);
  client.on("error", () => {}).off("item:completed", started as () => void);
  events.push(`left ${client.eventNames().join()} ${client.removeAllListeners().listenerCount("error")}`);
  return {
    threads: [
      read.id === thread.id,
      resumed.id === thread.id,
      forked.id === thread.id,
      cursor === undefined,
    ].map(String),
    agentMessage: done.agentMessage,
    items: items.map(textOf),
    statuses,
    reviewText,
    models: models.data.filter(({ id, model, displayName }) => id && model && displayName).length,
    output: command.stdout + command.stderr + String(command.exitCode),
    events,
  };
}
