import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { freeNames } from "./imports.ts";

const OPENING = "After this page you can ";
const MOST_LINES = 150;
const COMMAND = /npm run example -- ([\w-]+(?:\/[\w-]+)*)(?![\w/-])/g;
/** Imports at the start of a snippet. They are copied with each snippet, and do not count as lines of a page. */
const IMPORTS = /^```ts\b[^\n]*\n((?:import [^{]*(?:\{[^}]*\})?[^;]*;\n)+\n?)/gm;
const SNIPPET = /^```(?:ts|typescript)\b([^\n]*)\n([^]*?)^```$/gm;

/** Reports problems with the form of a guide page. */
export function guideProblems(text: string): string[] {
  const [, first = ""] = /^# .*\n\n([^\n]*)/.exec(text) ?? [];
  const shown = [...text.matchAll(SNIPPET)].flatMap(([, info = ""]) => {
    const [, example] = /examples\/([\w/-]+)\.ts#/.exec(info) ?? [];
    return example === undefined ? [] : [example];
  });
  const commands = commandsIn(text);
  return [
    ...(first.startsWith(OPENING) ? [] : [`begins with "${OPENING.trim()} …" after its title`]),
    ...lengthProblems(text),
    ...[...new Set(shown)]
      .filter((example) => !commands.includes(example))
      .map((example) => `shows examples/${example}.ts without its command: npm run example -- ${example}`),
  ];
}

function lengthProblems(text: string): string[] {
  const imports = [...text.matchAll(IMPORTS)].map(([, block = ""]) => linesIn(block));
  const lines = imports.reduce((sum, each) => sum - each, linesIn(text));
  return lines > MOST_LINES ? [`has ${lines} lines, and may have ${MOST_LINES} without imports`] : [];
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}

/** The examples that a page tells the reader to run. */
export function commandsIn(text: string): string[] {
  return [...text.matchAll(COMMAND)].map(([, name = ""]) => name);
}

/** Reports each name exported by our packages that a TypeScript snippet on the page uses without importing it. */
export function importProblems(text: string, publicNames: ReadonlySet<string>): string[] {
  return [...text.matchAll(SNIPPET)].flatMap((match) => {
    const line = text.slice(0, match.index).split("\n").length;
    return [...freeNames(match[2] ?? "")]
      .filter((name) => publicNames.has(name))
      .map((name) => `line ${line}: the snippet uses ${name} and does not import it`);
  });
}

/** The names that our packages export, from the lists in docs/api. */
export function publicNamesOf(root: string): ReadonlySet<string> {
  const lists = readdirSync(path.join(root, "docs/api"), { recursive: true, encoding: "utf8" });
  const lines = lists
    .filter((file) => file.endsWith(".txt"))
    .flatMap((file) => readFileSync(path.join(root, "docs/api", file), "utf8").split("\n"));
  return new Set(lines.map((line) => line.split(":")[0] ?? "").filter((name) => /^\w+$/.test(name)));
}

/** Reports problems with the form of the pages for users: the guide, the recipes, the command and the README files. */
export function formProblems(root: string, sources: readonly string[]): string[] {
  const names = publicNamesOf(root);
  return sources
    .filter((source) => /^docs\/(?:guide|recipes|cli)\/|README\.md$/.test(source))
    .flatMap((source) => {
      const text = readFileSync(path.join(root, source), "utf8");
      const isGuide = source.startsWith("docs/guide/") && source !== "docs/guide/index.md";
      return [
        ...(isGuide ? guideProblems(text) : []),
        ...(source.startsWith("docs/recipes/") ? lengthProblems(text) : []),
        ...commandsIn(text)
          .filter((name) => !existsSync(path.join(root, `examples/${name}.ts`)))
          .map((name) => `names the example ${name}, and there is no examples/${name}.ts`),
        ...importProblems(text, names),
      ].map((problem) => `${source}: ${problem}`);
    });
}
