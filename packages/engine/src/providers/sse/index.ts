export { EventReader, type StreamLimits } from "./event-reader.ts";
export { StreamTooLargeError } from "./too-large-error.ts";
