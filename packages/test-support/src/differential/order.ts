import type { Transcript } from "codexwright/recording";

type TranscriptMessage = Transcript[number];

/** Messages that a turn sends in a fixed order, unless several of its tools run at the same time. */
const OF_A_TURN =
  /^(turn\/|error$|item\/(started|completed|agentMessage\/|reasoning\/|plan\/|tool\/|commandExecution\/request|fileChange\/request|permissions\/request)|thread\/(tokenUsage\/updated|status\/changed|readState\/changed|compacted)|account\/rateLimits\/updated|serverRequest\/resolved|mcpServer\/elicitation)/;

/** A response of the model has ended here, or its turn has. All tools of the response have ended too, or run in the background. */
const JOINS = /^(turn\/started|turn\/completed|thread\/tokenUsage\/updated|error)$/;

/** Items that tools make. They can run side by side; all other items come one after the other. */
const TOOLS = new Set(["commandExecution", "fileChange", "mcpToolCall", "dynamicToolCall", "imageView"]);

/** Steps of asking the user, which belong to the tool that asks. */
const ASKING = /request|resolved|elicitation|tool\/call|thread\/status\/changed/i;

interface Step {
  readonly label: string;
  readonly join: boolean;
  /** The item of a tool that the step belongs to, or "" if the step is about asking the user. */
  readonly tool: string | undefined;
}

/**
 * Returns one message for each step of each thread's turns, in order. `compareTranscripts` compares the order of
 * messages about one item; with these messages it also compares the order among items, usage and status.
 *
 * Between two ends of model responses, the steps of a single tool are in order. If several tools ran, their steps are
 * sorted, because the protocol does not order them.
 */
export function orderOf(transcript: Transcript): TranscriptMessage[] {
  const lanes = new Map<string, { connection: number; thread: string; steps: Step[] }>();
  const kinds = new Map<string, string>();
  let last = "";
  for (const message of transcript) {
    const { connection, direction, kind, method } = message;
    if (direction !== "in" || kind === "response" || method === undefined || !OF_A_TURN.test(method))
      continue;
    const params = (message.params ?? {}) as Params;
    const thread = params.threadId ?? last;
    if (method === "thread/tokenUsage/updated") last = thread;
    const key = `${connection} ${thread}`;
    const lane = lanes.get(key) ?? { connection, thread, steps: [] };
    lanes.set(key, lane);
    lane.steps.push(stepOf(method, params, kinds));
  }
  return [...lanes.values()].flatMap(({ connection, thread, steps }) =>
    segmented(steps).map((step): TranscriptMessage => ({
      connection,
      direction: "out",
      kind: "notification",
      method: `(order of ${thread})`,
      params: { step },
    })),
  );
}

interface Params {
  readonly threadId?: string;
  readonly itemId?: string;
  readonly item?: { readonly id: string; readonly type: string };
  readonly status?: { readonly type: string; readonly activeFlags?: readonly string[] };
  readonly turn?: { readonly status: string };
}

function stepOf(method: string, params: Params, kinds: Map<string, string>): Step {
  const { item, status, turn } = params;
  const id = item?.id ?? params.itemId;
  if (item) kinds.set(item.id, item.type);
  const kind = id === undefined ? undefined : kinds.get(id);
  const about = [id, kind, status?.type, status?.activeFlags?.join("+"), turn?.status].filter(Boolean);
  const ofTool = kind !== undefined && TOOLS.has(kind);
  const tool = ofTool ? id : ASKING.test(method) && status?.type !== "idle" ? "" : undefined;
  return { label: [method, ...about].join(" "), join: JOINS.test(method), tool };
}

function segmented(steps: readonly Step[]): string[] {
  const out: string[] = [];
  let segment: Step[] = [];
  const flush = (): void => {
    const tools = new Set(segment.flatMap(({ tool }) => (tool ? [tool] : [])));
    const concurrent = tools.size > 1 || followsTool(segment);
    const [free, fixed] = [
      segment.filter(({ tool }) => tool !== undefined),
      segment.filter(({ tool }) => tool === undefined),
    ];
    const ordered = concurrent
      ? [...fixed.map(({ label }) => label), ...free.map(({ label }) => label).toSorted()]
      : segment.map(({ label }) => label);
    out.push(...ordered);
    segment = [];
  };
  for (const step of steps) {
    if (step.join) flush();
    if (step.join) out.push(step.label);
    else segment.push(step);
  }
  flush();
  return out;
}

/** Whether the model said something else after it called a tool, so that both happened at the same time. */
function followsTool(segment: readonly Step[]): boolean {
  const first = segment.findIndex(({ tool }) => tool !== undefined && tool !== "");
  return (
    first !== -1 &&
    segment.slice(first).some(({ tool, label }) => tool === undefined && label.startsWith("item/"))
  );
}
