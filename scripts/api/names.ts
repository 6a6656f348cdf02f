import ts from "typescript";
import type { PublicEntry } from "./public-entries.ts";

/** The public names of an entry. */
export interface EntryNames {
  /** Each name with its kind, sorted by name. */
  readonly kinds: ReadonlyMap<string, string>;
  /** Whether the entry also re-exports a generated file with `export *`. Those names are not listed. */
  readonly generated: boolean;
}

const KINDS: readonly (readonly [flag: ts.SymbolFlags, kind: string])[] = [
  [ts.SymbolFlags.Class, "class"],
  [ts.SymbolFlags.Function, "function"],
  [ts.SymbolFlags.Variable, "const"],
  [ts.SymbolFlags.Enum, "enum"],
  [ts.SymbolFlags.Interface, "interface"],
  [ts.SymbolFlags.TypeAlias, "type"],
  [ts.SymbolFlags.Module, "namespace"],
];

const VALUES = new Set(["class", "function", "const", "enum", "namespace"]);

/** Reads the names that each entry exports from its built declarations. */
export function publicNames(entries: readonly PublicEntry[]): Map<PublicEntry, EntryNames> {
  const program = ts.createProgram({
    rootNames: entries.map(({ declarations }) => declarations),
    options: {
      noEmit: true,
      // Names and kinds can be read without type information, so the standard library is not loaded.
      noLib: true,
      types: [],
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    },
  });
  const checker = program.getTypeChecker();
  return new Map(
    entries.map((entry) => {
      const file = program.getSourceFile(entry.declarations);
      const module = file && checker.getSymbolAtLocation(file);
      if (module === undefined) throw new Error(`${entry.declarations} is not a built module: npm run build`);
      return [entry, namesOf(module, checker)];
    }),
  );
}

function namesOf(module: ts.Symbol, checker: ts.TypeChecker): EntryNames {
  const exports = checker.getExportsOfModule(module);
  const listed = exports.filter((symbol) => !isGenerated(symbol));
  const kinds = listed.map((symbol): [string, string] => [symbol.name, kindOf(symbol, checker)]);
  return {
    kinds: new Map(kinds.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    generated: listed.length < exports.length,
  };
}

/** A name that is re-exported by name is an alias. A name that came through `export *` is the declaration itself. */
function isGenerated(symbol: ts.Symbol): boolean {
  if ((symbol.flags & ts.SymbolFlags.Alias) !== 0) return false;
  return symbol.declarations?.[0]?.getSourceFile().fileName.endsWith(".gen.d.ts") ?? false;
}

function kindOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  let target: ts.Symbol | undefined = symbol;
  let typeOnly = false;
  while (target !== undefined && (target.flags & ts.SymbolFlags.Alias) !== 0) {
    typeOnly ||= target.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration) ?? false;
    target = checker.getImmediateAliasedSymbol(target);
  }
  const flags = target?.flags ?? 0;
  const kinds = KINDS.filter(([flag]) => (flags & flag) !== 0).map(([, kind]) => kind);
  if (kinds.length === 0) throw new Error(`${symbol.name} has no kind: does its file resolve?`);
  // A class that is exported as a type only can be named but not constructed.
  const value = kinds.some((kind) => VALUES.has(kind));
  return kinds.join(" and ") + (typeOnly && value ? ", type only" : "");
}
