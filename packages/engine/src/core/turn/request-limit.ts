import { ModelError } from "./model-error.ts";

/** The most model requests of one turn. A model that calls tools for ever ends here. */
export const MOST_REQUESTS = 1_000;
/** The reason of the error that ends such a turn. */
export const REQUEST_LIMIT = "turn_request_limit";

/** Counts a model request of a turn. Returns an error if the turn has made too many. */
export function countRequest(run: { requests: number }): ModelError | undefined {
  if (++run.requests <= MOST_REQUESTS) return undefined;
  const text = `the turn ended after ${MOST_REQUESTS} requests to the model, the most that one turn may make`;
  return new ModelError(text, { phase: "stream", reason: REQUEST_LIMIT, final: true });
}
