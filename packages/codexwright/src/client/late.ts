/**
 * Code that a client needs only after it has connected. It is loaded while the client waits for its server, so that
 * importing the library stays cheap.
 */
export { runReview, startReview } from "./review/review.ts";
export { repairPrompt, strictOutput } from "../schema/output.ts";
export { Services } from "./services/services.ts";
export { revertThread } from "./thread/revert.ts";
export { ThreadOpener } from "./thread/thread-opener.ts";
