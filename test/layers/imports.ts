import path from "node:path";

/** A file of the repository: its path from the root, with slashes, and its text. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/**
 * A type import is erased. A value import is loaded with the file, a dynamic one when the code calls
 * `import()`.
 */
export type ImportKind = "value" | "type" | "dynamic";

export interface Import {
  readonly file: string;
  readonly specifier: string;
  readonly kind: ImportKind;
  /** The path, from the root, of the file that a relative specifier names. */
  readonly target?: string;
}

const STATEMENT = /^[ \t]*(?:import|export)\s+(type\s+)?(?:([^"';()]*?)\bfrom\s+)?"([^"\n]+)"/gm;
const CALL = /(typeof\s+)?\bimport\(\s*"([^"\n]+)"\s*,?\s*\)(\.[A-Z])?/g;
/** Matches a line that is part of a comment. Imports in code examples of comments are not imports. */
const COMMENT = /^\s*(?:\/\/|\/?\*)/;

/** Caches the imports, because each file is read once and checked several times. */
const known = new WeakMap<SourceFile, readonly Import[]>();

/** The imports and re-exports of a file. */
export function importsOf(source: SourceFile): readonly Import[] {
  const imports = known.get(source) ?? findImports(source);
  known.set(source, imports);
  return imports;
}

function findImports({ file, text }: SourceFile): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, kind: ImportKind): void => {
    if (!specifier.startsWith(".")) found.push({ file, specifier, kind });
    else found.push({ file, specifier, kind, target: path.posix.join(path.posix.dirname(file), specifier) });
  };
  for (const [, type, names, specifier = ""] of text.matchAll(STATEMENT))
    add(specifier, type !== undefined || areTypes(names) ? "type" : "value");
  const code = text
    .split("\n")
    .filter((line) => !COMMENT.test(line))
    .join("\n");
  for (const [, type, specifier = "", member] of code.matchAll(CALL))
    add(specifier, type !== undefined || member !== undefined ? "type" : "dynamic");
  return found;
}

/** Whether `{ type A, type B }` names types only. */
function areTypes(names: string | undefined): boolean {
  const list = /^\{([^]*)\}\s*$/.exec(names ?? "")?.[1];
  const each = list?.split(",").map((name) => name.trim());
  return each?.every((name) => name === "" || name.startsWith("type ")) ?? false;
}
