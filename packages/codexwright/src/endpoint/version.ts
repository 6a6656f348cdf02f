/** Whether a Codex version is older than another; by its numbers alone. */
export function isBefore(version: string, other: string): boolean {
  const [a, b] = [version, other].map((text) => text.split("-")[0]!.split(".").map(Number));
  for (const [index, part] of b!.entries()) {
    const mine = a![index] ?? 0;
    if (mine !== part) return mine < part;
  }
  return false;
}
