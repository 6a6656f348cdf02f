/**
 * The paths of the most frequent operations, file by file, for ARCHITECTURE.md. Small helpers are left out.
 */

export interface Walk {
  readonly title: string;
  /** The folder of the package in `packages/`. */
  readonly package: "codexwright" | "orchestrator";
  readonly steps: readonly Step[];
  /** Additional information for the reader. */
  readonly note: string;
}

/** A file of the package's `src`. */
export interface Step {
  readonly file: string;
  /** The role of the file, as the rest of a sentence about it. */
  readonly does: string;
  /** The previous file only calls this one, and continues when the call returns. */
  readonly asked?: true;
}

const STDOUT: Step = { file: "transports/process.ts", does: "reads bytes from the server's stdout" };
const LINES: Step = { file: "rpc/lines.ts", does: "splits them into lines" };

export const WALKS: readonly Walk[] = [
  {
    title: "A delta, from the pipe to `for await`",
    package: "codexwright",
    steps: [
      STDOUT,
      LINES,
      { file: "rpc/connection.ts", does: "receives each line" },
      {
        file: "client/connection/quick-lines.ts",
        does: "finds the delta in the line without parsing it",
        asked: true,
      },
      { file: "client/connection/core.ts", does: "calls the listeners of the method" },
      { file: "client/internals.ts", does: "reads the thread id of the event" },
      { file: "client/thread/thread-table.ts", does: "returns the route of the thread", asked: true },
      { file: "client/thread/thread-route.ts", does: "delivers the event to its thread" },
      { file: "client/state/fold.ts", does: "adds the text to the state of the thread", asked: true },
      { file: "client/turn/turn.ts", does: "accepts the event if it belongs to this turn" },
      { file: "client/turn/turn-clock.ts", does: "records that the turn is alive", asked: true },
      { file: "client/turn/live-event.ts", does: "creates the event for users", asked: true },
      {
        file: "rpc/queue.ts",
        does: "queues it until `for await` reads it, and joins deltas if the reader is slow",
      },
    ],
    note: "Up to the queue, no promise is created and no timer is touched.",
  },
  {
    title: "An approval",
    package: "codexwright",
    steps: [
      STDOUT,
      LINES,
      { file: "rpc/connection.ts", does: "parses the line, and handles the request outside the read loop" },
      {
        file: "client/connection/quick-lines.ts",
        does: "finds that the line is not a delta",
        asked: true,
      },
      { file: "rpc/message.ts", does: "sees that the message is a request", asked: true },
      {
        file: "rpc/incoming-request.ts",
        does: "represents the request until it is answered or withdrawn",
        asked: true,
      },
      {
        file: "client/connection/core.ts",
        does: "looks for a registered handler of the method, and finds none",
      },
      { file: "client/internals.ts", does: "handles the request for the client" },
      {
        file: "client/thread/thread-route.ts",
        does: "shows the open request in the state, and pauses the clock of the turn",
        asked: true,
      },
      {
        file: "client/requests/server-request-handler.ts",
        does: "loads the answering code on the first request",
      },
      { file: "client/requests/server-request-answers.ts", does: "calls `onApproval`, or uses the default" },
      {
        file: "client/requests/approvals.ts",
        does: "creates the request object for the handler",
        asked: true,
      },
      { file: "client/requests/decisions.ts", does: "checks the handler's decision", asked: true },
      { file: "rpc/outbox.ts", does: "sends the answer, which the connection has serialized as a line" },
    ],
    note: "The decision returns to the connection through the same calls.",
  },
  {
    title: "A tool call of an agent",
    package: "codexwright",
    steps: [
      { file: "rpc/connection.ts", does: "receives `item/tool/call`, like an approval" },
      { file: "client/connection/core.ts", does: "finds the handler that the agent registered" },
      { file: "client/internals.ts", does: "records the open request on its thread", asked: true },
      { file: "agent/run/request-router.ts", does: "is that handler, and finds the run of the thread" },
      {
        file: "agent/run/activity.ts",
        does: "records the call, so that the error of a missed deadline can name it",
      },
      { file: "agent/run/answers.ts", does: "handles the call for the run" },
      {
        file: "tools/call-memory.ts",
        does: "returns the recorded reply if the call is repeated",
        asked: true,
      },
      { file: "agent/run/recorder.ts", does: "records an event when the call has ended", asked: true },
      { file: "agent/tools/tool-runner.ts", does: "parses the arguments and finds the tool" },
      {
        file: "agent/tools/isolated-call.ts",
        does: "runs the tool as a transaction: it commits or rolls back",
      },
      { file: "agent/tools/part.ts", does: "buffers the changes of the call until it commits", asked: true },
      { file: "tools/call-limit.ts", does: "ends a call that takes too long", asked: true },
      { file: "agent/tools/arguments.ts", does: "validates the arguments", asked: true },
      { file: "agent/tools/call-rules.ts", does: "checks limits and policies", asked: true },
      { file: "tools/tool-result.ts", does: "creates the reply from the tool's result", asked: true },
    ],
    note: "The call passes from the client to the agent once, and the reply returns through the same calls. Inside the transaction, `isolated-call.ts` calls back into `tool-runner.ts` to run the tool.",
  },
  {
    title: "An issue of a fleet, from the tick to the outcome",
    package: "orchestrator",
    steps: [
      { file: "tick/ticker.ts", does: "ticks at once, at each interval, and when asked" },
      { file: "tick/tick.ts", does: "does the steps of a tick in their order" },
      { file: "tick/reconcile.ts", does: "compares the claims with the tracker", asked: true },
      { file: "tick/dispatch.ts", does: "asks the tracker for candidates" },
      { file: "policy/plan.ts", does: "orders them and applies the rules", asked: true },
      { file: "jobs/store/admission.ts", does: "inserts claim and job if a slot is free" },
      { file: "worker/worker.ts", does: "pulls the job" },
      { file: "worker/run.ts", does: "holds the lease, and asks the tracker for the issue again" },
      { file: "runner/run-issue.ts", does: "does the run, from the workspace to the outcome" },
      { file: "workspace/workspace.ts", does: "makes or opens the folder, and runs the hooks", asked: true },
      { file: "workflow/template.ts", does: "renders the prompt", asked: true },
      {
        file: "runner/conversation.ts",
        does: "starts the app-server, runs turns, and looks at the tracker after each",
      },
      { file: "runner/follow.ts", does: "reports the events of the agent", asked: true },
      { file: "runner/questions.ts", does: "ends the run if the agent asks", asked: true },
      { file: "runner/outcome.ts", does: "names a failure by its typed error" },
      { file: "worker/settle.ts", does: "settles the outcome, or keeps it on disk" },
      { file: "jobs/store/running.ts", does: "stores totals, claim and next job in one transaction" },
      { file: "policy/decide.ts", does: "decides on the next state of the claim", asked: true },
    ],
    note: "`worker/` calls the runner through an interface, `runner/port.ts`. The tick and the worker meet only in the job store.",
  },
];

/** The length of a walk. */
export interface Distance {
  readonly files: number;
  /** How often control passes to another layer. */
  readonly crossings: number;
  /** How often a file calls a file of another layer and continues when the call returns. */
  readonly questions: number;
}

export function distanceOf({ steps }: Walk): Distance {
  let [crossings, questions] = [0, 0];
  let at = steps[0];
  for (const step of steps.slice(1)) {
    const isOther = layerOf(step) !== layerOf(at);
    if (step.asked) questions += Number(isOther);
    else {
      crossings += Number(isOther);
      at = step;
    }
  }
  return { files: steps.length, crossings, questions };
}

function layerOf(step: Step | undefined): string | undefined {
  return step?.file.split("/")[0];
}
