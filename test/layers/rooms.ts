import { builtinModules } from "node:module";
import path from "node:path";
import { importsOf, type Import, type SourceFile } from "./imports.ts";
import type { Package, Room } from "./room.ts";
import { INTERNAL } from "./table.ts";

/** Code that the table does not allow, or a row of the table that no code uses. */
export interface Violation {
  readonly rule: Rule;
  readonly what: string;
}

export type Rule =
  | "undeclared package"
  | "undeclared folder"
  | "direction"
  | "face"
  | "out of the package"
  | "package entry"
  | "dependency"
  | "node module"
  | "node global"
  | "not lazy"
  | "value cycle"
  | "type cycle"
  | "room cycle"
  | "unused row"
  | "internal for users";

/** Packages by name, as in table.ts. */
export type Packages = Readonly<Record<string, Package>>;

/** Globals of Node, which the compiler cannot always distinguish from a local name. */
const NODE_GLOBALS = /(?<![\w.#"'`/])(process|Buffer|setImmediate|require)\s*[.(]/;

/** A file of a package: its path in `src`, and the rooms that contain it, outermost first. */
interface Placed {
  readonly source: SourceFile;
  readonly package: string;
  readonly src: string;
  readonly parts: readonly string[];
  readonly rooms: readonly Room[];
}

/** The source folder of a package. */
export function srcOf(name: string): string {
  return `packages/${path.posix.basename(name)}/src`;
}

/** Checks the imports of every file of the packages. Records in `used` which rows of the table an import needed. */
export function checkImports(
  sources: readonly SourceFile[],
  packages: Packages,
  used: Set<string>,
): Violation[] {
  return sources.flatMap((source) => {
    const placed = place(source, packages);
    if ("rule" in placed) return [placed];
    return [
      ...importsOf(source).flatMap((each) => checkImport(each, placed, packages, used)),
      ...globals(placed),
    ];
  });
}

function place(source: SourceFile, packages: Packages): Placed | Violation {
  const name = Object.keys(packages).find((each) => source.file.startsWith(`${srcOf(each)}/`));
  const root = name === undefined ? undefined : packages[name];
  if (name === undefined || root === undefined) return { rule: "undeclared package", what: source.file };
  const src = srcOf(name);
  const parts = source.file.slice(src.length + 1).split("/");
  const rooms: Room[] = [root];
  for (const folder of parts.slice(0, -1)) {
    const room = rooms.at(-1)?.rooms?.[folder];
    if (room === undefined) return { rule: "undeclared folder", what: source.file };
    rooms.push(room);
  }
  return { source, package: name, src, parts, rooms };
}

function checkImport(one: Import, from: Placed, packages: Packages, used: Set<string>): Violation[] {
  const root = packages[from.package];
  const violation = (rule: Rule): Violation[] => [{ rule, what: `${one.file} imports ${one.specifier}` }];
  const need = (list: readonly string[] | undefined, row: string, rule: Rule): Violation[] => {
    if (!list?.includes(row)) return violation(rule);
    used.add(`${from.package} ${row}`);
    return [];
  };
  if (one.target !== undefined) {
    if (!one.target.startsWith(`${from.src}/`)) return violation("out of the package");
    const target = one.target.slice(from.src.length + 1);
    return [
      ...checkDirection(from, target.split("/"), used).flatMap(violation),
      ...(reachesLazy(root, from, one.kind, target) ? violation("not lazy") : []),
    ];
  }
  const owner = one.specifier
    .split("/")
    .slice(0, one.specifier.startsWith("@") ? 2 : 1)
    .join("/");
  if (one.specifier.startsWith("node:") || builtinModules.includes(owner))
    return from.rooms.some(({ node }) => node) ? [] : violation("node module");
  if (Object.hasOwn(packages, owner)) {
    const wrong = need(root?.entries, one.specifier, "package entry");
    if (wrong.length > 0 || root?.lazy?.entry !== one.specifier) return wrong;
    const file = from.parts.join("/");
    const isAllowed = isLazy(root, file) || (one.kind !== "value" && root.lazy.dynamic.includes(file));
    return isAllowed ? [] : violation("not lazy");
  }
  const room = from.rooms.findLast(({ dependencies }) => dependencies?.includes(one.specifier));
  return room === undefined ? violation("dependency") : [];
}

/** Compares an import within a package with the row of the innermost folder that contains both files. */
function checkDirection(from: Placed, to: readonly string[], used: Set<string>): Rule[] {
  let depth = 0;
  while (depth < from.parts.length - 1 && depth < to.length - 1 && from.parts[depth] === to[depth]) depth++;
  const folder = from.rooms[depth];
  const here = from.parts[depth] ?? "";
  const there = to[depth] ?? "";
  const isRoom = depth < from.parts.length - 1;
  const use = (row: string): void => void used.add([from.src, ...from.parts.slice(0, depth), row].join("/"));
  if (depth === to.length - 1) {
    // The target is a file beside the rooms. The other files beside the rooms may always import it.
    if (!isRoom) return [];
    use(`shared ${there}`);
    return folder?.shared?.includes(there) ? [] : ["direction"];
  }
  const target = folder?.rooms?.[there];
  if (target === undefined) return ["undeclared folder"];
  if (!isRoom) return target.onlyFor?.includes(here) === false ? ["direction"] : [];
  use(`${here} imports ${there}`);
  if (target.onlyFor !== undefined || !folder?.rooms?.[here]?.imports?.includes(there)) return ["direction"];
  const face = target.face;
  return face?.for.includes(here) && to.slice(depth + 1).join("/") !== face.file ? ["face"] : [];
}

function isLazy(root: Package | undefined, file: string): boolean {
  return (
    root?.lazy?.files.some((each) => (each.endsWith("/") ? file.startsWith(each) : file === each)) ?? false
  );
}

/** Whether a file that must start without the lazy package imports a file that needs this package. */
function reachesLazy(root: Package | undefined, from: Placed, kind: string, target: string): boolean {
  return kind === "value" && isLazy(root, target) && !isLazy(root, from.parts.join("/"));
}

function globals({ source, rooms }: Placed): Violation[] {
  if (rooms.some(({ node }) => node) || source.file.endsWith(".gen.ts")) return [];
  // A fast test first: few files contain such a name at all, and removing comments is slow.
  if (!NODE_GLOBALS.test(source.text)) return [];
  // A word in a comment or a string is not a global.
  const code = source.text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "").replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""');
  return NODE_GLOBALS.test(code) ? [{ rule: "node global", what: source.file }] : [];
}

/** Returns the rows of the table that no import needed. They would permit unintended imports. */
export function unusedRows(packages: Packages, used: ReadonlySet<string>): Violation[] {
  const rows = Object.entries(packages).flatMap(([name, root]) => [
    ...root.entries.map((entry) => `${name} ${entry}`),
    ...rowsOf(srcOf(name), root),
  ]);
  return rows.filter((row) => !used.has(row)).map((row) => ({ rule: "unused row", what: row }));
}

function rowsOf(folder: string, room: Room): string[] {
  return [
    ...(room.shared ?? []).map((file) => `${folder}/shared ${file}`),
    ...Object.entries(room.rooms ?? {}).flatMap(([name, each]) => [
      ...(each.imports ?? []).map((other) => `${folder}/${name} imports ${other}`),
      ...rowsOf(`${folder}/${name}`, each),
    ]),
  ];
}

/** Finds pages and programs for users that import internal entries. In pages, the code blocks are checked. */
export function checkForUsers(sources: readonly SourceFile[]): Violation[] {
  return sources
    .flatMap((source) => importsOf(source))
    .filter(({ specifier }) => INTERNAL.test(specifier))
    .map(({ file, specifier }) => ({ rule: "internal for users", what: `${file} imports ${specifier}` }));
}
