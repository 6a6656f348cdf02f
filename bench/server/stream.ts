import { deltaText, type Ids } from "../lib/deltas.ts";
import { messagesOf, threadsOf, type Load } from "../lib/load.ts";
import type { Channel } from "./channels.ts";
import { isJsonRpc, type Dialect } from "./dialects.ts";

/**
 * The whole stream as a list of writes: the threads alternate, with `batch` messages per write.
 *
 * Prepared before the first request, so that a measured client always finds a full pipe and never waits for
 * the server.
 */
export function writesOf(load: Load, dialect: Dialect, { frame }: Pick<Channel, "frame">): Buffer[] {
  const threads = threadsOf(load);
  const framed = (message: object): Buffer =>
    frame(JSON.stringify(isJsonRpc(dialect) ? { jsonrpc: "2.0", ...message } : message));
  const before = threads.flatMap((ids) => dialect.before(ids).map(framed));
  if (load.length > 0) {
    // The messages after the delta do not repeat the text, because exactly one message with a long text is measured.
    const after = threads.flatMap((ids) => dialect.after(ids, "").map(framed));
    return [...before, ...threads.map((ids) => framed(dialect.delta(ids, longText(load.length)))), ...after];
  }
  const text = Array.from({ length: load.count }, (_, n) => deltaText(n)).join("");
  const after = threads.flatMap((ids) => dialect.after(ids, text).map(framed));
  const around = threads.map((ids) => aroundText(ids, dialect, framed));
  return [...before, ...middle(load, around), ...after];
}

/**
 * The framed message of a delta, without its text. All texts are ASCII and equally long, so a million
 * messages need not be serialized one by one.
 */
function aroundText(ids: Ids, dialect: Dialect, framed: (message: object) => Buffer): [string, string] {
  const text = deltaText(0);
  const [head = "", tail = ""] = framed(dialect.delta(ids, text)).toString("latin1").split(text);
  return [head, tail];
}

function middle(load: Load, around: readonly (readonly [string, string])[]): Buffer[] {
  const writes: Buffer[] = [];
  let batch = "";
  const all = messagesOf(load);
  for (let at = 0; at < all; at++) {
    const [head, tail] = around[at % around.length] ?? ["", ""];
    batch += head + deltaText(Math.floor(at / around.length)) + tail;
    if ((at + 1) % load.batch !== 0 && at + 1 < all) continue;
    writes.push(Buffer.from(batch, "latin1"));
    batch = "";
  }
  return writes;
}

function longText(length: number): string {
  const words = "The quick brown fox jumps over the lazy dog. ";
  return words.repeat(Math.ceil(length / words.length)).slice(0, length);
}
