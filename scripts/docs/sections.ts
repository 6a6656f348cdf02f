/** One page, or all the pages that an index page links to, in the order of its links. */
export type Entry = string | { readonly index: string };

/** A part of the site: a link in the bar at the top, and a group in the sidebar. */
export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Groups within the group. */
  readonly groups?: readonly Section[];
}

/**
 * The map of the site. Paths are those of the repository.
 *
 * Every page of `docs` must be here. A page outside `docs` must be here if a page links to it. A page that has its own
 * entry is not listed again under an index that links to it.
 */
export const SECTIONS: readonly Section[] = [
  {
    title: "Start",
    entries: [
      "README.md",
      "packages/codexwright/README.md",
      "packages/testing/README.md",
      "packages/gateway/README.md",
      "packages/engine/README.md",
      "packages/orchestrator/README.md",
      "packages/cli/README.md",
      "CHANGELOG.md",
    ],
  },
  { title: "Guide", entries: [{ index: "docs/guide/index.md" }] },
  { title: "Recipes", entries: [{ index: "docs/recipes/index.md" }] },
  {
    title: "Command",
    entries: [{ index: "docs/cli/index.md" }],
  },
  // The pages of this section are generated: see reference.ts.
  { title: "Reference", entries: [] },
  {
    title: "Testing",
    entries: [
      "docs/guide/first-test.md",
      "docs/guide/testing.md",
      "docs/guide/record-and-replay.md",
      "docs/guide/conformance.md",
    ],
  },
  {
    title: "Internals",
    entries: [
      "ARCHITECTURE.md",
      "SECURITY.md",
      "docs/supply-chain.md",
      "docs/reliability.md",
      "docs/compatibility.md",
      "docs/engine-differences.md",
      "docs/engine-methods.md",
      "docs/agent-requirements.md",
      "docs/benchmarks.md",
      "docs/benchmarks/tables.md",
      "bench/README.md",
      "CONTRIBUTING.md",
      "REVIEW.md",
    ],
    groups: [
      { title: "Decisions", entries: [{ index: "docs/decisions" }] },
      { title: "Specification", entries: [{ index: "docs/spec/README.md" }] },
    ],
  },
];
