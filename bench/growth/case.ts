/** Something to be done once, with everything it needs made before. */
export interface Work {
  /** What is measured. */
  run(): Promise<void> | void;
  /** Ends what was opened. */
  end?(): Promise<void>;
}

/** Makes the work of a size, which should cost in proportion to it. */
export type GrowthCase = (size: number) => Promise<Work> | Work;

/** Fails a sample whose work was not done: what is not done costs nothing. */
export function must(what: string, actual: number, expected: number): void {
  if (actual !== expected) throw new Error(`${what}: ${actual} instead of ${expected}`);
}

export function times<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}
