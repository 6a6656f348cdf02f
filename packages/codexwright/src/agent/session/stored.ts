import { isJsonObject } from "../../rpc/json.ts";
import { CodexError } from "../../rpc/errors.ts";
import type { JournalEntry } from "./journal.ts";

/** A stored session is malformed, or does not match the given slices. */
export class SessionInvalidError extends CodexError {
  readonly code = "session_invalid";
}

/** A session as JSON. */
export interface StoredSession {
  /** Version of this format. */
  readonly version: 1;
  readonly id: string;
  readonly slices: Readonly<Record<string, { readonly version: number; readonly value: unknown }>>;
  readonly journal: readonly JournalEntry[];
}

/** Parses the outer shape. The contents of slices and events are validated later, with their schemas. */
export function readStored(json: string): StoredSession {
  let stored: unknown;
  try {
    stored = JSON.parse(json);
  } catch (cause) {
    throw new SessionInvalidError("the stored session is not JSON", { cause });
  }
  if (!isJsonObject(stored)) throw new SessionInvalidError("the stored session must be a JSON object");
  const { version, id, slices, journal } = stored;
  if (version !== 1) {
    throw new SessionInvalidError(
      `the stored session has version ${JSON.stringify(version)}, but only version 1 is supported`,
    );
  }
  if (typeof id !== "string") throw new SessionInvalidError("the stored session has no id");
  if (!isJsonObject(slices) || !Object.values(slices).every(isSlice)) {
    throw new SessionInvalidError(
      "each slice of the stored session must have a value and an integer version",
    );
  }
  return { version, id, slices: slices as StoredSession["slices"], journal: readJournal(journal) };
}

/** Checks the shape of a journal, and that its sequence numbers have no gaps. */
export function readJournal(journal: unknown): readonly JournalEntry[] {
  if (!Array.isArray(journal) || !journal.every(isEntry)) {
    throw new SessionInvalidError("the journal must be an array of entries with seq, at and event");
  }
  const [first] = journal;
  if (first?.event.type !== "session/created") {
    throw new SessionInvalidError("the first entry of the journal must be session/created");
  }
  const gap = journal.findIndex(({ seq }, index) => seq !== first.seq + index);
  if (gap >= 0)
    throw new SessionInvalidError(`entry ${first.seq + gap} of the journal is missing or out of order`);
  return journal;
}

function isSlice(value: unknown): boolean {
  return isJsonObject(value) && Number.isInteger(value["version"]) && "value" in value;
}

function isEntry(value: unknown): value is JournalEntry {
  if (!isJsonObject(value)) return false;
  const { seq, at, event, runId, callId } = value;
  return (
    Number.isInteger(seq) &&
    typeof at === "number" &&
    isJsonObject(event) &&
    typeof event["type"] === "string" &&
    [runId, callId].every((tag) => tag === undefined || typeof tag === "string")
  );
}
