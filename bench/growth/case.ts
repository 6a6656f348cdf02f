/** A piece of work to run once, with everything it needs prepared. */
export interface Work {
  /** The measured part. */
  run(): Promise<void> | void;
  /** Closes what was opened. */
  end?(): Promise<void>;
}

/** Creates work of a size. Its cost should be proportional to the size. */
export type GrowthCase = (size: number) => Promise<Work> | Work;

/** Fails a sample whose work was not done, because skipped work would look cheap. */
export function must(what: string, actual: number, expected: number): void {
  if (actual !== expected) throw new Error(`${what}: ${actual} instead of ${expected}`);
}

export function times<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}
