import type { WireMessage } from "../../rpc/message.ts";

interface Ids {
  readonly threadId: string;
  readonly turnId: string;
  readonly itemId: string;
}

/** The start of a line, up to the delta's text. All deltas of one item have the same head. */
interface Head extends Ids {
  readonly text: string;
  /** The key for the first lookup. */
  readonly part: string;
  readonly method: string;
}

/** Which messages the client needs. */
export interface Interest {
  /** Whether notifications of this method have a listener. */
  listens(method: string): boolean;
  /** Whether the client follows this thread. */
  follows(threadId: string): boolean;
  /** Whether the client follows any thread. */
  followsAny(): boolean;
}

/**
 * Longer lines are parsed with `JSON.parse`, because the pattern needs stack for each escape, and because the heads of
 * lines are kept in memory.
 */
const LONGEST = 4_096;

/**
 * How many heads are kept. If more items stream at the same time, lines are parsed again to find their heads. That is
 * slower but correct.
 */
const HEADS = 1_024;

/**
 * The range of characters of a head that is looked up first. With ids of the usual length it contains the end of the
 * thread id. Comparing it takes a fraction of the time of comparing the whole head.
 */
const PART = { from: 78, to: 94 };

// Each character can match in only one way. So a line that almost matches takes no longer to check than a line that
// matches.
const TEXT = String.raw`[^"\\\u0000-\u001f]*`;
const ESCAPE = String.raw`\\(?:["\\/bfnrt]|u[\da-fA-F]{4})`;
const COUNT = String.raw`0|[1-9]\d{0,14}`;
const HEAD = new RegExp(
  String.raw`\{"method":"[\w/]+","params":\{"threadId":"${TEXT}","turnId":"${TEXT}","itemId":"${TEXT}","delta":"`,
  "y",
);
const TAIL = new RegExp(
  String.raw`(${TEXT}(?:${ESCAPE}${TEXT})*)"(?:,"(summaryIndex|contentIndex)":(${COUNT}))?\}(?:,"emittedAtMs":(${COUNT}))?\}$`,
  "y",
);
const BEFORE_CLOCK = '"},"emittedAtMs":';
const CLOCK = new RegExp(String.raw`^"\},"emittedAtMs":(?:${COUNT})\}$`);
const ODD = new RegExp(String.raw`[\\\u0000-\u001f]`);
/**
 * Methods that servers send often, and only as notifications. A request must never match, because it needs an answer
 * and its id can be anywhere in the line.
 */
const SAID = /^(?:codex\/event\/|item\/(?:started|completed)$)|[dD]elta$/;
const LEGACY = '{"method":"codex/event/';
const METHOD = /^\{"method":"([\w/]+)","params":/;

/**
 * Reads lines without `JSON.parse` if possible.
 *
 * A streamed text has one delta per piece. Reading a delta by pattern costs a fraction of parsing it. A line is read
 * this way only if it has exactly the shape that servers write, because such a line has only one meaning. Any other
 * line is left to `JSON.parse`. If no listener or thread needs a message, only its method is read.
 */
export class QuickLines {
  readonly #interest: Interest;
  readonly #heads = new Map<string, Head>();
  /** The last head by its `PART`. */
  readonly #byPart = new Map<string, Head>();
  #latest: Head | undefined;
  /**
   * The text that followed the last delta, and the timestamp in that text. Many deltas arrive in the same millisecond,
   * so both are reused.
   */
  #clock = { text: "", at: 0 };
  /** The method that was read last, and the start of its line. */
  #named = { text: "", method: "" };

  constructor(interest: Interest) {
    this.#interest = interest;
  }

  /**
   * Returns the message of a line, `null` if no listener or thread needs it, or `undefined` if the line must be parsed.
   */
  read(line: string): WireMessage | null | undefined {
    if (this.#isIdle(line)) return null;
    const head = line.length > LONGEST ? undefined : this.#headOf(line);
    if (!head) return undefined;
    if (!this.#interest.follows(head.threadId) && !this.#interest.listens(head.method)) return null;
    return this.#plainDelta(head, line) ?? anyDelta(head, line);
  }

  /** Whether a line can be skipped because of its method. */
  #isIdle(line: string): boolean {
    // Legacy `codex/event/*` duplicates have no thread id.
    if (this.#interest.followsAny() && !line.startsWith(LEGACY)) return false;
    const method = this.#methodOf(line);
    return method !== undefined && SAID.test(method) && !this.#interest.listens(method);
  }

  #methodOf(line: string): string | undefined {
    const { text, method } = this.#named;
    if (text !== "" && line.slice(0, text.length) === text) return method;
    const match = METHOD.exec(line);
    if (!match) return undefined;
    this.#named = { text: copy(match[0]), method: copy(match[1] ?? "") };
    return this.#named.method;
  }

  #headOf(line: string): Head | undefined {
    const part = line.slice(PART.from, PART.to);
    const likely = part === this.#latest?.part ? this.#latest : this.#byPart.get(part);
    // Not `startsWith`, which is slower: it compares character by character.
    if (likely && line.slice(0, likely.text.length) === likely.text) return (this.#latest = likely);
    HEAD.lastIndex = 0;
    if (!HEAD.test(line)) return undefined;
    const text = line.slice(0, HEAD.lastIndex);
    const head = this.#heads.get(text) ?? this.#keep(text);
    if (text.length >= PART.to) this.#byPart.set(head.part, head);
    return head;
  }

  /** Reads a delta without escapes that is followed only by the timestamp. Most deltas have this form. */
  #plainDelta({ text, method, threadId, turnId, itemId }: Head, line: string): WireMessage | undefined {
    const end = line.indexOf('"', text.length);
    if (end === -1) return undefined;
    const behind = line.slice(end);
    if (behind !== this.#clock.text && !this.#isClock(behind)) return undefined;
    const delta = line.slice(text.length, end);
    if (ODD.test(delta)) return undefined;
    return { method, params: { threadId, turnId, itemId, delta }, emittedAtMs: this.#clock.at };
  }

  #isClock(behind: string): boolean {
    if (!CLOCK.test(behind)) return false;
    this.#clock = { text: copy(behind), at: Number(behind.slice(BEFORE_CLOCK.length, -1)) };
    return true;
  }

  #keep(text: string): Head {
    // Copied through JSON: a substring would keep the whole chunk that it was read from in memory.
    const { method, params } = JSON.parse(`${text}"}}`) as { method: string; params: Ids };
    const { threadId, turnId, itemId } = params;
    const part = copy(text.slice(PART.from, PART.to));
    const head: Head = { text: copy(text), part, method, threadId, turnId, itemId };
    if (this.#heads.size === HEADS) {
      this.#heads.clear();
      this.#byPart.clear();
    }
    this.#heads.set(head.text, head);
    return head;
  }
}

function anyDelta({ text, method, threadId, turnId, itemId }: Head, line: string): WireMessage | undefined {
  TAIL.lastIndex = text.length;
  const tail = TAIL.exec(line);
  if (!tail) return undefined;
  // By index: destructuring takes as long as the match itself.
  const raw = tail[1] ?? "";
  const delta = raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
  const params = { threadId, turnId, itemId, delta };
  if (tail[2] !== undefined) Object.assign(params, { [tail[2]]: Number(tail[3]) });
  return tail[4] === undefined ? { method, params } : { method, params, emittedAtMs: Number(tail[4]) };
}

function copy(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
