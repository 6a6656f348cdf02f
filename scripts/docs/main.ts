/**
 * Builds the documentation site into build/site: `npm run docs [-- --serve]`.
 *
 * Fails if a page is not in the sidebar, breaks the form of its kind, or has a broken link or anchor. Also fails if
 * typedoc or VitePress reports a warning, or a page cannot be rendered. See docs/decisions/0019-docs-site.md.
 */
import path from "node:path";
import { build } from "vitepress";
import { ROOT } from "../steps.ts";
import { formProblems } from "./form.ts";
import { fill, mapProblems, pagesIn } from "./pages.ts";
import { writeReference } from "./reference.ts";
import { SECTIONS } from "./sections.ts";
import { serve } from "./serve.ts";
import { deadLinks } from "./site-links.ts";
import { syncPages } from "./snippets.ts";
import { stage } from "./stage.ts";

const PAGES = path.join(ROOT, "build/pages");
const SITE = path.join(ROOT, "build/site");
const HOME = { source: "docs/index.md", place: "index.md", title: "codexwright" };

const sections = fill(ROOT, SECTIONS);
const pages = [HOME, ...pagesIn(sections)];
const sources = pages.map(({ source }) => source);
stopIf([...mapProblems(ROOT, sections), ...syncPages(ROOT, { check: true }), ...formProblems(ROOT, sources)]);
stage(ROOT, PAGES, pages);
await writeReference(ROOT, PAGES);
failOnPrintedErrors();
await build(path.join(ROOT, "docs"));
// The warnings and errors of the build have already been printed.
if (process.exitCode !== undefined) process.exit();
stopIf(deadLinks(SITE).map((link) => `dead link in ${link}`));
console.log(`The site is in ${path.relative(ROOT, SITE)}: ${pages.length} pages and the reference.`);
if (process.argv.includes("--serve")) console.log(`Serving it at ${await serve(SITE)} until Ctrl-C`);

/** If a page cannot be rendered, Vue prints the error, leaves out the rest of the page, and goes on. */
function failOnPrintedErrors(): void {
  const print = console.error;
  console.error = (...args: unknown[]): void => {
    process.exitCode = 1;
    print(...args);
  };
}

function stopIf(problems: readonly string[]): void {
  if (problems.length === 0) return;
  for (const problem of problems) console.error(problem);
  process.exit(1);
}
