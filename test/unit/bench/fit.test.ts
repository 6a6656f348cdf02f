import { expect } from "vitest";
import { exponent } from "../../../bench/lib/fit.ts";
import { verifies } from "@codexwright/test-support/verifies";

const SIZES = [64, 256, 1_024];

function fitted(cost: (size: number) => number): number {
  return exponent(SIZES.map((size) => ({ size, cost: cost(size) })));
}

verifies("bench.growth", "finds the exponent of a power, whatever its factor", () => {
  for (const power of [0, 0.5, 1, 2]) {
    expect(fitted((size) => 3 * size ** power)).toBeCloseTo(power, 10);
  }
});

verifies("bench.growth", "a cost with a linear and a quadratic part has an exponent above the limit", () => {
  expect(fitted((size) => 1_000 * size)).toBeLessThan(1.15);
  expect(fitted((size) => 1_000 * size + size ** 2)).toBeGreaterThan(1.15);
  // A fixed cost lowers the exponent. This is why the work at the smallest size must outweigh it.
  expect(fitted((size) => 1_000 * size + 100_000)).toBeLessThan(0.9);
});
