import { InvalidArgumentError } from "../../rpc/errors.ts";
import { isDeeperThan, isJsonObject } from "../../rpc/json.ts";
import { DEEPEST_RECORDED } from "../format.ts";
import { alignMessages, type TranscriptDifference } from "./differences.ts";
import type { Transcript, TranscriptMessage } from "./normalize.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../rpc/options/table.ts";

/** Options of {@link compareTranscripts}. */
export interface CompareOptions {
  /** Return true to ignore an expected difference. */
  readonly allow?: (difference: TranscriptDifference) => boolean;
}

const OPTIONS: Table<CompareOptions> = { allow: is.func };

const MESSAGES = is.listOf(is.object);

/**
 * Compares two transcripts as partial orders. Returns how `b` differs from `a`; an empty array means no differences.
 *
 * The order must be equal in these cases: among messages about the same item, among the turns of the same thread, among
 * the status changes of a thread, and between a request and its answer. Other messages may come in any order, because
 * the real server does not guarantee their order either. Client requests may also come in any order: each request is
 * compared with an equal request of the other run.
 */
export function compareTranscripts(
  a: Transcript,
  b: Transcript,
  options: CompareOptions = {},
): TranscriptDifference[] {
  is.checkArgument("compareTranscripts()", "a", a, MESSAGES);
  is.checkArgument("compareTranscripts()", "b", b, MESSAGES);
  checkOptions("compareTranscripts()", options, OPTIONS);
  for (const message of [...a, ...b])
    if (isDeeperThan(message, DEEPEST_RECORDED))
      throw new InvalidArgumentError(
        `a message of the transcript is nested deeper than ${DEEPEST_RECORDED} levels`,
      );
  const [left, right] = [channelsOf(a), channelsOf(b)];
  const differences: TranscriptDifference[] = [];
  for (const [name, { kin, messages }] of left) {
    const other = right.get(name) ?? kinOf(kin, right, left);
    differences.push(...alignMessages(other?.name ?? name, messages, other?.messages ?? []));
    if (other) right.delete(other.name);
  }
  for (const [name, { messages }] of right) differences.push(...alignMessages(name, [], messages));
  return differences.filter((difference) => !options.allow?.(difference));
}

interface Channel {
  readonly name: string;
  /**
   * Two requests with the same value here have the same method. So they may correspond, even if their params differ.
   */
  readonly kin: string | undefined;
  readonly messages: TranscriptMessage[];
}

/** Finds a request that has the same method and also has no counterpart. */
function kinOf(
  kin: string | undefined,
  among: ReadonlyMap<string, Channel>,
  known: ReadonlyMap<string, Channel>,
): Channel | undefined {
  if (kin === undefined) return undefined;
  return [...among.values()].find((channel) => channel.kin === kin && !known.has(channel.name));
}

/** Returns the messages of each channel, in order. */
function channelsOf(transcript: Transcript): Map<string, Channel> {
  const channels = new Map<string, Channel>();
  const counts = new Map<string, number>();
  const requests = new Map<string, string>();
  const items = new OpenItems();
  for (const message of transcript) {
    const { connection, direction, kind, id } = message;
    const request = `${connection} ${id}`;
    let name = channelOf(message);
    let kin: string | undefined;
    if (kind === "response") name = requests.get(request) ?? `${direction} answers without a request`;
    else if (kind === "request" && direction === "out") {
      // Equal requests of both runs are paired, regardless of the order in which they were sent.
      kin = name;
      name = `${name} ${JSON.stringify(message.params)}`;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      if (count > 1) name = `${name} (${count})`;
    }
    if (kind === "request") requests.set(request, name);
    const channel = channels.get(name) ?? { name, kin, messages: [] };
    channels.set(name, channel);
    channel.messages.push(items.seen(message));
  }
  return channels;
}

function channelOf({ connection, direction, kind, method, params }: TranscriptMessage): string {
  const where = connection === 1 ? "" : `connection ${connection}: `;
  if (kind === "text" || kind === "closed") return `${where}${kind}`;
  if (direction === "out") return `${where}${method}`;
  const { threadId, thread, itemId, callId, item } = isJsonObject(params) ? params : {};
  const threadName = threadId ?? (isJsonObject(thread) ? thread["id"] : undefined);
  const itemName = itemId ?? callId ?? (isJsonObject(item) ? item["id"] : undefined);
  // Names of items and turns start with the name of their thread.
  if (typeof itemName === "string") return `${where}${itemName}`;
  if (typeof threadName !== "string") return `${where}${method}`;
  if (TURNS.has(method ?? "")) return `${where}turns of ${threadName}`;
  return `${where}${method} of ${threadName}`;
}

const TURNS = new Set(["turn/started", "turn/completed", "error"]);

/**
 * Adds a list of the items that are still open to each `turn/completed`. So the comparison also detects whether an item
 * completes before or after its turn.
 */
class OpenItems {
  readonly #open = new Map<string, Set<unknown>>();

  seen(message: TranscriptMessage): TranscriptMessage {
    const { kind, method, params } = message;
    if (kind !== "notification" || !isJsonObject(params)) return message;
    const { turnId, turn, item } = params;
    const id = turnId ?? (isJsonObject(turn) ? turn["id"] : undefined);
    // Each connection receives its own notifications.
    const key = `${message.connection} ${String(id)}`;
    const open = this.#open.get(key) ?? new Set();
    this.#open.set(key, open);
    const name = isJsonObject(item) ? item["id"] : undefined;
    if (method === "item/started") open.add(name);
    if (method === "item/completed") open.delete(name);
    if (method !== "turn/completed" || open.size === 0) return message;
    return { ...message, params: { ...params, "(open items)": [...open].map(String).toSorted() } };
  }
}
