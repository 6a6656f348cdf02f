import type { WireMessage } from "../../rpc/message.ts";

interface Ids {
  readonly threadId: string;
  readonly turnId: string;
  readonly itemId: string;
}

/** What the lines of one item's deltas have in common: all up to the text. */
interface Head extends Ids {
  readonly text: string;
  /** What it is looked up by. */
  readonly part: string;
  readonly method: string;
}

/** Who is concerned. */
export interface Interest {
  /** Whether somebody listens to notifications of this name. */
  listens(method: string): boolean;
  /** Whether what is said of the thread concerns anybody. */
  follows(threadId: string): boolean;
  /** Whether any thread is followed. */
  followsAny(): boolean;
}

/** A longer delta is parsed like every other line: the pattern needs stack for each escape, and heads are kept. */
const LONGEST = 4_096;

/** Items that stream at once: with more, their heads are read again and again, which costs but does not fail. */
const HEADS = 1_024;

/**
 * The part of a head by which it is looked up first: it holds the end of the thread's id where ids are as long as a
 * server's are, and takes a fraction of the time that the whole would.
 */
const PART = { from: 78, to: 94 };

// There is one way only to match each character, so that a line that fits almost costs no more than one that does.
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
 * Names by which servers tell, in large numbers, and never ask: a request must be answered, wherever its id stands in
 * the line, and must not be taken for a notification.
 */
const SAID = /^(?:codex\/event\/|item\/(?:started|completed)$)|[dD]elta$/;
const LEGACY = '{"method":"codex/event/';
const METHOD = /^\{"method":"([\w/]+)","params":/;

/**
 * Reads lines without parsing them where that can be done.
 *
 * Deltas, of which there is one for each piece of a streamed text, are taken apart for a fraction of what parsing
 * costs: a line of exactly the shape that servers write them in can mean one thing only, and whatever differs in
 * any way is left to `JSON.parse`. Of what concerns nobody, only the name is read.
 */
export class QuickLines {
  readonly #interest: Interest;
  readonly #heads = new Map<string, Head>();
  /** The head that was seen last with such a part. */
  readonly #byPart = new Map<string, Head>();
  #latest: Head | undefined;
  /** What stood last behind a delta, and the time it tells: many come within a millisecond. */
  #clock = { text: "", at: 0 };
  /** The name that was read last, and how a line with it begins. */
  #named = { text: "", method: "" };

  constructor(interest: Interest) {
    this.#interest = interest;
  }

  /** The message of a line; `null` where nobody is concerned, `undefined` where the line must be parsed. */
  read(line: string): WireMessage | null | undefined {
    if (this.#isIdle(line)) return null;
    const head = line.length > LONGEST ? undefined : this.#headOf(line);
    if (!head) return undefined;
    if (!this.#interest.follows(head.threadId) && !this.#interest.listens(head.method)) return null;
    return this.#plainDelta(head, line) ?? anyDelta(head, line);
  }

  /** Whether a line can be left alone for its name. */
  #isIdle(line: string): boolean {
    // The second names that old servers have for what they say anyway are no thread's.
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
    // Not `startsWith`, which compares character by character.
    if (likely && line.slice(0, likely.text.length) === likely.text) return (this.#latest = likely);
    HEAD.lastIndex = 0;
    if (!HEAD.test(line)) return undefined;
    const text = line.slice(0, HEAD.lastIndex);
    const head = this.#heads.get(text) ?? this.#keep(text);
    if (text.length >= PART.to) this.#byPart.set(head.part, head);
    return head;
  }

  /** The text of most deltas has nothing to be escaped, and nothing but the server's clock behind it. */
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
    // Written out and read again: what is cut out of a line keeps all that was read with it alive.
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
  // By index: taking an array apart in one go takes as long as the match itself.
  const raw = tail[1] ?? "";
  const delta = raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
  const params = { threadId, turnId, itemId, delta };
  if (tail[2] !== undefined) Object.assign(params, { [tail[2]]: Number(tail[3]) });
  return tail[4] === undefined ? { method, params } : { method, params, emittedAtMs: Number(tail[4]) };
}

function copy(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
