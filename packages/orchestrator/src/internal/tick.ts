export { explainIssue } from "../tick/explain.ts";
export type { Current, TickOptions, TickReport } from "../tick/options.ts";
export { Ticker } from "../tick/ticker.ts";
