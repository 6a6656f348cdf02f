export { FleetClient, type Accepted, type IssueOrder } from "./client.ts";
export { initFleet, type InitResult } from "./init.ts";
export { placeOf, type FleetPlace, type FleetPlaceOptions } from "./place.ts";
export { FleetError, WorkflowError } from "../domain/errors.ts";
export type { Explanation, Verdict } from "../domain/explanation.ts";
export type { Json } from "../domain/json.ts";
export type { ApiEvent, ApiIssue } from "../observe/api-issue.ts";
export type { ApiBlocked, ApiRetrying, ApiRunning, ApiState, ApiTokens } from "../observe/api-state.ts";
