/**
 * Copies regions of the examples into the guide and the recipes: `npm run snippets [-- --check]`.
 *
 * A page names its source in the fence, ` ```ts examples/approvals.ts#decide `, and the example marks the region by `//
 * #region decide` and `// #endregion decide`. The imports that the region needs are copied with it. So the build
 * compiles every snippet, and the suite runs it. Also writes the table of the keys of WORKFLOW.md.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../steps.ts";
import { importsFor } from "./imports.ts";
import { syncWorkflowPage } from "./workflow-page.ts";

const FOLDERS = ["docs/guide", "docs/recipes"];

/** A page with its snippets as they are in the examples, and the problems that were found. */
export interface SyncedPage {
  readonly text: string;
  readonly problems: readonly string[];
}

/** Languages whose snippets must come from an example. */
const CODE = /^(?:ts|typescript|mts|cts|tsx|js|javascript|mjs|jsx)$/i;
const FENCE = /^(`{3,})([^`]*)$/;
const MARKER = /^\s*\/\/ #(region|endregion)\b/;

/** @param read returns the text of a file of the repository, or undefined if it does not exist */
export function syncPage(page: string, read: (file: string) => string | undefined): SyncedPage {
  const problems: string[] = [];
  const lines = page.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    out.push(line);
    const [, fence, info = ""] = FENCE.exec(line) ?? [];
    if (fence === undefined) continue;
    const end = lines.findIndex((other, index) => index > at && other.trimEnd() === fence);
    if (end === -1) {
      problems.push(`line ${at + 1}: the block is not closed`);
      continue;
    }
    const body = lines.slice(at + 1, end);
    const [language = "", source, ...rest] = info.trim().split(/\s+/);
    if (!CODE.test(language)) {
      out.push(...body);
    } else if (source === undefined || rest.length > 0) {
      problems.push(
        `line ${at + 1}: a ${language} block names its source: \`${language} examples/x.ts#region\``,
      );
      out.push(...body);
    } else {
      const region = regionOf(source, read);
      if (typeof region === "string") problems.push(`line ${at + 1}: ${region}`);
      out.push(...(typeof region === "string" ? body : region));
    }
    out.push(lines[end] ?? "");
    at = end;
  }
  return { text: out.join("\n"), problems };
}

/** The lines of `file#name`, dedented and with their imports; or a sentence that says why it has none. */
function regionOf(source: string, read: (file: string) => string | undefined): string[] | string {
  const [file = "", name = ""] = source.split("#");
  const text = read(file);
  if (text === undefined) return `there is no file ${file}`;
  const lines = text.split("\n");
  const find = (marker: string): number[] =>
    lines.flatMap((line, index) => (line.trim() === `// #${marker} ${name}` ? [index] : []));
  const [start, ...moreStarts] = find("region");
  const [end, ...moreEnds] = find("endregion");
  if (start === undefined || end === undefined || end < start) return `${file} has no region ${name}`;
  if (moreStarts.length + moreEnds.length > 0) return `${file} has the region ${name} more than once`;
  // Regions may be nested. The marks of inner regions are removed, because readers do not need them.
  const region = dedent(lines.slice(start + 1, end).filter((line) => !MARKER.test(line)));
  const imports = importsFor(text, region.join("\n"));
  return imports.length === 0 ? region : [...imports, "", ...region];
}

function dedent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const depth = Math.min(...indents);
  const cut = lines.map((line) => line.slice(depth));
  const first = cut.findIndex((line) => line !== "");
  const last = cut.findLastIndex((line) => line !== "");
  return first === -1 ? [] : cut.slice(first, last + 1);
}

/** Reports problems with the snippets of the pages. Unless `check` is set, it first updates snippets that differ from their examples. */
export function syncPages(root: string, { check }: { readonly check: boolean }): string[] {
  const read = (file: string): string | undefined => {
    const whole = path.join(root, file);
    return existsSync(whole) ? readFileSync(whole, "utf8") : undefined;
  };
  const pages = FOLDERS.filter((folder) => existsSync(path.join(root, folder))).flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((file) => file.endsWith(".md"))
      .map((file) => `${folder}/${file}`),
  );
  const complaints: string[] = [];
  for (const page of pages) {
    const before = read(page) ?? "";
    const { text, problems } = syncPage(before, read);
    complaints.push(...problems.map((problem) => `${page}, ${problem}`));
    if (text === before) continue;
    if (check) complaints.push(`${page} differs from the examples: npm run snippets`);
    else writeFileSync(path.join(root, page), text);
  }
  return complaints;
}

if (import.meta.filename === process.argv[1]) {
  const options = { check: process.argv.includes("--check") };
  const complaints = [...syncPages(ROOT, options), ...syncWorkflowPage(ROOT, options)];
  for (const complaint of complaints) console.error(complaint);
  if (complaints.length > 0) process.exitCode = 1;
}
