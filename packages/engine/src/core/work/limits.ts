/** The most tool calls of one response that are run. */
export const MOST_CALLS = 128;
