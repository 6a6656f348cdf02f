/** Finds the groups of nodes that reach each other, each group sorted. Groups of one node are left out. */
export function cyclesIn(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  // Tarjan's algorithm with an explicit stack, because a chain of imports can be long.
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const cycles: string[][] = [];
  for (const start of arrows.keys()) {
    if (index.has(start)) continue;
    const work = [enter(start)];
    for (let top = work.at(-1); top !== undefined; top = work.at(-1)) {
      const { node, rest } = top;
      const next = rest.pop();
      if (next === undefined) {
        work.pop();
        leave(node);
        const parent = work.at(-1)?.node;
        if (parent !== undefined) lower(parent, low.get(node));
      } else if (!index.has(next)) {
        work.push(enter(next));
      } else if (isOpen.has(next)) {
        lower(node, index.get(next));
      }
    }
  }
  return cycles.toSorted((a, b) => (a.join() < b.join() ? -1 : 1));

  function enter(node: string): { node: string; rest: string[] } {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    open.push(node);
    isOpen.add(node);
    return { node, rest: [...(arrows.get(node) ?? [])] };
  }

  function lower(node: string, to = Infinity): void {
    low.set(node, Math.min(low.get(node) ?? Infinity, to));
  }

  function leave(node: string): void {
    if (low.get(node) !== index.get(node)) return;
    const group = open.splice(open.indexOf(node));
    for (const each of group) isOpen.delete(each);
    if (group.length > 1) cycles.push(group.toSorted());
  }
}
