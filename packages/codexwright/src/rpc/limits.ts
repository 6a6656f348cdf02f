/** Longest delay of a timer. A longer one would fire immediately. */
export const LONGEST_MS: number = 2 ** 31 - 1;
