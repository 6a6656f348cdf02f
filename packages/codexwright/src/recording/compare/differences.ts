import { canonical, isJsonObject } from "../../rpc/json.ts";
import type { TranscriptMessage } from "./normalize.ts";

/** One way in which two transcripts differ. */
export interface TranscriptDifference {
  /** The subject of the message: an item, the turns of a thread, or a request. Order matters only within a channel. */
  readonly channel: string;
  /**
   * How the transcripts differ:
   * - `missing`: the message is only in the first transcript
   * - `unexpected`: the message is only in the second transcript
   * - `changed`: the message is in both, with different values
   */
  readonly kind: "missing" | "unexpected" | "changed";
  readonly method: string | undefined;
  /** The path in a changed message, such as `params.item.status`. */
  readonly path?: string;
  readonly a?: unknown;
  readonly b?: unknown;
  /** A description in one line. */
  readonly text: string;
}

/**
 * Compares two sequences of messages. Messages that are equal in both are aligned in order. All other messages are
 * missing, unexpected or changed.
 */
export function alignMessages(
  channel: string,
  a: readonly TranscriptMessage[],
  b: readonly TranscriptMessage[],
): TranscriptDifference[] {
  const differences: TranscriptDifference[] = [];
  let [i, j] = [0, 0];
  for (const [nextA, nextB] of [...common(a.map(wholeOf), b.map(wholeOf)), [a.length, b.length] as const]) {
    differences.push(...gap(channel, a.slice(i, nextA), b.slice(j, nextB)));
    [i, j] = [nextA + 1, nextB + 1];
  }
  return differences;
}

/** Compares the messages that lie between two aligned messages. Pairs messages with the same method. */
function gap(
  channel: string,
  a: readonly TranscriptMessage[],
  b: readonly TranscriptMessage[],
): TranscriptDifference[] {
  const differences: TranscriptDifference[] = [];
  const rest = [...b];
  for (const message of a) {
    const at = rest.findIndex((other) => labelOf(other) === labelOf(message));
    const [pair] = at === -1 ? [] : rest.splice(at, 1);
    if (!pair) differences.push(lone(channel, "missing", message));
    else differences.push(...changes(channel, message, pair));
  }
  return [...differences, ...rest.map((message) => lone(channel, "unexpected", message))];
}

function lone(
  channel: string,
  kind: "missing" | "unexpected",
  message: TranscriptMessage,
): TranscriptDifference {
  const { method } = message;
  const value = kind === "missing" ? { a: message } : { b: message };
  const text = `${channel}: ${kind} ${labelOf(message)} ${short(JSON.parse(bodyOf(message)))}`;
  return { channel, kind, method, ...value, text };
}

function changes(channel: string, a: TranscriptMessage, b: TranscriptMessage): TranscriptDifference[] {
  const { method } = a;
  return [...changedLeaves(JSON.parse(bodyOf(a)), JSON.parse(bodyOf(b)))].map((leaf) => {
    const text = `${channel}: ${labelOf(a)} ${leaf.path}: ${short(leaf.a)} became ${short(leaf.b)}`;
    return { channel, kind: "changed", method, ...leaf, text };
  });
}

/** Yields the members in which two values differ. */
export function* changedLeaves(
  a: unknown,
  b: unknown,
  path = "",
): Generator<{ path: string; a?: unknown; b?: unknown }> {
  if (JSON.stringify(a) === JSON.stringify(b)) return;
  const nested = (Array.isArray(a) && Array.isArray(b)) || (isJsonObject(a) && isJsonObject(b));
  if (!nested) {
    yield { path, ...(a !== undefined && { a }), ...(b !== undefined && { b }) };
    return;
  }
  const [left, right] = [a, b] as Readonly<Record<string, unknown>>[];
  for (const key of new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]))
    yield* changedLeaves(left?.[key], right?.[key], path === "" ? key : `${path}.${key}`);
}

function labelOf({ direction, kind, method }: TranscriptMessage): string {
  return `${direction} ${kind}${method === undefined ? "" : ` ${method}`}`;
}

/** Returns the content of a message in canonical form. Ignores the order of members, and the request id. */
function bodyOf(message: TranscriptMessage): string {
  const { params, result, error, text, by } = message;
  return canonical({ params, result, error, text, by });
}

function wholeOf(message: TranscriptMessage): string {
  return `${labelOf(message)} ${bodyOf(message)}`;
}

/** Returns the index pairs of a longest common subsequence. */
function common(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const lengths: number[][] = a.map(() => []);
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (lengths[i] ?? [])[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

export function short(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
