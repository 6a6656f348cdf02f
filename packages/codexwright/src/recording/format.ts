import { isDeeperThan, isJsonObject } from "../rpc/json.ts";
import * as is from "../rpc/options/check.ts";
import { CodexError } from "../rpc/errors.ts";

/** The name that the first line of a recording begins with. */
export const RECORDING_FORMAT = "codexwright-recording";
export const RECORDING_VERSION = 1;
/** A message that is nested deeper is refused: `record` writes at most 256 levels and a mark. */
export const DEEPEST_RECORDED = 512;

/** The first line of a recording. It names no path, host or user. */
export interface RecordingHeader {
  readonly format: typeof RECORDING_FORMAT;
  readonly version: number;
  /** The version of codexwright that recorded. */
  readonly codexwright: string;
  /** When it began, in ISO 8601. */
  readonly startedAt: string;
}

interface Placed {
  /** The number of the connection, from 1: a client that reconnects makes several. */
  readonly connection: number;
  /** Milliseconds since the recording began. */
  readonly ms: number;
}

/** A message, as the client sees it: `out` is what it sent, `in` what it got. */
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
    /** Which end closed it. */
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

/** A file is not a recording, or not one that this version can read; the message says which line and why. */
export class RecordingFormatError extends CodexError {
  readonly code = "recording_invalid";
  /** The number of the line, from 1. */
  readonly line: number;

  constructor(line: number, why: string, cause?: unknown) {
    super(`line ${line} of the recording: ${why}`, cause === undefined ? {} : { cause });
    this.line = line;
  }
}

/** The entries behind the header, each looked at: a recording is somebody else's file. */
export function entriesOf(recording: Recording): readonly RecordedEntry[] {
  is.checkArgument("normalize()", "recording", recording, is.listOf(is.anything));
  const [header, ...entries] = recording;
  if (!isJsonObject(header) || header["format"] !== RECORDING_FORMAT)
    throw new RecordingFormatError(1, `it is not the header of a ${RECORDING_FORMAT}`);
  if (header["version"] !== RECORDING_VERSION)
    throw new RecordingFormatError(
      1,
      `its version is not ${RECORDING_VERSION}, the one that this codexwright reads`,
    );
  return entries.map((entry, index) => checked(entry, index + 2));
}

/**
 * The lines of a recording's text. A last line that was cut off, as by a kill, is left out; anything else that
 * is wrong is a {@link RecordingFormatError}.
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
  if (!Number.isSafeInteger(connection) || Number(connection) < 1) throw wrong("it has no connection");
  if (typeof ms !== "number") throw wrong("it has no time");
  if (closed !== undefined) {
    const { by, message: why } = isJsonObject(closed) ? closed : {};
    if ((by !== "client" && by !== "server") || typeof why !== "string")
      throw wrong("its close is incomplete");
  } else if (direction !== "in" && direction !== "out") throw wrong("it has no direction");
  else if (!isJsonObject(message) && typeof text !== "string") throw wrong("it has neither message nor text");
  if (isDeeperThan(entry, DEEPEST_RECORDED)) throw wrong(`it is nested more than ${DEEPEST_RECORDED} deep`);
  return entry as unknown as RecordedEntry;
}
