/**
 * Returns whether a server of this version has a feature that was added in `since`. A version that cannot be parsed
 * counts as the newest, so that an unusual version string does not disable features.
 */
export function atLeast(version: string, since: string): boolean {
  const have = numbers(version);
  if (!have) return true;
  const want = numbers(since) ?? [];
  for (const [index, part] of want.entries()) {
    const own = have[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}

function numbers(version: string): number[] | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  return match?.slice(1).map(Number);
}
