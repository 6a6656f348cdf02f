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

export default defineConfig({
  title: "codexwright",
  description: "The TypeScript toolkit for the Codex app-server.",
  lang: "en",
  srcDir: "../build/pages",
  outDir: "../build/site",
  cacheDir: "../build/site-cache",
  metaChunk: true,
  markdown: { anchor: { slugify } },
  themeConfig: {
    nav: sections
      .filter(({ title, pages }) => title === "Reference" || pages.length > 0)
      .map(({ title, pages }) => ({ text: title, link: `/${pages[0]?.place ?? "reference/index.md"}` })),
    sidebar: sections.map((section) => sidebarOf(section)).filter(({ items }) => items?.length !== 0),
    outline: [2, 3],
    search: { provider: "local" },
  },
  vite: {
    customLogger: warnings,
    // The index of the search is one file.
    build: { chunkSizeWarningLimit: 5000 },
  },
});
