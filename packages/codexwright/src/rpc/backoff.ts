const FIRST_MS = 20;
const MOST_MS = 2_000;

/**
 * Returns how long to wait before attempt `attempt + 1`. The wait doubles with each attempt. It is chosen at random
 * from the upper half of its range, so that clients that were refused at the same moment do not all retry at the same
 * moment.
 */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(MOST_MS, FIRST_MS * 2 ** (attempt - 1));
  return ceiling / 2 + (random() * ceiling) / 2;
}
