import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The folders of the repository that a path in a text can start with. */
const FOLDERS = "bench|demo|docs|drills|examples|packages|quality|scripts|test";
const SPAN = new RegExp(String.raw`^(?:${FOLDERS})/[\w@./*-]+$`);
const PAGE = /(?<![\w./:-])docs\/[\w./-]*\w/g;

/** The links, the pictures and the paths in the code spans of a Markdown text. */
export function referencesOf(markdown: string): string[] {
  const text = markdown.replaceAll(/^(`{3,})[^]*?^\1/gm, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  const pictures = [...text.matchAll(/ src(?:set)?="([^"\s]+)"/g)].map(([, target = ""]) => target);
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
  return [
    ...[...links, ...pictures].filter((link) => !/^[a-z]+:/.test(link)),
    ...spans.filter((span) => SPAN.test(span)),
  ];
}

/** Returns the broken references in Markdown files, each with its file. */
export function brokenReferences(files: readonly string[], root: string): string[] {
  const anchorsIn = new Map<string, ReadonlySet<string>>();
  const leadsSomewhere = (reference: string, file: string): boolean => {
    const [name = "", anchor] = reference.split("#");
    // `*` stands for any name: the folder that contains it must exist.
    const known = name.includes("*") ? path.dirname(`${name.split("*")[0]}x`) : name;
    // A link is relative to its file. A path in a code span is usually relative to the root.
    const places =
      known === "" ? [file] : [path.dirname(file), root].map((folder) => path.join(folder, known));
    const target = places.find((place) => existsSync(place));
    if (target === undefined || anchor === undefined) return target !== undefined;
    if (!anchorsIn.has(target)) anchorsIn.set(target, anchorsOf(readFileSync(target, "utf8")));
    return anchorsIn.get(target)?.has(anchor) ?? false;
  };
  return files.flatMap((file) =>
    referencesOf(readFileSync(file, "utf8"))
      .filter((reference) => !leadsSomewhere(reference, file))
      .map((reference) => `${path.relative(root, file)}: ${reference}`),
  );
}

/** The anchors of a page's headings. A repeated anchor gets a number. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const times = new Map<string, number>();
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => {
    const name = title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-");
    const before = times.get(name) ?? 0;
    times.set(name, before + 1);
    return before === 0 ? name : `${name}-${before}`;
  });
  return new Set(headings);
}

/** Returns the documentation pages and folders that a text names and that do not exist, each with its file. */
export function missingPages(files: readonly string[], root: string): string[] {
  return files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(PAGE)]
      .filter(([page]) => !existsSync(path.join(root, page)))
      .map(([page]) => `${path.relative(root, file)}: ${page}`),
  );
}

const NOT_OURS = new Set(["node_modules", "dist", "build", "test-results"]);

/** Returns the files below a folder with these extensions, except built and installed files. */
export function filesBelow(folder: string, endings: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isFile()) return endings.includes(path.extname(entry.name)) ? [full] : [];
    const isOurs = entry.isDirectory() && !NOT_OURS.has(entry.name) && !entry.name.startsWith(".");
    return isOurs ? filesBelow(full, endings) : [];
  });
}
