import path from "node:path";
import { defineConfig, type DefaultTheme } from "vitepress";
import { fill, type FilledSection } from "../../scripts/docs/pages.ts";
import { referencePages } from "../../scripts/docs/reference-pages.ts";
import { SECTIONS } from "../../scripts/docs/sections.ts";
import { warnings } from "../../scripts/docs/warnings.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Written by scripts/docs/stage.ts. */
const PAGES = path.join(ROOT, "build/pages");

const sections = fill(ROOT, SECTIONS);

function sidebarOf({ title, pages, groups }: FilledSection): DefaultTheme.SidebarItem {
  const items = [
    ...pages.map((page) => ({ text: page.title, link: `/${page.place}` })),
    ...groups.map((group) => sidebarOf(group)),
    ...(title === "Reference" ? referenceItems() : []),
  ];
  return { text: title, collapsed: true, items };
}

function referenceItems(): DefaultTheme.SidebarItem[] {
  return referencePages(PAGES).map(({ title, place }) => ({ text: title, link: `/${place}` }));
}

/** GitHub's names of headings, so that a link to a heading works there and here. */
function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\s-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

/** Pages for users come before the reference and the internals in the search. */
function boostDocument(id: string): number {
  if (/^\/(?:guide|recipes|cli)\//.test(id)) return 4;
  return id.startsWith("/reference/") ? 2 : 1;
}

const ICON =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='M12 5a5 5 0 1 0 0 6' fill='none' stroke='#0e7f6f' stroke-width='3'/></svg>";

export default defineConfig({
  title: "codexwright",
  description: "The TypeScript toolkit for the Codex app-server.",
  lang: "en",
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
  srcDir: "../build/pages",
  outDir: "../build/site",
  cacheDir: "../build/site-cache",
  metaChunk: true,
  markdown: {
    anchor: { slugify },
    // Code such as `{{ issue.title }}` is text, and not an expression of the site.
    config: ({ renderer: { rules } }) => {
      const render = rules.code_inline;
      rules.code_inline = (tokens, index, ...rest) => {
        tokens[index]?.attrSet("v-pre", "");
        return render?.(tokens, index, ...rest) ?? "";
      };
    },
  },
  themeConfig: {
    nav: sections
      .filter(({ title, pages }) => title === "Reference" || pages.length > 0)
      .map(({ title, pages }) => ({ text: title, link: `/${pages[0]?.place ?? "reference/index.md"}` })),
    sidebar: sections.map((section) => sidebarOf(section)).filter(({ items }) => items?.length !== 0),
    outline: [2, 3],
    search: { provider: "local", options: { miniSearch: { searchOptions: { boostDocument } } } },
  },
  vite: {
    customLogger: warnings,
    // The index of the search is one file.
    build: { chunkSizeWarningLimit: 5000 },
  },
});
