/** A timer's longest delay; more would fire at once. */
export const LONGEST_MS: number = 2 ** 31 - 1;
