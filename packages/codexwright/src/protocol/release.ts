/**
 * Whether a server of this version has what came with `since`. A version we cannot read counts as newer than
 * everything we know: refusing to use a feature because of an odd version string would help nobody.
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
