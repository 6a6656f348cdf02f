import { isJsonObject } from "../../rpc/json.ts";
import type { Transcript, TranscriptMessage } from "./normalize.ts";

interface Open {
  readonly at: number;
  readonly owner: string;
}

/**
 * Joins consecutive deltas of a stream, because servers split text at random places. Deltas are not joined if another
 * message about the same item comes between them.
 */
export function joinDeltas(transcript: Transcript): Transcript {
  const out: TranscriptMessage[] = [];
  const open = new Map<string, Open>();
  for (const message of transcript) {
    const { stream, owner } = placeOf(message);
    const before = stream === undefined ? undefined : open.get(stream);
    if (before) {
      const joined = out[before.at];
      if (joined) out[before.at] = join(joined, message);
      continue;
    }
    for (const [key, each] of open) if (each.owner === owner) open.delete(key);
    if (stream !== undefined) open.set(stream, { at: out.length, owner });
    out.push(message);
  }
  return out;
}

/** Returns the subject of a message, and the stream that it adds to, if any. */
function placeOf({ connection, kind, method, params }: TranscriptMessage): {
  stream?: string;
  owner: string;
} {
  if (kind !== "notification" || !isJsonObject(params)) return { owner: "" };
  const { delta, deltaBase64, ...place } = params;
  const { threadId, itemId, item, processId } = place;
  const about = itemId ?? (isJsonObject(item) ? item["id"] : undefined) ?? processId;
  const owner = about === undefined ? "" : JSON.stringify([connection, threadId, about]);
  if (typeof (delta ?? deltaBase64) !== "string") return { owner };
  return { stream: JSON.stringify([connection, method, place]), owner };
}

function join(first: TranscriptMessage, next: TranscriptMessage): TranscriptMessage {
  const [a, b] = [first.params, next.params] as [Record<string, unknown>, Record<string, unknown>];
  if (typeof a["delta"] === "string")
    return { ...first, params: { ...a, delta: `${a["delta"]}${String(b["delta"])}` } };
  const bytes = [a, b].map((each) => Buffer.from(String(each["deltaBase64"]), "base64"));
  return { ...first, params: { ...a, deltaBase64: Buffer.concat(bytes).toString("base64") } };
}
