import { existsSync, statSync } from "node:fs";
import path from "node:path";
import type { Page } from "./pages.ts";

/** On the site, links to these lists of names lead to the reference instead. */
const LISTS = "docs/api";
/** Data files, which are published unchanged, because programs read them. */
const DATA = /^docs\/.*\.json$/;
const PICTURE = /\.(?:svg|png)$/;

/** The target of a link, and its place on the site. */
export interface Target {
  readonly kind: "page" | "source" | "folder" | "data" | "picture" | "reference";
  /** The path in the repository, without a final slash. */
  readonly source: string;
  /** The path on the site. */
  readonly place: string;
}

/** Returns the target of a link, or undefined if the link leaves the repository or stays on its page. Throws if the target does not exist. */
export function targetOf(
  root: string,
  pages: readonly Page[],
  from: string,
  link: string,
): Target | undefined {
  const [name = ""] = link.split("#");
  if (name === "" || /^[a-z]+:/.test(name) || name.startsWith("//")) return undefined;
  const source = path.posix.join(path.posix.dirname(from), decodeURI(name)).replace(/\/$/, "");
  const file = path.join(root, source);
  if (source.startsWith("..") || !existsSync(file))
    throw new Error(`${from} links to ${link}, which does not exist`);
  const page = [source, `${source}/README.md`, `${source}/index.md`]
    .map((each) => pages.find((other) => other.source === each))
    .find((each) => each !== undefined);
  if (page) return { kind: "page", source: page.source, place: page.place };
  if (source === LISTS) return { kind: "reference", source, place: "reference/index.md" };
  if (PICTURE.test(source)) return { kind: "picture", source, place: source.replace(/^docs\//, "") };
  if (DATA.test(source)) return { kind: "data", source, place: source.replace(/^docs\//, "") };
  if (statSync(file).isDirectory()) return { kind: "folder", source, place: `source/${source}/index.md` };
  if (source.endsWith(".md"))
    throw new Error(
      `${from} links to ${source}, which is not a page of the site: add it to scripts/docs/sections.ts`,
    );
  return { kind: "source", source, place: `source/${source.replaceAll(".", "-")}.md` };
}

const BLOCK = /^(?<fence>`{3,})[^]*?^\k<fence>/;
const SPAN = /`[^`\n]+`/;
const LINK = /\]\((?<link>[^)\s]+)\)/;
const ATTRIBUTE = /(?<name>href|src|srcset)="(?<value>[^"\s]+)"/;
const CODE_OR_LINK = new RegExp([BLOCK, SPAN, LINK, ATTRIBUTE].map(({ source }) => source).join("|"), "gm");

/** Replaces the addresses of links and pictures in a Markdown text. Code is not changed. */
export function mapLinks(markdown: string, map: (link: string) => string): string {
  return markdown.replaceAll(CODE_OR_LINK, (whole: string, ...rest: unknown[]) => {
    const { link, name, value } = rest.at(-1) as Partial<Record<string, string>>;
    if (link !== undefined) return `](${map(link)})`;
    return value === undefined ? whole : `${name}="${map(value)}"`;
  });
}
