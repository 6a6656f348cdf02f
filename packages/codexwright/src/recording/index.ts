export { compareTranscripts } from "./compare/compare.ts";
export type { TranscriptDifference } from "./compare/differences.ts";
export {
  parseRecording,
  RecordingFormatError,
  type RecordedEntry,
  type RecordedMessage,
  type Recording,
  type RecordingHeader,
  type RecordingLine,
} from "./format.ts";
export { createRedactor, type SecretRedactor } from "./create-redactor.ts";
export { NOISE, normalize, type Transcript } from "./compare/normalize.ts";
export { record, type RecordedTransport } from "./record.ts";
export { RecordingError, type RecordOptions } from "./recorder.ts";
export { readRecording } from "./recording-file.ts";
export { replay, type Replay, type ReplayOptions } from "./replay/replay.ts";
export { ReplayMismatchError } from "./replay/replay-error.ts";
