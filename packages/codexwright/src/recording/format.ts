import { isDeeperThan, isJsonObject } from "../rpc/json.ts";
import * as is from "../rpc/options/check.ts";
import { CodexError } from "../rpc/errors.ts";

/** The value of `format` in the first line of a recording. */
export const RECORDING_FORMAT = "codexwright-recording";
export const RECORDING_VERSION = 1;
/** Messages that are nested deeper than this are rejected. `record` writes at most 256 levels and a marker. */
export const DEEPEST_RECORDED = 512;

/** The first line of a recording. It contains no path, host or user. */
export interface RecordingHeader {
  readonly format: typeof RECORDING_FORMAT;
  readonly version: number;
  /** The version of codexwright that made the recording. */
  readonly codexwright: string;
  /** The start of the recording, in ISO 8601. */
  readonly startedAt: string;
}

interface Placed {
  /** The number of the connection, from 1. A client that reconnects has several connections. */
  readonly connection: number;
  /** Milliseconds since the start of the recording. */
  readonly ms: number;
}

/** A message, from the client's point of view: `out` was sent by the client, `in` was received by the client. */
export interface RecordedMessage extends Placed {
  readonly direction: "in" | "out";
  readonly message: Readonly<Record<string, unknown>>;
}

/** A line that is not a JSON object. */
export interface RecordedText extends Placed {
  readonly direction: "in" | "out";
  readonly text: string;
}

/** The end of a connection. */
export interface RecordedClose extends Placed {
  readonly closed: {
    /** Which end closed the connection. */
    readonly by: "client" | "server";
    readonly message: string;
    readonly exitCode?: number;
    readonly exitSignal?: string;
    readonly stderrTail?: string;
  };
}

export type RecordedEntry = RecordedMessage | RecordedText | RecordedClose;

/** One line of a recording. */
export type RecordingLine = RecordingHeader | RecordedEntry;

/** The lines of a recording, the header first. */
export type Recording = readonly RecordingLine[];

/** The file is not a recording, or this version cannot read it. The message names the line and the reason. */
export class RecordingFormatError extends CodexError {
  readonly code = "recording_invalid";
  /** The line number, from 1. */
  readonly line: number;

  constructor(line: number, why: string, cause?: unknown) {
    super(`line ${line} of the recording: ${why}`, cause === undefined ? {} : { cause });
    this.line = line;
  }
}

/** Returns the entries after the header. Each entry is validated, because a recording is untrusted input. */
export function entriesOf(recording: Recording): readonly RecordedEntry[] {
  is.checkArgument("normalize()", "recording", recording, is.listOf(is.anything));
  const [header, ...entries] = recording;
  if (!isJsonObject(header) || header["format"] !== RECORDING_FORMAT)
    throw new RecordingFormatError(1, `it must be the header of a ${RECORDING_FORMAT}`);
  if (header["version"] !== RECORDING_VERSION)
    throw new RecordingFormatError(
      1,
      `version must be ${RECORDING_VERSION}, the only version that this codexwright reads`,
    );
  return entries.map((entry, index) => checked(entry, index + 2));
}

/**
 * Parses the text of a recording. If the last line is truncated, for example because the process was killed, that line
 * is left out. Throws a {@link RecordingFormatError} for anything else that is invalid.
 */
export function parseRecording(text: string): Recording {
  const lines = text.split("\n");
  const cut = lines.pop();
  const recording = lines.map((line, index) => parseLine(line, index + 1));
  if (cut !== undefined && cut !== "" && recording.length === 0) recording.push(parseLine(cut, 1));
  entriesOf(recording);
  return recording;
}

function parseLine(line: string, number: number): RecordingLine {
  try {
    return JSON.parse(line) as RecordingLine;
  } catch (cause) {
    throw new RecordingFormatError(number, "it is not JSON", cause);
  }
}

function checked(entry: unknown, line: number): RecordedEntry {
  const wrong = (why: string): RecordingFormatError => new RecordingFormatError(line, why);
  if (!isJsonObject(entry)) throw wrong("it is not an object");
  const { connection, ms, direction, message, text, closed } = entry;
  if (!Number.isSafeInteger(connection) || Number(connection) < 1)
    throw wrong("connection must be an integer ≥ 1");
  if (typeof ms !== "number") throw wrong("ms must be a number");
  if (closed !== undefined) {
    const { by, message: why } = isJsonObject(closed) ? closed : {};
    if ((by !== "client" && by !== "server") || typeof why !== "string")
      throw wrong('closed must have by ("client" or "server") and a message');
  } else if (direction !== "in" && direction !== "out") throw wrong('direction must be "in" or "out"');
  else if (!isJsonObject(message) && typeof text !== "string") throw wrong("it has neither message nor text");
  if (isDeeperThan(entry, DEEPEST_RECORDED))
    throw wrong(`it is nested deeper than ${DEEPEST_RECORDED} levels`);
  return entry as unknown as RecordedEntry;
}
