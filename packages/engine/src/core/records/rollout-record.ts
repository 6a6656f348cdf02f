import { parseRecordJson } from "../depth.ts";
import type { WireObject } from "../wire-object.ts";

/** One line of a rollout file, in the format of Codex. */
export interface RolloutRecord {
  readonly timestamp: string;
  /** The position in the thread's history. Positions have no gaps. */
  readonly ordinal: number;
  /** `session_meta`, `turn_context`, `response_item`, `event_msg` or `compacted`; other types are kept but not used. */
  readonly type: string;
  readonly payload: WireObject;
}

/** Reads one line. Returns `undefined` if it is not a record. A record without an ordinal gets this one. */
export function parseRecord(line: string, ordinal: number): RolloutRecord | undefined {
  let value: unknown;
  try {
    value = parseRecordJson(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { type, payload, timestamp } = value;
  if (typeof type !== "string" || !isObject(payload)) return undefined;
  const own = value["ordinal"];
  return {
    timestamp: typeof timestamp === "string" ? timestamp : "",
    ordinal: isOrdinal(own) ? own : ordinal,
    type,
    payload,
  };
}

/** The largest ordinal that is believed. The records that follow must have larger ones, which are exact, too. */
const LARGEST_ORDINAL = 2 ** 52;

function isOrdinal(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LARGEST_ORDINAL;
}

export function isObject(value: unknown): value is WireObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is a non-empty text. */
export function textOr<T>(value: unknown, fallback: T): string | T {
  return typeof value === "string" && value !== "" ? value : fallback;
}

/** The value if it is a finite number. */
export function numberOr<T>(value: unknown, fallback: T): number | T {
  return typeof value === "number" && Number.isFinite(value) ? value : fallback;
}

export function objectOr(value: unknown): WireObject {
  return isObject(value) ? value : {};
}

export function listOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
