/** Longest delay that a timer supports. A timer with a longer delay would fire immediately. */
export const LONGEST_MS: number = 2 ** 31 - 1;
