import type { Section } from "./section.ts";

/**
 * A section with its position. Disabled sections are counted too, so numbers do not change when some sections are
 * omitted.
 */
export interface Node<in P> {
  readonly section: Section<P>;
  /** Keys from the root to this section, joined with dots. */
  readonly path: string;
  readonly depth: number;
  /** For example `2.1`. */
  readonly number: string;
  readonly children: readonly Node<P>[];
}

/** Assigns positions to sections and their children. */
export function placed<P>(
  sections: readonly Section<P>[],
  parent: { readonly path: string; readonly number: string; readonly depth: number } = {
    path: "",
    number: "",
    depth: -1,
  },
): readonly Node<P>[] {
  return sections.map((one, index) => {
    const place = {
      path: parent.path === "" ? one.key : `${parent.path}.${one.key}`,
      number: parent.number === "" ? `${index + 1}` : `${parent.number}.${index + 1}`,
      depth: parent.depth + 1,
    };
    return { section: one, ...place, children: placed(one.children, place) };
  });
}

/** All nodes, parents before children. */
export function allNodes<P>(nodes: readonly Node<P>[]): readonly Node<P>[] {
  return nodes.flatMap((node) => [node, ...allNodes(node.children)]);
}

/** The heading line of a section. */
export function heading({ section, depth, number, path }: Node<never>): string {
  return `${"#".repeat(depth + 2)} ${number}. ${section.title} (${path})`;
}
