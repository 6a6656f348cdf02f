import { InvalidArgumentError } from "../../rpc/errors.ts";
import { VISIBILITY, type Visibility } from "../session/built-in.ts";
import type { SessionReader } from "../session/session.ts";
import type { AgentTool } from "../tools/context.ts";
import type { ToolPolicy } from "../tools/policy.ts";
import * as is from "../../rpc/options/check.ts";
import { shownName } from "../../rpc/options/shown.ts";
import { checkNames, checkOptions, needed, type Table } from "../../rpc/options/table.ts";

/** Something that may depend on the prompt's input and on the session. */
export type Selector<in P, out T> = (input: P, session: SessionReader) => T;

/** What `section()` takes. */
export interface SectionOptions<P, C extends readonly AnySection[]> {
  /** Names the section among its siblings: a-z, 0-9, `_` and `-`, up to 64. With those of its parents it is its path. */
  readonly key: string;
  readonly title: string;
  readonly body?: string | Selector<P, string> | undefined;
  /** Shown in place of body, children and tools while the section is summarised. */
  readonly summary?: string | Selector<P, string> | undefined;
  /** `full` unless given. The session's overrides go first. */
  readonly visibility?: Visibility | Selector<P, Visibility> | undefined;
  /** A section that is not enabled is left out, with everything in it. Numbers stay. */
  readonly enabled?: Selector<P, boolean> | undefined;
  /** For the model while the section is shown whole. */
  readonly tools?: readonly AgentTool[] | undefined;
  readonly policies?: readonly ToolPolicy[] | undefined;
  /** Folders of skills, for the model while the section is shown whole. */
  readonly skills?: readonly string[] | undefined;
  readonly children?: C | undefined;
}

/**
 * A part of a prompt. Contravariant in the input: a section that needs a field is only for prompts whose input has it.
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

/** A section of whatever input. It names none, or a section written in a list would be taken to need that one. */
export type AnySection = Pick<Section, "key" | "title"> & { readonly [K in keyof Section]: unknown };

/** The input that all of these sections can be rendered from. */
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
/** `section()` for prompts of one input: it needs no annotations. */
export type SectionOf<P> = (options: SectionOptions<P, readonly Section<P>[]>) => Section<P>;

/** No dots: they separate keys in paths. */
const KEY = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Defines a section; throws `invalid_argument`, with every problem at once. It needs what its children need. */
export function section<P = unknown, const C extends readonly AnySection[] = readonly []>(
  options: SectionOptions<P, C>,
): Section<P & NeedsOf<C[number]>> {
  checkNames("section()", options, SECTION);
  const { key, title, body = "", summary, visibility = "full", enabled = () => true } = options;
  const { tools = [], policies = [], skills = [] } = options;
  // What is not a list of sections is refused with the values below.
  const children = (Array.isArray(options.children) ? options.children : []) as readonly Section<
    P & NeedsOf<C[number]>
  >[];
  const what = `section ${shownName(key)}`;
  const problems = [
    typeof key === "string" && KEY.test(key) ? [] : [`the key of ${what} must match ${KEY.source}`],
    typeof title !== "string" || title.trim() === "" || title.includes("\n")
      ? [`${what} needs a title of one line`]
      : [],
    visibility === "summary" && summary === undefined ? [`${what} is summarised but has no summary`] : [],
    twice(children.map((child: Section<never> | null) => child?.key ?? "")).map(
      (child) => `${what} has two children ${JSON.stringify(child)}`,
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

/** What is in a list more than once. */
export function twice(keys: readonly string[]): string[] {
  return [...new Set(keys.filter((key, index) => keys.indexOf(key) < index))];
}
