/** A place in a value. It is a linked list, so that going one level deeper costs the same at every depth. */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
  readonly depth: number;
}

/**
 * The maximum depth that is checked. A model decides how deep its answer is nested, and a recursive check needs stack
 * for each level. Deeper values are rejected.
 */
export const MOST_LEVELS = 256;

/** The issue that is reported for a value that is nested deeper than this limit. */
export const TOO_DEEP: string = `is nested deeper than ${MOST_LEVELS} levels`;

export function below(parent: Place | undefined, key: string | number): Place {
  return { parent, key, depth: depthOf(parent) + 1 };
}

export function depthOf(place: Place | undefined): number {
  return place?.depth ?? 0;
}

export function pathOf(place: Place | undefined): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = place; at; at = at.parent) path.push(at.key);
  return path.toReversed();
}
