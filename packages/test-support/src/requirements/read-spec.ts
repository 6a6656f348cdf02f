import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseClaims, parsePage, type SpecPage } from "./parse-page.ts";

/**
 * Reads every requirement: the pages of docs/spec in the order of their names, then the claims of
 * SECURITY.md.
 */
export function readSpec(root: string): SpecPage {
  const folder = path.join(root, "docs/spec");
  const pages = readdirSync(folder)
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .toSorted()
    .map((name) => readPage(folder, name));
  const claims = parseClaims(readFileSync(path.join(root, "SECURITY.md"), "utf8"));
  return {
    requirements: [...pages.flatMap(({ requirements }) => requirements), ...claims],
    elsewhere: pages.flatMap(({ elsewhere }) => elsewhere),
  };
}

function readPage(folder: string, name: string): SpecPage {
  try {
    return parsePage(readFileSync(path.join(folder, name), "utf8"));
  } catch (error) {
    throw new Error(`cannot read docs/spec/${name}`, { cause: error });
  }
}
