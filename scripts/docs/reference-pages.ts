import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { titleOf } from "./pages.ts";

/** The titles and places of the written pages. The index comes first. */
export function referencePages(out: string): { readonly title: string; readonly place: string }[] {
  const pages = readdirSync(path.join(out, "reference"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `reference/${file.replaceAll(path.sep, "/")}`)
    .map((place) => ({ place, title: titleOf(readFileSync(path.join(out, place), "utf8")) }));
  const isIndex = ({ place }: { readonly place: string }): boolean => place === "reference/index.md";
  // Sorts the library before the packages whose names begin with `@`.
  const rank = ({ title }: { readonly title: string }): string => title.replace(/^@/, "~");
  return [
    ...pages.filter(isIndex),
    ...pages.filter((page) => !isIndex(page)).toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)),
  ];
}
