import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { mapLinks, targetOf, type Target } from "./links.ts";
import { titleOf, type Page } from "./pages.ts";

const LANGUAGES: Readonly<Record<string, string>> = { ".ts": "ts", ".mjs": "js", ".json": "json" };

/**
 * Writes the pages of the site into a folder, each with links that work there.
 *
 * In the repository a page links to other pages, files and folders by relative paths, so that the links work on GitHub.
 * On the site, each linked source file gets a page that shows it, and each linked folder without an index gets a page
 * that lists its files.
 */
export function stage(root: string, out: string, pages: readonly Page[]): void {
  rmSync(out, { recursive: true, force: true });
  const written = new Set<string>();
  const write = (place: string, text: string): void => {
    const file = path.join(out, place);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  /** Adds a target to the site, unless it was already added. */
  const include = ({ kind, source, place }: Target): void => {
    if (kind === "page" || kind === "reference" || written.has(place)) return;
    written.add(place);
    if (kind === "source") write(place, sourcePage(root, source));
    else if (kind === "folder") write(place, relink(source, folderPage(root, source), `${source}/x`));
    else cpSync(path.join(root, source), path.join(out, "public", place), { recursive: true });
  };
  const relink = (page: string, text: string, from = page): string =>
    mapLinks(text, (link) => {
      const target = targetOf(root, pages, from, link);
      if (target === undefined) return link;
      include(target);
      const [, anchor] = link.split("#");
      return `/${target.place}${anchor === undefined ? "" : `#${anchor}`}`;
    });
  for (const { source, place } of pages)
    write(place, bothSchemes(relink(source, readFileSync(path.join(root, source), "utf8"))));
}

/**
 * Replaces each `<picture>`, which follows the colour scheme of the system, with two images. The site shows
 * one of them, depending on its own switch.
 */
export function bothSchemes(markdown: string): string {
  return markdown.replaceAll(/<picture>([^]*?)<\/picture>/g, (whole, inner: string) => {
    const [, dark] = /<source[^>]*prefers-color-scheme: dark[^>]*srcset="([^"]+)"/.exec(inner) ?? [];
    const [image] = /<img[^>]*>/.exec(inner) ?? [];
    if (dark === undefined || image === undefined) return whole;
    const darkImage = image.replace(/src="[^"]*"/, `src="${dark}"`);
    return [image, darkImage]
      .map((each, at) => each.replace("<img", `<img class="only-${at === 0 ? "light" : "dark"}"`))
      .join("");
  });
}

function sourcePage(root: string, source: string): string {
  const text = readFileSync(path.join(root, source), "utf8").trimEnd();
  const language = LANGUAGES[path.extname(source)] ?? "txt";
  return `---\nsearch: false\n---\n\n# ${source}\n\n\`\`\`\`${language}\n${text}\n\`\`\`\`\n`;
}

function folderPage(root: string, source: string): string {
  const lines = readdirSync(path.join(root, source), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      if (!entry.isFile()) return `- \`${entry.name}/\``;
      const title = entry.name.endsWith(".md")
        ? titleOf(readFileSync(path.join(root, source, entry.name), "utf8"))
        : entry.name;
      return `- [${title}](${entry.name})`;
    });
  return `---\nsearch: false\n---\n\n# ${source}\n\n${lines.join("\n")}\n`;
}
