/** Paths of the things that happen most, file by file, for ARCHITECTURE.md. Small helpers are left out. */

export interface Walk {
  readonly title: string;
  readonly steps: readonly Step[];
  /** What a reader should know beside the list. */
  readonly note: string;
}

/** A file of packages/codexwright/src. */
export interface Step {
  readonly file: string;
  /** What it does, as the rest of a sentence about the file. */
  readonly does: string;
  /** The file that passes the thing on asks this one, and goes on when it returns. */
  readonly asked?: true;
}

const STDOUT: Step = { file: "transports/process.ts", does: "reads bytes from the server's stdout" };
const LINES: Step = { file: "rpc/lines.ts", does: "cuts them into lines" };

export const WALKS: readonly Walk[] = [
  {
    title: "A delta, from the pipe to `for await`",
    steps: [
      STDOUT,
      LINES,
      { file: "rpc/connection.ts", does: "takes each line" },
      {
        file: "client/connection/quick-lines.ts",
        does: "finds the delta in the line without parsing it",
        asked: true,
      },
      { file: "client/connection/core.ts", does: "calls the listeners of the method" },
      { file: "client/internals.ts", does: "looks for the thread that the event names" },
      { file: "client/thread/thread-table.ts", does: "has the route of each thread", asked: true },
      { file: "client/thread/thread-route.ts", does: "delivers the event to its thread" },
      { file: "client/state/fold.ts", does: "adds the text to the state of the thread", asked: true },
      { file: "client/turn/turn.ts", does: "takes the event if it belongs to this turn" },
      { file: "client/turn/turn-clock.ts", does: "notes that the turn is alive", asked: true },
      { file: "client/turn/live-event.ts", does: "makes the event that users get", asked: true },
      { file: "rpc/queue.ts", does: "keeps it until `for await` takes it, and joins deltas if that is slow" },
    ],
    note: "Up to the queue, no promise is made and no timer is touched.",
  },
  {
    title: "An approval",
    steps: [
      STDOUT,
      LINES,
      { file: "rpc/connection.ts", does: "parses the line, and leaves the read loop before it answers" },
      {
        file: "client/connection/quick-lines.ts",
        does: "sees that the line is not a delta",
        asked: true,
      },
      { file: "rpc/message.ts", does: "sees that the message is a request", asked: true },
      {
        file: "rpc/incoming-request.ts",
        does: "is the request until it is answered or withdrawn",
        asked: true,
      },
      { file: "client/connection/core.ts", does: "finds no handler that is registered for the method" },
      { file: "client/internals.ts", does: "answers for the client" },
      {
        file: "client/thread/thread-route.ts",
        does: "shows the open request in the state, and stops the clock of the turn",
        asked: true,
      },
      { file: "client/requests/server-request-handler.ts", does: "loads the answers with the first request" },
      { file: "client/requests/server-request-answers.ts", does: "calls `onApproval`, or takes the default" },
      { file: "client/requests/approvals.ts", does: "makes the request that the handler gets", asked: true },
      { file: "client/requests/decisions.ts", does: "checks the decision of the handler", asked: true },
      { file: "rpc/outbox.ts", does: "sends the answer, which the connection has written as a line" },
    ],
    note: "The decision returns by the same calls to the connection.",
  },
  {
    title: "A tool call of an agent",
    steps: [
      { file: "rpc/connection.ts", does: "takes `item/tool/call`, as it takes an approval" },
      { file: "client/connection/core.ts", does: "finds the handler that the agent registered" },
      { file: "client/internals.ts", does: "notes the open request on its thread", asked: true },
      { file: "agent/run/request-router.ts", does: "is that handler, and finds the run by the thread" },
      { file: "agent/run/activity.ts", does: "notes the call, for the error of a deadline" },
      { file: "agent/run/answers.ts", does: "answers for the run" },
      { file: "tools/call-memory.ts", does: "has the reply of a call that is repeated", asked: true },
      { file: "agent/run/recorder.ts", does: "records the event of the call when it has ended", asked: true },
      { file: "agent/tools/tool-runner.ts", does: "parses the arguments and finds the tool" },
      {
        file: "agent/tools/isolated-call.ts",
        does: "runs the tool as a transaction: it commits or rolls back",
      },
      { file: "agent/tools/part.ts", does: "holds what the call changes until then", asked: true },
      { file: "tools/call-limit.ts", does: "ends a call that takes too long", asked: true },
      { file: "agent/tools/arguments.ts", does: "validates the arguments", asked: true },
      { file: "agent/tools/call-rules.ts", does: "asks limits and policies", asked: true },
      { file: "tools/tool-result.ts", does: "makes the reply of what the tool returned", asked: true },
    ],
    note: "The call goes from the client to the agent once, and the reply returns by the same calls. There is one double-back: the transaction calls the runner for the work inside it.",
  },
];

/** How far a walk goes. */
export interface Distance {
  readonly files: number;
  /** How often it is passed on to another layer. */
  readonly crossings: number;
  /** How often a file asks one of another layer. */
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
