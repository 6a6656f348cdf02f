import { InvalidArgumentError } from "../../rpc/errors.ts";
import { VISIBILITY, type Visibility } from "../session/built-in.ts";
import type { SessionReader } from "../session/session.ts";
import type { AgentTool } from "../tools/context.ts";
import type { ToolPolicy } from "../tools/policy.ts";
import * as is from "../../rpc/options/check.ts";
import { shownName } from "../../rpc/options/shown.ts";
import { checkNames, checkOptions, needed, type Table } from "../../rpc/options/table.ts";

/** Computes a value from the prompt's input and the session. */
export type Selector<in P, out T> = (input: P, session: SessionReader) => T;

/** Options of `section()`. */
export interface SectionOptions<P, C extends readonly AnySection[]> {
  /**
   * Unique among its siblings: a-z, 0-9, `_` and `-`, at most 64 characters. The path of a section joins the keys of
   * its parents and its own.
   */
  readonly key: string;
  readonly title: string;
  readonly body?: string | Selector<P, string> | undefined;
  /** Replaces body, children and tools while the section is summarised. */
  readonly summary?: string | Selector<P, string> | undefined;
  /** Default `full`. Overrides of the session take precedence. */
  readonly visibility?: Visibility | Selector<P, Visibility> | undefined;
  /**
   * If this returns false, the section and everything in it is omitted. The numbers of other sections do not change.
   */
  readonly enabled?: Selector<P, boolean> | undefined;
  /** Available to the model while the section is shown in full. */
  readonly tools?: readonly AgentTool[] | undefined;
  readonly policies?: readonly ToolPolicy[] | undefined;
  /** Skill folders, available to the model while the section is shown in full. */
  readonly skills?: readonly string[] | undefined;
  readonly children?: C | undefined;
}

/**
 * A part of a prompt. Contravariant in the input: if a section needs an input field, it only fits prompts whose input
 * has that field.
 */
export interface Section<in P = unknown> {
  readonly key: string;
  readonly title: string;
  readonly body: string | Selector<P, string>;
  readonly summary: string | Selector<P, string> | undefined;
  readonly visibility: Visibility | Selector<P, Visibility>;
  readonly enabled: Selector<P, boolean>;
  readonly tools: readonly AgentTool[];
  readonly policies: readonly ToolPolicy[];
  readonly skills: readonly string[];
  readonly children: readonly Section<P>[];
}

/**
 * A section with any input. The members are `unknown`, so that TypeScript does not infer one input type for all
 * sections of a list.
 */
export type AnySection = Pick<Section, "key" | "title"> & { readonly [K in keyof Section]: unknown };

/** The input type that all of these sections accept. */
export type NeedsOf<S extends AnySection> = [S] extends [never]
  ? unknown
  : (S extends Section<infer P> ? (input: P) => void : never) extends (input: infer All) => void
    ? All
    : never;

const SECTION: Table<SectionOptions<never, readonly AnySection[]>> = {
  key: needed(is.text),
  title: needed(is.text),
  body: is.either(is.text, is.func),
  summary: is.either(is.text, is.func),
  visibility: is.either(VISIBILITY, is.func),
  enabled: is.func,
  tools: is.listOf(is.object),
  policies: is.listOf(is.object),
  skills: is.listOf(is.text),
  children: is.listOf(is.object),
};
/** `section()` with the input type of one prompt already bound, so it needs no type annotations. */
export type SectionOf<P> = (options: SectionOptions<P, readonly Section<P>[]>) => Section<P>;

/** Dots are not allowed: they separate keys in paths. */
const KEY = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * Defines a section. The section's input includes the inputs of its children. Throws one `invalid_argument` that lists
 * all problems.
 */
export function section<P = unknown, const C extends readonly AnySection[] = readonly []>(
  options: SectionOptions<P, C>,
): Section<P & NeedsOf<C[number]>> {
  checkNames("section()", options, SECTION);
  const { key, title, body = "", summary, visibility = "full", enabled = () => true } = options;
  const { tools = [], policies = [], skills = [] } = options;
  // `checkOptions` below throws if `children` is not an array.
  const children = (Array.isArray(options.children) ? options.children : []) as readonly Section<
    P & NeedsOf<C[number]>
  >[];
  const what = `section ${shownName(key)}`;
  const problems = [
    typeof key === "string" && KEY.test(key) ? [] : [`the key of ${what} must match ${KEY.source}`],
    typeof title !== "string" || title.trim() === "" || title.includes("\n")
      ? [`the title of ${what} must be one non-empty line`]
      : [],
    visibility === "summary" && summary === undefined
      ? [`${what} must have a summary, because its visibility is "summary"`]
      : [],
    twice(children.map((child: Section<never> | null) => child?.key ?? "")).map(
      (child) => `the keys of the children of ${what} must be unique: ${JSON.stringify(child)} is used twice`,
    ),
  ].flat();
  if (problems.length > 0) throw new InvalidArgumentError(problems.join("\n"));
  checkOptions("section()", options, SECTION);
  return Object.freeze({
    key,
    title: title.trim(),
    body,
    summary,
    visibility,
    enabled,
    tools,
    policies,
    skills,
    children,
  });
}

/** The values that occur more than once in a list. */
export function twice(keys: readonly string[]): string[] {
  return [...new Set(keys.filter((key, index) => keys.indexOf(key) < index))];
}
