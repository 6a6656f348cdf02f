import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Entry, Section } from "./sections.ts";

/** A Markdown file of the repository and its place on the site. */
export interface Page {
  /** The path in the repository: `docs/guide/tools.md`. */
  readonly source: string;
  /** The path on the site: `guide/tools.md`. */
  readonly place: string;
  readonly title: string;
}

/** A section with its pages. */
export interface FilledSection {
  readonly title: string;
  readonly pages: readonly Page[];
  readonly groups: readonly FilledSection[];
}

/**
 * Returns the path of a file on the site. Files in `docs` are at the root of the site. Files outside `docs`
 * keep their paths.
 */
export function placeOf(source: string): string {
  if (source === "README.md") return "readme.md";
  return source.replace(/^docs\//, "").replace(/(?<=^|\/)README\.md$/, "index.md");
}

/** The first heading, as text. */
export function titleOf(markdown: string): string {
  const [, title = "Untitled"] = /^# (.*)$/m.exec(markdown) ?? [];
  return title.replaceAll("`", "");
}

/**
 * The sections with their pages. The headings of an index become groups. An index that does not exist adds no pages.
 */
export function fill(root: string, sections: readonly Section[]): FilledSection[] {
  const all = (section: Section): Entry[] => [...section.entries, ...(section.groups ?? []).flatMap(all)];
  const named = new Set(sections.flatMap(all).filter((entry) => typeof entry === "string"));
  const fillOne = ({ title, entries, groups = [] }: Section): FilledSection => {
    const listed = entries.flatMap((entry) =>
      typeof entry === "string" ? [] : listedBy(root, entry.index, (source) => !named.has(source)),
    );
    const alone = entries.filter((entry) => typeof entry === "string").map((entry) => pageOf(root, entry));
    return {
      title,
      pages: [...listed.flatMap(({ pages }) => pages), ...alone],
      groups: [...listed.flatMap((each) => each.groups), ...groups.map(fillOne)],
    };
  };
  return sections.map(fillOne);
}

/** Every page of the sections, in order. */
export function pagesIn(sections: readonly FilledSection[]): Page[] {
  return sections.flatMap(({ pages, groups }) => [...pages, ...pagesIn(groups)]);
}

/** Reports problems with the map of the site: pages of `docs` that are not in it, and pages that are in it twice. */
export function mapProblems(root: string, sections: readonly FilledSection[]): string[] {
  const sources = pagesIn(sections).map(({ source }) => source);
  const stored = readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((file) => `docs/${file.replaceAll(path.sep, "/")}`)
    .filter((file) => file.endsWith(".md") && file !== "docs/index.md");
  return [
    ...stored
      .filter((file) => !sources.includes(file))
      .map(
        (file) =>
          `${file} is not in the sidebar: link to it from its index, or add it to scripts/docs/sections.ts`,
      ),
    ...sources
      .filter((source, at) => sources.indexOf(source) !== at)
      .map((source) => `${source} is in the sidebar twice`),
  ];
}

function pageOf(root: string, source: string): Page {
  const file = path.join(root, source);
  if (!existsSync(file)) throw new Error(`scripts/docs/sections.ts names ${source}, which does not exist`);
  return { source, place: placeOf(source), title: titleOf(readFileSync(file, "utf8")) };
}

/**
 * Returns an index page and the pages of its folder that it links to. If `index` names a folder, returns all pages of
 * that folder.
 */
function listedBy(root: string, index: string, isWanted: (source: string) => boolean): FilledSection[] {
  const file = path.join(root, index);
  if (!existsSync(file)) return [];
  const section = (title: string, sources: readonly string[]): FilledSection => ({
    title,
    pages: sources.filter((source) => isWanted(source)).map((source) => pageOf(root, source)),
    groups: [],
  });
  if (!index.endsWith(".md")) {
    const names = readdirSync(file).filter((name) => name.endsWith(".md"));
    return [
      section(
        "",
        names.toSorted().map((name) => `${index}/${name}`),
      ),
    ];
  }
  const folder = path.posix.dirname(index);
  const seen = new Set([index]);
  const linked = (text: string): string[] =>
    [...text.matchAll(/\]\(([\w./-]+\.md)\)/g)]
      .map(([, link = ""]) => path.posix.join(folder, link))
      // A page that is linked several times is listed at its first link only.
      .filter((source) => path.posix.dirname(source) === folder && !seen.has(source) && seen.add(source));
  const [before = "", ...parts] = readFileSync(file, "utf8").split(/^## /m);
  const top = section("", [index, ...linked(before)]);
  const groups = parts.map((part) => section(part.split("\n")[0] ?? "", linked(part)));
  return [{ ...top, groups: groups.filter(({ pages }) => pages.length > 0) }];
}
