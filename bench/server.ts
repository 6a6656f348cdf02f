/**
 * A server for one turn: `server.js deltas <count>` or `server.js line <shape> <bytes>`.
 *
 * Everything is built before the first request is answered, and then written as fast as the client reads, so
 * that a client under measure always finds the pipe full and never waits for us.
 */
import { deltaLine, deltaText, ITEM_ID, THREAD_ID, TURN_ID } from "./lib/deltas.ts";
import { valueOf, type Shape } from "./lib/shapes.ts";

interface Request {
  readonly id?: number;
  readonly method: string;
}

const [mode, what = "", size = ""] = process.argv.slice(2);
const stream = mode === "line" ? longLine() : deltas(Number(what));

const RESULTS: Readonly<Record<string, unknown>> = {
  initialize: {
    userAgent: "codexwright/0.166.0 (bench; none) none",
    codexHome: "(none)",
    platformFamily: "unix",
    platformOs: "linux",
  },
  "thread/start": { thread: { id: THREAD_ID }, approvalPolicy: "never" },
  "turn/start": { turn: { id: TURN_ID, items: [], status: "inProgress", error: null } },
};

let carry = "";
process.stdin.setEncoding("utf8").on("data", (text: string) => {
  const lines = (carry + text).split("\n");
  carry = lines.pop() ?? "";
  for (const line of lines) answer(JSON.parse(line) as Request);
});
process.stdin.on("end", () => process.exit(0));

function answer({ id, method }: Request): void {
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ id, result: RESULTS[method] ?? {} })}\n`);
  if (method === "turn/start") for (const part of stream) process.stdout.write(part);
}

function notification(method: string, params: object): string {
  const emittedAtMs = 1_760_000_000_000;
  return `${JSON.stringify({ method, params: { threadId: THREAD_ID, ...params }, emittedAtMs })}\n`;
}

/** The events of a turn around the given ones. */
function turn(middle: readonly Buffer[], item: object): Buffer[] {
  const running = { id: TURN_ID, items: [], status: "inProgress", error: null };
  return [
    Buffer.from(notification("turn/started", { turn: running })),
    Buffer.from(notification("item/started", { turnId: TURN_ID, item: { ...item, text: "" } })),
    ...middle,
    Buffer.from(notification("item/completed", { turnId: TURN_ID, item })),
    Buffer.from(notification("turn/completed", { turn: { ...running, status: "completed" } })),
  ];
}

function deltas(count: number): Buffer[] {
  const batches: Buffer[] = [];
  for (let from = 0; from < count; from += 1_000) {
    let batch = "";
    for (let n = from; n < Math.min(count, from + 1_000); n++) batch += deltaLine(n);
    batches.push(Buffer.from(batch));
  }
  // As the real server does, the finished item repeats the whole text.
  const text = Array.from({ length: count }, (_, n) => deltaText(n)).join("");
  return turn(batches, { type: "agentMessage", id: ITEM_ID, text, phase: "final_answer" });
}

function longLine(): Buffer[] {
  const value = valueOf(what as Shape, Number(size));
  return turn([], { type: "mcpToolCall", id: ITEM_ID, result: value });
}
