import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Returns the broken links of a built site, each with its page: the file or the anchor does not exist. */
export function deadLinks(site: string): string[] {
  const files = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(site, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"));
  const pages = new Map(
    files
      .filter((file) => file.endsWith(".html"))
      .map((file) => [file, readFileSync(path.join(site, file), "utf8")]),
  );
  const anchors = new Map(
    [...pages].map(([file, html]) => [file, new Set(valuesOf(html, /\sid="([^"]*)"/g))]),
  );
  return [...pages].flatMap(([page, html]) =>
    [...new Set(valuesOf(html, /<(?:a|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g))]
      .filter((link) => !/^[a-z]+:|^\/\//.test(link))
      .filter((link) => {
        const { pathname, hash } = new URL(link, `https://site.invalid/${page}`);
        const name = decodeURIComponent(pathname).slice(1);
        const file = name === "" || name.endsWith("/") ? `${name}index.html` : name;
        if (!files.includes(file)) return true;
        return hash !== "" && !anchors.get(file)?.has(decodeURIComponent(hash).slice(1));
      })
      .map((link) => `${page}: ${link}`),
  );
}

function valuesOf(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, value = ""]) => unescaped(value));
}

function unescaped(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
