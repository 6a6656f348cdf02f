/**
 * Pseudo-random numbers that are the same for the same seed (the linear congruential generator of Knuth's
 * MMIX).
 */
export class Random {
  #state: bigint;

  constructor(seed: number) {
    this.#state = BigInt(seed);
    this.below(1);
  }

  /** An integer ≥ 0 and < `limit`. */
  below(limit: number): number {
    this.#state =
      (this.#state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & 0xffff_ffff_ffff_ffffn;
    return Number(((this.#state >> 33n) * BigInt(limit)) >> 31n);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}
