/**
 * Returns the known name that is most similar to a misspelt name. Ignores case. If one name contains the other
 * (`timeout`, `timeoutMs`), they count as at most two letters apart. Returns `undefined` only if there are no names.
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const wanted = name.toLowerCase().slice(0, LONGEST);
  let nearest: string | undefined;
  let least = Infinity;
  for (const candidate of names) {
    const distance = distanceOf(wanted, candidate.toLowerCase());
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

/**
 * Maximum length that is compared: the cost of a comparison is the product of both lengths, and a caller may pass
 * untrusted input as a name.
 */
const LONGEST = 64;

function distanceOf(a: string, b: string): number {
  const distance = editDistance(a, b);
  const contained = Math.min(a.length, b.length) > 2 && (a.includes(b) || b.includes(a));
  return contained ? Math.min(distance, 2) : distance;
}

/** Levenshtein distance: the number of letters to insert, delete or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
