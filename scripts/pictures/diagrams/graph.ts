/** The nodes that each node of a graph points to. */
export type Graph = Readonly<Record<string, readonly string[]>>;

export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** A place in a row: a node, or a gap through which edges pass to a node in a lower row. */
export interface Place {
  readonly node: string;
  readonly isGap: boolean;
}

/** An edge with its start, the gaps that it passes, and its end. */
export interface Route {
  readonly edge: Edge;
  /** From start to end. Each point has the index of its row, and the index of its place in that row. */
  readonly points: readonly { readonly row: number; readonly at: number }[];
}

export interface Layout {
  /** From top to bottom. Every edge points down. */
  readonly rows: readonly (readonly Place[])[];
  readonly routes: readonly Route[];
}

/**
 * Returns the edges that do not follow from others. If a uses b and b uses c, the edge from a to c is left
 * out.
 */
export function reduced(graph: Graph): Edge[] {
  const reaches = (from: string, to: string): boolean =>
    (graph[from] ?? []).some((next) => next === to || reaches(next, to));
  return Object.entries(graph).flatMap(([from, targets]) =>
    targets
      .filter((to) => !targets.some((other) => other !== to && reaches(other, to)))
      .map((to) => ({ from, to })),
  );
}

/** Returns the length of the longest path from each node. */
export function depths(graph: Graph): Map<string, number> {
  const known = new Map<string, number>();
  const depth = (node: string): number => {
    const found = known.get(node);
    if (found !== undefined) return found;
    const value = Math.max(-1, ...(graph[node] ?? []).map(depth)) + 1;
    known.set(node, value);
    return value;
  };
  for (const node of Object.keys(graph)) depth(node);
  return known;
}

/** Puts nodes into rows, with gaps for edges that cross a row, and orders each row so that few edges cross. */
export function layout(graph: Graph): Layout {
  const depth = depths(graph);
  const most = Math.max(...depth.values());
  const rowOf = (node: string): number => most - (depth.get(node) ?? 0);
  const edges = reduced(graph);
  const rows: Place[][] = Array.from({ length: most + 1 }, () => []);
  for (const node of Object.keys(graph)) rows[rowOf(node)]?.push({ node, isGap: false });
  for (const { from, to } of edges) {
    for (let row = rowOf(from) + 1; row < rowOf(to); row++) {
      const places = rows[row] ?? [];
      // Edges to one node share a gap.
      if (!places.some((place) => place.isGap && place.node === to)) places.push({ node: to, isGap: true });
    }
  }
  const routes = (): Route[] =>
    edges.map((edge) => {
      const points: Route["points"][number][] = [];
      for (let row = rowOf(edge.from); row <= rowOf(edge.to); row++) {
        const name = row === rowOf(edge.from) ? edge.from : edge.to;
        const isGap = row !== rowOf(edge.from) && row !== rowOf(edge.to);
        const at = (rows[row] ?? []).findIndex((place) => place.node === name && place.isGap === isGap);
        points.push({ row, at });
      }
      return { edge, points };
    });
  improve(rows, routes);
  return { rows, routes: routes() };
}

/** Swaps places within a row as long as that makes the picture simpler. */
function improve(rows: Place[][], routes: () => readonly Route[]): void {
  let least = cost(rows, routes());
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const row of rows) {
      for (let a = 0; a < row.length; a++) {
        for (let b = a + 1; b < row.length; b++) {
          swap(row, a, b);
          const now = cost(rows, routes());
          if (now < least) {
            least = now;
            hasChanged = true;
          } else swap(row, a, b);
        }
      }
    }
  }
}

function swap(row: Place[], a: number, b: number): void {
  const [first, second] = [row[a], row[b]];
  if (!first || !second) return;
  row[a] = second;
  row[b] = first;
}

/** How complicated the picture is. Crossings count most, then the sideways distance of edges. */
function cost(rows: readonly (readonly Place[])[], routes: readonly Route[]): number {
  const steps = routes.flatMap(({ points }) =>
    points.slice(1).map((to, n) => ({ from: points[n] ?? to, to })),
  );
  const x = ({ row, at }: { row: number; at: number }): number => (at + 0.5) / (rows[row]?.length ?? 1);
  let total = 0;
  for (const [n, a] of steps.entries()) {
    total += Math.abs(x(a.from) - x(a.to)) ** 2 * 4;
    for (const b of steps.slice(n + 1)) {
      if (a.from.row === b.from.row && (x(a.from) - x(b.from)) * (x(a.to) - x(b.to)) < 0) total += 1;
    }
  }
  return total;
}
