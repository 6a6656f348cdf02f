import * as is from "../../rpc/options/check.ts";
import { VISIBILITY, VisibilitySlice, type Visibility } from "../session/built-in.ts";
import type { SessionReader } from "../session/session.ts";
import type { AgentTool } from "../tools/context.ts";
import type { ToolPolicy } from "../tools/policy.ts";
import { OPEN_SECTIONS, READ_SECTION, summarySuffix } from "./disclosure-text.ts";
import { PromptRenderError } from "./errors.ts";
import { exampleBlock } from "./examples.ts";
import { heading, type Node } from "./outline.ts";
import type { Selector } from "./section.ts";

/** Visibility by section path. Takes precedence over the session and the section's own setting. */
export type Overrides = Readonly<Record<string, Visibility>>;

/** A section that is shown, in full or as a summary. */
export interface Shown<in P> {
  readonly node: Node<P>;
  readonly visibility: Visibility;
}

/** The types that the functions of a section must return. */
const RETURNS = { enabled: is.flag, visibility: VISIBILITY, body: is.text, summary: is.text };

type Part = keyof typeof RETURNS;

/** Renders the sections of one prompt for one input. Calls the selectors each time and caches nothing. */
export class Renderer<P> {
  readonly roots: readonly Node<P>[];
  readonly #input: P;
  readonly #session: SessionReader;
  readonly #overrides: Overrides;

  constructor(
    roots: readonly Node<P>[],
    promptId: string,
    input: P,
    session: SessionReader,
    overrides: Overrides,
  ) {
    this.roots = roots;
    this.#input = input;
    this.#session = session;
    this.#overrides = { ...session.get(VisibilitySlice)[promptId], ...overrides };
  }

  /** The shown sections, in order. */
  shown(nodes: readonly Node<P>[] = this.roots): readonly Shown<P>[] {
    return nodes.flatMap((node): readonly Shown<P>[] => {
      if (!this.enabled(node)) return [];
      const visibility = this.visibility(node);
      return [{ node, visibility }, ...(visibility === "full" ? this.shown(node.children) : [])];
    });
  }

  text(nodes: readonly Node<P>[] = this.roots): string {
    return this.shown(nodes)
      .map(({ node, visibility }) => (visibility === "full" ? this.#full(node) : this.#summary(node)))
      .join("\n\n");
  }

  /** Renders a section in full, regardless of its visibility. The visibility of its children still applies. */
  read(node: Node<P>): string {
    return [this.#full(node), this.text(node.children)].filter((part) => part !== "").join("\n\n");
  }

  enabled(node: Node<P>): boolean {
    return this.#ask(node, "enabled", node.section.enabled);
  }

  visibility(node: Node<P>): Visibility {
    const { visibility, summary } = node.section;
    const given = Object.hasOwn(this.#overrides, node.path) ? this.#overrides[node.path] : undefined;
    const effective = given ?? this.#value(node, "visibility", visibility);
    if (effective === "summary" && summary === undefined)
      throw new PromptRenderError(node.path, "missing summary");
    return effective;
  }

  /**
   * True if the section or one of its children has tools or skills. The model must then expand the section; reading its
   * text is not enough.
   */
  offers(node: Node<P>): boolean {
    const { tools, skills } = node.section;
    if (tools.length > 0 || skills.length > 0) return true;
    return node.children.some((child) => this.enabled(child) && this.offers(child));
  }

  #full(node: Node<P>): string {
    const body = this.#value(node, "body", node.section.body).trim();
    return [heading(node), body, exampleBlock(node.section.tools)].filter((part) => part !== "").join("\n\n");
  }

  #summary(node: Node<P>): string {
    const summary = this.#value(node, "summary", node.section.summary ?? "").trim();
    const children = node.children.filter((child) => this.enabled(child)).map(({ section }) => section.key);
    const tool = this.offers(node) ? OPEN_SECTIONS : READ_SECTION;
    return `${heading(node)}\n\n${summary}${summarySuffix(tool, node.path, children)}`;
  }

  #value<T extends string>(node: Node<P>, what: Part, value: T | Selector<P, T>): T {
    return typeof value === "function" ? this.#ask(node, what, value) : value;
  }

  #ask<T>({ path }: Node<P>, what: Part, selector: Selector<P, T>): T {
    let value: T;
    try {
      value = selector(this.#input, this.#session);
    } catch (error) {
      throw new PromptRenderError(path, what, error);
    }
    // The check below throws if the value is a promise. Nothing awaits that promise, so handle its rejection here.
    if (value instanceof Promise) value.catch(() => {});
    is.checkArgument<unknown>(
      "prompt.render()",
      `the result of ${what} of section ${JSON.stringify(path)}`,
      value,
      RETURNS[what] as is.Check<unknown>,
    );
    return value;
  }
}

/** Collects the tools, policies and skills of the sections that are shown in full, in order. */
export function collected<P>(shown: readonly Shown<P>[]): {
  readonly tools: readonly AgentTool[];
  readonly policies: readonly ToolPolicy[];
  readonly skills: readonly string[];
} {
  const full = shown.filter(({ visibility }) => visibility === "full").map(({ node }) => node.section);
  return {
    tools: full.flatMap(({ tools }) => tools),
    policies: full.flatMap(({ policies }) => policies),
    skills: [...new Set(full.flatMap(({ skills }) => skills))],
  };
}

/** Finds the node with this path. Returns undefined if it or a parent is disabled. */
export function findNode<P>(renderer: Renderer<P>, path: string): Node<P> | undefined {
  let nodes = renderer.roots;
  let found: Node<P> | undefined;
  for (const key of path.split(".")) {
    found = nodes.find(({ section }) => section.key === key);
    if (!found || !renderer.enabled(found)) return undefined;
    nodes = found.children;
  }
  return found;
}
