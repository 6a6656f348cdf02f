/**
 * The server of every measure. It runs in its own process, so that its CPU is not counted as the client's.
 *
 *     server.js stream <load>                  the deltas of a load, when all its turns have started
 *     server.js line <shape> <bytes>           one turn with one item of that size
 *     server.js ask <approval|tool> <count>    one question after the other, then how long the answers took
 *
 * `--dialect` selects the protocol, `--headers` frames messages as language servers do, and `--pause` waits between the
 * start of a turn and its first event. The environment variable BENCH_LISTEN is `stdio` (default), `unix` or `ws`.
 */
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { loadOf, threadsOf } from "./lib/load.ts";
import { valueOf, type Shape } from "./lib/shapes.ts";
import { serveSockets, serveStdio, type Channel } from "./server/channels.ts";
import { DIALECTS, isJsonRpc, type Question } from "./server/dialects.ts";
import { writesOf } from "./server/stream.ts";

/**
 * The pause before the first event, for clients that lose events that arrive together with the answer to `turn/start`.
 */
const PAUSE_MS = 100;

interface Message {
  readonly id?: number | string;
  readonly method?: string;
}

const { values, positionals } = parseArgs({
  options: {
    dialect: { type: "string", default: "codex" },
    headers: { type: "boolean", default: false },
    pause: { type: "boolean", default: false },
  },
  allowPositionals: true,
  strict: false,
});
const [mode = "", what = "", size = ""] = positionals;
const dialect = DIALECTS[String(values.dialect)];
if (!dialect) throw new Error(`there is no dialect "${String(values.dialect)}"`);
const asked = mode === "stream" ? loadOf(what) : loadOf("1");
// `codex exec` runs one process per turn.
const load = values.dialect === "exec" ? { ...asked, threads: 1 } : asked;
const threads = threadsOf(load);
const first = threads[0] ?? { threadId: "", turnId: "", itemId: "" };
const seen = new Map<string, number>();
const answers = new Map<number | string, () => void>();
let started: (number | string)[] = [];
let figures: object | undefined;
let writes: Buffer[] | undefined;
/** Writes happen in the order in which they were requested. */
let queue: Promise<void> = Promise.resolve();

const listen = process.env["BENCH_LISTEN"] ?? "stdio";
if (values.dialect === "exec") {
  const channel = serveStdio("lines", () => {});
  process.stdin.removeAllListeners("end");
  for (const bytes of prepared(channel)) await channel.write(bytes);
} else if (listen === "stdio") {
  const channel = serveStdio(values.headers ? "headers" : "lines", take);
  writes = prepared(channel);
} else {
  serveSockets(listen as "unix" | "ws", take);
}

function take(text: string, channel: Channel): void {
  const { id, method } = JSON.parse(text) as Message;
  if (id === undefined) return;
  if (method === undefined) return answers.get(id)?.();
  queue = queue.then(() => answer(id, method, channel));
}

async function answer(id: number | string, method: string, channel: Channel): Promise<void> {
  writes ??= prepared(channel);
  const nth = seen.get(method) ?? 0;
  seen.set(method, nth + 1);
  const isStart = method === dialect?.start;
  if (!isStart || dialect?.answers === "first") await reply(id, method, nth, channel);
  if (!isStart) return;
  started.push(id);
  if (started.length < threads.length) return;
  if (values.pause) await setTimeout(PAUSE_MS);
  if (mode === "ask") await ask(what as Question, Number(size), channel);
  for (const bytes of writes) await channel.write(bytes);
  if (dialect?.answers === "last") {
    for (const [place, waiting] of started.entries()) await reply(waiting, method, place, channel);
  }
  started = [];
}

async function reply(id: number | string, method: string, nth: number, channel: Channel): Promise<void> {
  const result = { ...(dialect?.result(method, threads, nth) as object), ...(figures && { _meta: figures }) };
  await channel.write(channel.frame(JSON.stringify(enveloped({ id, result }))));
}

function enveloped(message: object): object {
  return dialect && isJsonRpc(dialect) ? { jsonrpc: "2.0", ...message } : message;
}

/** Asks one question at a time, and measures from the question to its answer. */
async function ask(kind: Question, count: number, channel: Channel): Promise<void> {
  if (!dialect?.question?.(kind, first))
    throw new Error(`${String(values.dialect)} has no question of kind ${kind}`);
  for (const message of dialect?.before(first) ?? []) {
    await channel.write(channel.frame(JSON.stringify(enveloped(message))));
  }
  const tookUs: number[] = [];
  for (let n = 0; n < count; n++) {
    // A new question each time: a call runs only once, so each must have a different id.
    const question = { id: n, ...dialect.question(kind, first) };
    const bytes = channel.frame(JSON.stringify(enveloped(question)));
    const since = performance.now();
    await new Promise<void>((resolve) => {
      answers.set(n, resolve);
      void channel.write(bytes);
    });
    tookUs.push((performance.now() - since) * 1_000);
    answers.delete(n);
  }
  // The client's first answers pay for code that has never run.
  const warm = tookUs.slice(Math.floor(count / 10)).toSorted((a, b) => a - b);
  const at = (share: number): number => warm[Math.floor(warm.length * share)] ?? Number.NaN;
  figures = { p50Us: at(0.5), p99Us: at(0.99) };
  // Clients that only show text receive the figures as text.
  const told = dialect?.delta(first, JSON.stringify(figures)) ?? {};
  await channel.write(channel.frame(JSON.stringify(enveloped(told))));
}

/** The stream, which starts when all turns have started. */
function prepared(channel: Channel): Buffer[] {
  if (!dialect) return [];
  if (mode === "stream") return writesOf(load, dialect, channel);
  const ends = dialect.after(first, "");
  const messages = mode === "line" ? [...dialect.before(first), longItem(), ...ends.slice(-1)] : ends;
  return messages.map((each) => channel.frame(JSON.stringify(enveloped(each))));
}

function longItem(): object {
  const { threadId, turnId, itemId } = first;
  const item = { type: "mcpToolCall", id: itemId, result: valueOf(what as Shape, Number(size)) };
  return { method: "item/completed", params: { threadId, turnId, item } };
}
