export { compareTranscripts, type CompareOptions } from "./compare.ts";
export type { TranscriptDifference } from "./differences.ts";
export {
  parseRecording,
  RecordingFormatError,
  type RecordedClose,
  type RecordedEntry,
  type RecordedMessage,
  type RecordedText,
  type Recording,
  type RecordingHeader,
  type RecordingLine,
} from "./format.ts";
export {
  NOISE,
  normalize,
  type NormalizeOptions,
  type Transcript,
  type TranscriptMessage,
} from "./normalize.ts";
export { record, type RecordedTransport } from "./record.ts";
export { RecordingError, type RecordingSink, type RecordOptions } from "./recorder.ts";
export { readRecording } from "./recording-file.ts";
export { replay, type Replay, type ReplayOptions } from "./replay.ts";
export { ReplayMismatchError, type MismatchReason } from "./replay-error.ts";
