/** A size and its cost. */
export interface Point {
  readonly size: number;
  readonly cost: number;
}

/** The `k` of cost = c · size^k that fits the points best: least squares of the logarithms. */
export function exponent(points: readonly Point[]): number {
  const logs = points.map(({ size, cost }) => ({ x: Math.log(size), y: Math.log(cost) }));
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const x0 = mean(logs.map(({ x }) => x));
  const y0 = mean(logs.map(({ y }) => y));
  const covariance = logs.reduce((sum, { x, y }) => sum + (x - x0) * (y - y0), 0);
  const variance = logs.reduce((sum, { x }) => sum + (x - x0) ** 2, 0);
  return covariance / variance;
}
