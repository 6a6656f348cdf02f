import { writeFileSync } from "node:fs";
import path from "node:path";
import { writePicture } from "../../scripts/svg/files.ts";
import { ROOT } from "../../scripts/steps.ts";
import { benchmarkPictures } from "../plots/pictures.ts";
import { page, tablesPage } from "./page.ts";
import type { Results } from "./results.ts";

/** The pages of a run, by their places in the repository. */
export function pagesOf(results: Results): Readonly<Record<string, string>> {
  return { "docs/benchmarks.md": page(results), "docs/benchmarks/tables.md": tablesPage(results) };
}

/** Writes the pages and the plots of a run. */
export function publish(results: Results): void {
  for (const [file, text] of Object.entries(pagesOf(results))) {
    writeFileSync(path.join(ROOT, file), text);
    console.log(file);
  }
  for (const [name, draw] of Object.entries(benchmarkPictures(results))) writePicture(name, draw);
}
