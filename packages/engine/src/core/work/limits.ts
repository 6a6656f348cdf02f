/** The most model requests of one turn. A model that calls tools for ever ends here. */
export const MOST_REQUESTS = 1_000;

/** The most tool calls of one response that are run. */
export const MOST_CALLS = 128;

/**
 * The most that one response may hold, in characters of its items and deltas. Each event counts as `EVENT_SIZE` more, so
 * that a response of endless tiny events ends too.
 */
export const RESPONSE_SIZE: number = 64 * 1024 * 1024;
export const EVENT_SIZE = 256;
